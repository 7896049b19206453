-- ARGV: chunk, fence, then key, result and record of each deal.
local chunk, fence = ARGV[1], ARGV[2]
local whose = standing(chunk, fence)
if whose == 'stale' then count('stale') return {'stale'} end

local divergent = 0
for i = 3, #ARGV, 3 do
  local there = redis.call('HGET', key.ledger, ARGV[i])
  if there and there ~= ARGV[i + 1] then divergent = divergent + 1 end
end
if divergent > 0 then count('divergent', divergent) end
if whose == 'done' then count('repeats') return {'already recorded'} end

for i = 3, #ARGV, 3 do
  if redis.call('HSETNX', key.ledger, ARGV[i], ARGV[i + 1]) == 1 then
    redis.call('RPUSH', key.arrival, ARGV[i])
    redis.call('HSET', key.records, ARGV[i], ARGV[i + 2])
  end
end
done(chunk)
count('commits')
local fixture = plan(chunk)
event('commit', cjson.encode({chunk = tonumber(chunk), fixture = fixture, deals = (#ARGV - 2) / 3}))
finish_if_all_done()
return {'recorded'}
