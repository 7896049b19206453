-- ARGV: chunk, fence, deal set, attempt, the void as JSON, its event as JSON. Returns the attempt that is current then.
local chunk, fence, deal_set, attempt = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if standing(chunk, fence) ~= 'ours' then return {'stale'} end
local current = tonumber(attempt_of(deal_set))
if attempt > current then return {'ahead', current} end
if attempt < current then return {'ok', current} end
if redis.call('HEXISTS', key.played, chunk .. ':' .. deal_set) == 1 then return {'counted'} end

redis.call('RPUSH', key.voids, ARGV[5])
redis.call('HSET', key.attempts, deal_set, attempt + 1)
count('voids')
event('void', ARGV[6])
return {'ok', attempt + 1}
