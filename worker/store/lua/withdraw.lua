-- ARGV: the entrant's number, who. Returns the withdrawal as JSON, and how many fixtures it closed.
local entrant, by = tonumber(ARGV[1]), ARGV[2]
if entrant >= redis.call('LLEN', key.entrants) then return {'none'} end
local there = redis.call('HGET', key.withdrawn, entrant)
if there then return {'ok', there, 0} end
if status == 'cancelled' or status == 'finished' then return {'wrong', status} end

local out = {}
for _, text in ipairs(redis.call('HVALS', key.withdrawn)) do
  local one = cjson.decode(text)
  if 2 * one.played < one.fixtures then out[one.entrant] = true end
end
local played, unfinished, all = 0, {}, redis.call('HGETALL', key.fixtures)
local fixtures = 0
for i = 1, #all, 2 do
  local number, mine, gone = tonumber(all[i]), false, false
  for _, one in ipairs(cjson.decode(all[i + 1]).entrants) do
    mine, gone = mine or one == entrant, gone or out[one]
  end
  if mine and not gone then
    fixtures = fixtures + 1
    if redis.call('HEXISTS', key.closures, number) == 1 or finished(number) then
      played = played + 1
    else
      table.insert(unfinished, number)
    end
  end
end

local numbers = '"entrant":' .. entrant .. ',"played":' .. played .. ',"fixtures":' .. fixtures
redis.call('HSET', key.withdrawn, entrant, '{' .. numbers .. '}')
event('withdrawal', cjson.encode({entrant = entrant}))
table.sort(unfinished)
for _, fixture in ipairs(unfinished) do
  close(fixture, cjson.encode({fixture = fixture, reason = 'WITHDRAWN', lost_by = {entrant}}))
end
deed(by, 'withdraw', '{' .. numbers .. ',"closed":' .. #unfinished .. '}')
if #unfinished > 0 then finish_if_all_done() end
return {'ok', '{' .. numbers .. '}', #unfinished}
