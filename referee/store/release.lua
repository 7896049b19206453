-- Forgets matches but for a mark. KEYS[1] the epoch, KEYS[2] the set of open matches, then pairs of list and mark; ARGV[1]
-- our epoch, ARGV[2] how long marks are kept (s), then the ids. Returns 1, or 0 for a stale epoch.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for i = 3, #ARGV do
  redis.call('SREM', KEYS[2], ARGV[i])
  redis.call('DEL', KEYS[2 * i - 3])
  redis.call('SET', KEYS[2 * i - 2], '1', 'EX', ARGV[2])
end
return 1
