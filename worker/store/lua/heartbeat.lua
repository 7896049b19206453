-- ARGV: chunk, fence, how long from now.
local chunk, fence, lease_ms = ARGV[1], ARGV[2], tonumber(ARGV[3])
if standing(chunk, fence) ~= 'ours' then count('lost') return {'stale'} end
lease(chunk, math.max(now + lease_ms, tonumber(redis.call('ZSCORE', key.leases, chunk) or 0)))
return {'ok'}
