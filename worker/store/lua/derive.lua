-- Comes third before differences and rebuild: what the season keeps beside its plan, ledger, voids, closures and
-- withdrawals follows from these. Each difference is a sentence, and how to mend it.
local told, mends = {}, {}
local function differs(text, mend)
  table.insert(told, text)
  table.insert(mends, mend)
end

-- Compares a hash with what it should hold; keys and values are texts.
local function compare(kind, what, should)
  local is = redis.call('HGETALL', key[kind])
  local found = {}
  for i = 1, #is, 2 do found[is[i]] = is[i + 1] end
  for field, value in pairs(should) do
    if found[field] ~= value then
      differs(what .. ' ' .. field .. ' is kept as ' .. (found[field] or 'nothing') .. ', it must be ' .. value,
        function() redis.call('HSET', key[kind], field, value) end)
    end
  end
  for field, value in pairs(found) do
    if not should[field] then
      differs(what .. ' ' .. field .. ' is kept as ' .. value .. ', it must be nothing',
        function() redis.call('HDEL', key[kind], field) end)
    end
  end
end

local attempts, voids = {}, redis.call('LRANGE', key.voids, 0, -1)
for _, text in ipairs(voids) do
  local one = cjson.decode(text)
  attempts[one.deal_set] = math.max(attempts[one.deal_set] or 0, one.attempt + 1)
end
local texts = {}
for deal_set, attempt in pairs(attempts) do texts[tostring(deal_set)] = tostring(attempt) end
compare('attempts', 'the attempt of deal set', texts)

local chunk_of, members, numbers = {}, {}, {}
local plans = redis.call('HGETALL', key.chunks)
for i = 1, #plans, 2 do table.insert(numbers, {tonumber(plans[i]), cjson.decode(plans[i + 1])}) end
table.sort(numbers, function(a, b) return a[1] < b[1] end)
for _, one in ipairs(numbers) do
  local chunk, fixture = one[1], one[2][1]
  members[fixture] = members[fixture] or {}
  table.insert(members[fixture], chunk)
  for deal_set = one[2][2], one[2][2] + one[2][3] - 1 do chunk_of[fixture .. ':' .. deal_set] = chunk end
end
local lists = {}
for fixture, chunks in pairs(members) do lists[tostring(fixture)] = cjson.encode(chunks) end
compare('members', 'the chunks of fixture', lists)

local pairs_of = {}
for number, text in ipairs(redis.call('LRANGE', key.entrants, 0, -1)) do
  local one = cjson.decode(text)
  pairs_of['["' .. one.bot .. '","' .. one.version .. '"]'] = tostring(number - 1)
end
compare('pairs', 'the number of', pairs_of)

local arrived, twice, playing, outranked = {}, {}, {}, 0
for _, field in ipairs(redis.call('LRANGE', key.arrival, 0, -1)) do
  if arrived[field] then twice[field] = true end
  arrived[field] = true
end
for field in pairs(twice) do
  differs('deal ' .. field .. ' stands more than once in the order of arrival', function()
    redis.call('LREM', key.arrival, 0, field)
    redis.call('RPUSH', key.arrival, field)
  end)
end
local fields = redis.call('HKEYS', key.ledger)
table.sort(fields)
for _, field in ipairs(fields) do
  local deal_set, fixture, attempt = string.match(field, '^(%d+):(%d+):%d+:%d+:(%d+)$')
  local chunk = deal_set and chunk_of[fixture .. ':' .. deal_set]
  if chunk and tonumber(attempt) == (attempts[tonumber(deal_set)] or 0) then
    local mark = chunk .. ':' .. deal_set
    playing[mark] = playing[mark] or {}
    table.insert(playing[mark], field)
  else
    outranked = outranked + 1
  end
  if not arrived[field] then
    differs('deal ' .. field .. ' is in the ledger and not in the order of arrival',
      function() redis.call('RPUSH', key.arrival, field) end)
  end
  arrived[field] = nil
end
for field in pairs(arrived) do
  differs('deal ' .. field .. ' is in the order of arrival and not in the ledger',
    function() redis.call('LREM', key.arrival, 0, field) end)
end
if outranked ~= tonumber(redis.call('HGET', key.season, 'outranked') or 0) then
  differs('the number of deals that a void outranks is not ' .. outranked,
    function() redis.call('HSET', key.season, 'outranked', outranked) end)
end
local marks = redis.call('HGETALL', key.played)
for i = 1, #marks, 2 do
  local should, kept = playing[marks[i]], cjson.decode(marks[i + 1])
  table.sort(kept)
  if should and table.concat(should, ' ') == table.concat(kept, ' ') then
    should.kept = true
  elseif not should then
    differs('the mark of the deals counted for ' .. marks[i] .. ' (chunk:deal set) has no such deals in the ledger',
      function() redis.call('HDEL', key.played, marks[i]) end)
  end
end
for mark, should in pairs(playing) do
  if not should.kept then
    local listed = {}
    for _, field in ipairs(should) do table.insert(listed, field) end
    differs('the mark of the deals counted for ' .. mark .. ' (chunk:deal set) is not that of the ledger',
      function() redis.call('HSET', key.played, mark, cjson.encode(listed)) end)
  end
end

local all_done = true
for _, one in ipairs(numbers) do
  local chunk, fixture = one[1], one[2][1]
  local should = redis.call('HEXISTS', key.closures, fixture) == 1
  if not should then
    should = true
    for deal_set = one[2][2], one[2][2] + one[2][3] - 1 do should = should and playing[chunk .. ':' .. deal_set] ~= nil end
  end
  all_done = all_done and should
  local is = redis.call('HEXISTS', key.done, chunk) == 1
  local leased, due = redis.call('ZSCORE', key.leases, chunk), redis.call('ZSCORE', key.due, chunk)
  local opened = redis.call('ZSCORE', key.open, chunk)
  if should and not is then
    differs('chunk ' .. chunk .. ' has all its deals or its fixture was closed, and is not marked as done',
      function() done(chunk) end)
  elseif is and not should then
    differs('chunk ' .. chunk .. ' is marked as done, and not all its deals are in the ledger',
      function() reopen(chunk) end)
  elseif is and (leased or due or opened) then
    differs('chunk ' .. chunk .. ' is done and waits to be played all the same', function()
      leave_open(chunk)
      redis.call('ZREM', key.leases, chunk)
    end)
  elseif not is and status ~= 'cancelled' then
    local clocks = (leased and 1 or 0) + (due and 1 or 0)
    if clocks ~= 1 or (due and true or false) ~= (opened and true or false) then
      differs('chunk ' .. chunk .. ' is neither done nor leased nor open, or more than one of these',
        function() reopen(chunk) end)
    end
  end
end

for name, should in pairs({voids = #voids, closures = redis.call('HLEN', key.closures)}) do
  if tonumber(redis.call('HGET', key.counters, name) or 0) ~= should then
    differs('the counter ' .. name .. ' is not ' .. should, function() redis.call('HSET', key.counters, name, should) end)
  end
end
if status == 'finished' and not all_done then
  differs('the season is finished, and some of it is not played', function() set_status('running') end)
elseif (status == 'running' or status == 'paused') and all_done and #numbers > 0 then
  differs('all of the season is played, and it is not finished', function() set_status('finished') end)
end
