-- ARGV: chunk, fence, how many faults, the JSON of each (their lists are the last KEYS, in this order), how many faults
-- a list keeps; then key, result and record of each deal.
local chunk, fence, faults = ARGV[1], ARGV[2], tonumber(ARGV[3])
local from = 5 + faults
if redis.call('HEXISTS', key.chunks, chunk) == 0 then count('stale') return {'stale'} end
local fixture, first, last = plan(chunk)
for i = from, #ARGV, 3 do
  local deal_set, of = string.match(ARGV[i], '^(%-?%d+):(%-?%d+):')
  deal_set = tonumber(deal_set)
  if tonumber(of) ~= fixture or deal_set < first or deal_set > last then
    return {'of another', fixture, first, last - first + 1}
  end
end
local whose = standing(chunk, fence)
if whose == 'stale' then count('stale') return {'stale'} end

local attempts, played = {}, {}
for deal_set = first, last do attempts[deal_set] = attempt_of(deal_set) end
local fields, divergent = {}, 0
for i = from, #ARGV, 3 do
  local deal_set = tonumber(string.match(ARGV[i], '^%d+'))
  local field = ARGV[i] .. ':' .. attempts[deal_set]
  fields[i] = field
  played[deal_set] = played[deal_set] or {}
  table.insert(played[deal_set], field)
  local there = redis.call('HGET', key.ledger, field)
  if there and there ~= ARGV[i + 1] then divergent = divergent + 1 end
end
for deal_set = first, last do
  if not played[deal_set] and redis.call('HEXISTS', key.played, chunk .. ':' .. deal_set) == 0 and whose == 'ours' then
    return {'missing', deal_set}
  end
end
if divergent > 0 then count('divergent', divergent) end
if whose == 'done' then count('repeats') return {'already recorded'} end

for i = from, #ARGV, 3 do
  if redis.call('HSETNX', key.ledger, fields[i], ARGV[i + 1]) == 1 then
    redis.call('RPUSH', key.arrival, fields[i])
    redis.call('HSET', key.records, fields[i], ARGV[i + 2])
  end
end
for deal_set, listed in pairs(played) do
  redis.call('HSETNX', key.played, chunk .. ':' .. deal_set, cjson.encode(listed))
end
for i = 1, faults do
  local list = KEYS[#KEYS - faults + i]
  redis.call('RPUSH', list, '{"at_ms":' .. string.format('%.0f', now) .. ',' .. string.sub(ARGV[3 + i], 2))
  redis.call('LTRIM', list, -tonumber(ARGV[4 + faults]), -1)
end
done(chunk)
count('commits')
event('commit', cjson.encode({chunk = tonumber(chunk), fixture = fixture, deals = (#ARGV - from + 1) / 3}))
finish_if_all_done()
return {'recorded'}
