-- ARGV: chunk, fence, deal set, attempt, records as a JSON list. What was found of an attempt after it had become void; the
-- first to tell is believed.
local chunk, fence, deal_set, attempt = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if standing(chunk, fence) ~= 'ours' then return {'stale'} end
if attempt >= tonumber(attempt_of(deal_set)) then return {'not void'} end
redis.call('HSETNX', key.late, deal_set .. ':' .. attempt, ARGV[5])
return {'ok'}
