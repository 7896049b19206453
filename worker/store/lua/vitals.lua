-- Returns the status, the time since a deal was last started (-1: the season never ran), the backlog, leases that have run
-- out, how many there are of each, and the counters with their values.
local dealt = redis.call('HGET', key.season, 'dealt_ms')
local answer = {
  'ok', status, dealt and now - dealt or -1,
  redis.call('ZCOUNT', key.enqueued, '(' .. string.format('%.0f', now), '+inf'),
  redis.call('ZCOUNT', key.leases, '-inf', now),
  redis.call('LLEN', key.entrants), redis.call('HLEN', key.fixtures), redis.call('HLEN', key.begun),
  redis.call('HLEN', key.closures), redis.call('HLEN', key.chunks), redis.call('ZCARD', key.leases),
  redis.call('HLEN', key.done),
  redis.call('HLEN', key.ledger) - tonumber(redis.call('HGET', key.season, 'outranked') or 0),
  redis.call('LLEN', key.voids), redis.call('HLEN', key.withdrawn),
}
for _, word in ipairs(redis.call('HGETALL', key.counters)) do table.insert(answer, word) end
return answer
