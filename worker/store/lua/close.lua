-- ARGV: chunk, fence, the closure as JSON, '1' where a fixture that has begun may be closed too.
local chunk, fence = ARGV[1], ARGV[2]
local whose = standing(chunk, fence)
if whose == 'done' then return {'already done'} end
if whose == 'stale' then return {'stale'} end
local fixture = plan(chunk)
if ARGV[4] ~= '1' and redis.call('HEXISTS', key.begun, fixture) == 1 then return {'begun'} end

redis.call('HSET', key.closures, fixture, ARGV[3])
for _, member in ipairs(cjson.decode(redis.call('HGET', key.members, fixture))) do
  if redis.call('HEXISTS', key.done, member) == 0 then done(member) end
end
count('closures')
event('closure', cjson.encode({fixture = fixture}))
finish_if_all_done()
return {'closed'}
