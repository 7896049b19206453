-- ARGV: where to, who, then the statuses that this is allowed from.
local to = ARGV[1]
if status == to then return {'ok'} end
local allowed = false
for i = 3, #ARGV do allowed = allowed or ARGV[i] == status end
if not allowed then return {'wrong', status} end

if to == 'running' then
  for _, chunk in ipairs(redis.call('ZRANGE', key.enqueued, 0, -1)) do redis.call('ZADD', key.due, now, chunk) end
  redis.call('DEL', key.enqueued, key.due_since, key.seen)
elseif to == 'cancelled' then
  redis.call('DEL', key.leases, key.open, key.due, key.enqueued)
end
set_status(to)
deed(ARGV[2], to)
return {'ok'}
