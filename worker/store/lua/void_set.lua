-- ARGV: deal set, attempt, the reason as JSON, who. Returns the attempt that is current then, and how many deals left the
-- count. Nothing of the ledger is touched: what stands there under an earlier attempt is outranked by the void.
local deal_set, attempt, by = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[4]
if status == 'cancelled' then return {'wrong', status} end

local homes, plans = {}, redis.call('HGETALL', key.chunks)
for i = 1, #plans, 2 do
  local parts = cjson.decode(plans[i + 1])
  if parts[2] <= deal_set and deal_set < parts[2] + parts[3] then
    table.insert(homes, {chunk = tonumber(plans[i]), fixture = parts[1]})
  end
end
if #homes == 0 then return {'none'} end
table.sort(homes, function(a, b) return a.chunk < b.chunk end)
local current = tonumber(attempt_of(deal_set))
if attempt > current then return {'ahead', current} end
if attempt < current then return {'ok', current, 0} end
for _, home in ipairs(homes) do
  if redis.call('HEXISTS', key.closures, home.fixture) == 1 then return {'closed', home.fixture} end
  for _, entrant in ipairs(cjson.decode(redis.call('HGET', key.fixtures, home.fixture)).entrants) do
    if redis.call('HEXISTS', key.withdrawn, entrant) == 1 then return {'closed', home.fixture} end
  end
end

local deals = {}
for _, home in ipairs(homes) do
  local mark = home.chunk .. ':' .. deal_set
  local played = redis.call('HGET', key.played, mark)
  if played then
    for _, field in ipairs(cjson.decode(played)) do table.insert(deals, field) end
    redis.call('HDEL', key.played, mark)
  end
  reopen(home.chunk)
end
redis.call('HINCRBY', key.season, 'outranked', #deals)
local told = '"chunk":' .. homes[1].chunk .. ',"deal_set":' .. deal_set .. ',"attempt":' .. attempt .. ',"reason":' .. ARGV[3]
local listed = #deals > 0 and cjson.encode(deals) or '[]'
redis.call('RPUSH', key.voids, '{' .. told .. ',"records":[],"deals":' .. listed .. '}')
redis.call('HSET', key.attempts, deal_set, attempt + 1)
count('voids')
event('void', '{' .. told .. '}')
deed(by, 'void', '{"deal_set":' .. deal_set .. ',"attempt":' .. attempt .. ',"reason":' .. ARGV[3] .. ',"deals":' .. #deals .. '}')
if status == 'finished' then set_status('running') end
return {'ok', attempt + 1, #deals}
