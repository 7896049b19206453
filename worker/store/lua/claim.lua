-- ARGV: chunk, how long, how much of a time without claims counts, nonce of this call (so that its repetition is granted
-- the same lease).
local chunk, lease_ms, unseen_ms, holder = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local text = redis.call('HGET', key.chunks, chunk)
if not text then return {'unknown'} end
if redis.call('HEXISTS', key.done, chunk) == 1 then count('refused') return {'done'} end
if status ~= 'running' then count('refused') return {'not running', status} end

local lease_until = tonumber(redis.call('ZSCORE', key.leases, chunk) or 0)
if lease_until > now then
  if redis.call('HGET', key.holders, chunk) ~= holder then
    count('refused')
    return {'leased', lease_until - now}
  end
else
  lease_until = now + lease_ms
  lease(chunk, lease_until)
  redis.call('HINCRBY', key.fences, chunk, 1)
  redis.call('HSET', key.holders, chunk, holder)
  count('claims')
end

local fixture, first, last = plan(chunk)
local due_since = tonumber(redis.call('HGET', key.due_since, fixture) or now)
local unseen = now - tonumber(redis.call('HGET', key.seen, fixture) or now)
redis.call('HSET', key.due_since, fixture, due_since + math.max(0, unseen - unseen_ms))
redis.call('HSET', key.seen, fixture, now)
local fixture_text, entrants = redis.call('HGET', key.fixtures, fixture), {}
for i, entrant in ipairs(cjson.decode(fixture_text).entrants) do
  entrants[i] = redis.call('LINDEX', key.entrants, entrant)
end
local answer = {
  'granted', text, fixture_text, redis.call('HGET', key.season, 'document'), entrants,
  redis.call('HGET', key.fences, chunk), now, lease_until, redis.call('HGET', key.due_since, fixture),
  redis.call('HEXISTS', key.begun, fixture),
}
for deal_set = first, last do
  table.insert(answer, attempt_of(deal_set))
  table.insert(answer, redis.call('HEXISTS', key.played, chunk .. ':' .. deal_set))
end
return answer
