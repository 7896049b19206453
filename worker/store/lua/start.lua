-- ARGV: chunk, fence, incarnation of the referee's log. Returns the first deal set, then for each the one that was
-- noted first.
local chunk, fence, incarnation = ARGV[1], ARGV[2], ARGV[3]
if standing(chunk, fence) ~= 'ours' then return {'stale'} end
local fixture, first, last = plan(chunk)
redis.call('HSETNX', key.begun, fixture, now)
redis.call('HSET', key.season, 'dealt_ms', now)
local answer = {'ok', first}
for deal_set = first, last do
  local mark = chunk .. ':' .. deal_set
  local attempt = attempt_of(deal_set)
  local of, noted = string.match(redis.call('HGET', key.started, mark) or '', '^(%d+):(.*)$')
  if of ~= attempt then
    noted = incarnation
    redis.call('HSET', key.started, mark, attempt .. ':' .. incarnation)
  end
  table.insert(answer, noted)
end
return answer
