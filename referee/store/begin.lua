-- Adds matches, all or none; one without events is replaced. KEYS[1] the epoch, KEYS[2] the set of open matches, KEYS[3..] the lists; ARGV[1] our epoch,
-- then pairs of id and specification. Returns 1, or 0 for a stale epoch.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for i = 3, #KEYS do
  redis.call('SADD', KEYS[2], ARGV[2 * i - 4])
  local have = redis.call('LLEN', KEYS[i])
  if have == 0 then
    redis.call('RPUSH', KEYS[i], ARGV[2 * i - 3])
  elseif have == 1 then
    redis.call('LSET', KEYS[i], 0, ARGV[2 * i - 3])
  end
end
return 1
