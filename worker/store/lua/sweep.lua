-- ARGV: the highest backlog allowed, how long until a chunk that is handed out now is due again.
local limit, requeue_ms = tonumber(ARGV[1]), tonumber(ARGV[2])
if status ~= 'running' then return {'ok'} end

local expired = redis.call('ZRANGEBYSCORE', key.leases, '-inf', now)
for _, chunk in ipairs(expired) do open(chunk, now) end
if #expired > 0 then count('expired', #expired) end

-- What was enqueued and is due again is presumed lost: only what is not due again lies in the queue.
local room = limit - redis.call('ZCOUNT', key.enqueued, '(' .. string.format('%.0f', now), '+inf')
local due = redis.call('ZRANGEBYSCORE', key.due, '-inf', now)
table.sort(due, function(a, b) return tonumber(a) < tonumber(b) end)
local answer = {'ok'}
for i = 1, math.min(room, #due) do
  redis.call('ZADD', key.due, now + requeue_ms, due[i])
  redis.call('ZADD', key.enqueued, now + requeue_ms, due[i])
  table.insert(answer, due[i])
end
if #answer > 1 then count('enqueued', #answer - 1) end
return answer
