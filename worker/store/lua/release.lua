-- ARGV: chunk, fence, how long from now until it is enqueued again, '1' where the no-show time starts again.
local chunk, fence, delay_ms = ARGV[1], ARGV[2], tonumber(ARGV[3])
if standing(chunk, fence) ~= 'ours' then return {'stale'} end
redis.call('HINCRBY', key.fences, chunk, 1)
redis.call('ZREM', key.enqueued, chunk)
open(chunk, now + delay_ms)
count(ARGV[4] == '1' and 'excused' or 'released')
if ARGV[4] == '1' then
  local fixture = plan(chunk)
  redis.call('HDEL', key.due_since, fixture)
  redis.call('HDEL', key.seen, fixture)
end
return {'ok'}
