-- ARGV: nonce of this call, entrants seen, number of the first fixture, of the first chunk ('' where there is none),
-- then one entrant with its fixtures and chunks (append).
local nonce, seen, first_fixture, first_chunk = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
if redis.call('HGET', key.season, 'admission') == nonce then return {'ok'} end
if status == 'cancelled' then return {'wrong', status} end
if redis.call('HGET', key.season, 'open_entry') ~= '1' then return {'closed'} end
if redis.call('HEXISTS', key.pairs, ARGV[7]) == 1 then return {'entered'} end
if redis.call('LLEN', key.entrants) ~= seen then return {'changed'} end
local fixtures, chunks = redis.call('HLEN', key.fixtures), redis.call('HLEN', key.chunks)
if first_fixture ~= '' and tonumber(first_fixture) ~= fixtures then return {'numbers', fixtures, chunks} end
if first_chunk ~= '' and tonumber(first_chunk) ~= chunks then return {'numbers', fixtures, chunks} end

-- Nobody meets an entrant that has withdrawn meanwhile.
for i = 9, 8 + ARGV[8] do
  for _, other in ipairs(cjson.decode(ARGV[i]).entrants) do
    if redis.call('HEXISTS', key.withdrawn, other) == 1 then return {'changed'} end
  end
end

append(5)
redis.call('HSET', key.season, 'admission', nonce)
event('entrant', cjson.encode({entrant = seen}))
if status == 'finished' and first_chunk ~= '' then set_status('running') end
return {'ok'}
