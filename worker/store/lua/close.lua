-- ARGV: chunk, fence, the closure as JSON, '1' where a fixture that has begun may be closed too.
local chunk, fence = ARGV[1], ARGV[2]
local whose = standing(chunk, fence)
if whose == 'done' then return {'already done'} end
if whose == 'stale' then return {'stale'} end
local fixture = plan(chunk)
if ARGV[4] ~= '1' and redis.call('HEXISTS', key.begun, fixture) == 1 then return {'begun'} end

close(fixture, ARGV[3])
finish_if_all_done()
return {'closed'}
