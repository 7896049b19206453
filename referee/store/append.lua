-- Adds lines to match logs. KEYS[1] the epoch, KEYS[2..] the lists, one a line; ARGV[1] our epoch, then pairs of place and
-- line. A line whose place is taken was written by an earlier try of the same call. Returns 1, or 0 for a stale epoch.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for i = 2, #KEYS do
  local place = tonumber(ARGV[2 * i - 2])
  local have = redis.call('LLEN', KEYS[i])
  if have == place then
    redis.call('RPUSH', KEYS[i], ARGV[2 * i - 1])
  elseif have < place then
    return redis.error_reply('GAP in ' .. KEYS[i] .. ': it has ' .. have .. ' lines, the next is ' .. place)
  end
end
return 1
