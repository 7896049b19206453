-- ARGV: the highest backlog allowed, how long until a chunk that is handed out now is due again.
local limit, requeue_ms = tonumber(ARGV[1]), tonumber(ARGV[2])
if status ~= 'running' then return {'ok'} end

local expired = redis.call('ZRANGEBYSCORE', key.leases, '-inf', now)
for _, chunk in ipairs(expired) do open(chunk, now) end
if #expired > 0 then count('expired', #expired) end

-- What was enqueued and is due again is presumed lost: only what is not due again lies in the queue.
local room = limit - redis.call('ZCOUNT', key.enqueued, '(' .. string.format('%.0f', now), '+inf')
local left = math.min(room, redis.call('ZCOUNT', key.due, '-inf', now))
local answer, at = {'ok'}, 0
if left > 0 then count('enqueued', left) end
while left > 0 do
  local page = redis.call('ZRANGE', key.open, at, at + 99)
  if #page == 0 then break end
  for _, chunk in ipairs(page) do
    if left > 0 and tonumber(redis.call('ZSCORE', key.due, chunk)) <= now then
      redis.call('ZADD', key.due, now + requeue_ms, chunk)
      redis.call('ZADD', key.enqueued, now + requeue_ms, chunk)
      table.insert(answer, chunk)
      left = left - 1
    end
  end
  at = at + 100
end
return answer
