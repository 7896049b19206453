-- Comes before every script. KEYS are all keys of one season; each is named here by its last word. Lists of faults, which
-- have the name of a bot behind that, may follow.
local key = {}
for _, name in ipairs(KEYS) do
  local word = string.match(name, '^carico:{[^}]*}:([%w_]+)$')
  if word then key[word] = name end
end

-- The only clock: the server's, in whole milliseconds.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local status = redis.call('HGET', key.season, 'status')

local function count(what, by) redis.call('HINCRBY', key.counters, what, by or 1) end

local function event(kind, data)
  redis.call('XADD', key.events, 'MAXLEN', '~', 10000, '*', 'kind', kind, 'data', data)
end

-- In the organisers' log, where it was an organiser.
local function deed(by, did, details)
  if by ~= '' then redis.call('XADD', key.log, '*', 'at', now, 'by', by, 'did', did, 'details', details or '{}') end
end

local function set_status(to)
  status = to
  redis.call('HSET', key.season, 'status', to)
  if to == 'running' then redis.call('HSET', key.season, 'dealt_ms', now) end
  event('status', cjson.encode({status = to}))
end

-- Whether this fence may still write for the chunk: 'ours', 'done' or 'stale'.
local function standing(chunk, fence)
  if redis.call('HEXISTS', key.done, chunk) == 1 then return 'done' end
  if redis.call('HGET', key.fences, chunk) ~= fence or status == 'cancelled' then return 'stale' end
  return 'ours'
end

-- The fixture, the first deal set and the last one of a chunk.
local function plan(chunk)
  local parts = cjson.decode(redis.call('HGET', key.chunks, chunk))
  return parts[1], parts[2], parts[2] + parts[3] - 1
end

-- The attempt of a deal set that is current.
local function attempt_of(deal_set) return redis.call('HGET', key.attempts, deal_set) or '0' end

-- Whether all chunks of a fixture are done; one without any never is.
local function finished(fixture)
  local members = redis.call('HGET', key.members, fixture)
  if not members then return false end
  for _, member in ipairs(cjson.decode(members)) do
    if redis.call('HEXISTS', key.done, member) == 0 then return false end
  end
  return true
end

-- A chunk is in exactly one of leases (until when), due (enqueued next when) and done (since when). What is in due is in
-- open too, which has the order of their numbers, and may be in enqueued.
local function leave_open(chunk)
  redis.call('ZREM', key.open, chunk)
  redis.call('ZREM', key.due, chunk)
  redis.call('ZREM', key.enqueued, chunk)
end

local function lease(chunk, lease_until)
  leave_open(chunk)
  redis.call('ZADD', key.leases, lease_until, chunk)
end

local function open(chunk, due)
  redis.call('ZREM', key.leases, chunk)
  redis.call('ZADD', key.open, chunk, chunk)
  redis.call('ZADD', key.due, due, chunk)
end

local function done(chunk)
  leave_open(chunk)
  redis.call('ZREM', key.leases, chunk)
  redis.call('HSET', key.done, chunk, now)
  redis.call('HDEL', key.holders, chunk)
  local _, first, last = plan(chunk)
  for deal_set = first, last do redis.call('HDEL', key.started, chunk .. ':' .. deal_set) end
end

-- A chunk is to be played, again or still: whoever holds it, or had it done, has no say in it any more.
local function reopen(chunk)
  redis.call('HDEL', key.done, chunk)
  redis.call('HDEL', key.holders, chunk)
  redis.call('HINCRBY', key.fences, chunk, 1)
  redis.call('ZREM', key.enqueued, chunk)
  open(chunk, now)
end

-- Makes all chunks of a fixture done, and says why.
local function close(fixture, closure)
  redis.call('HSET', key.closures, fixture, closure)
  local members = redis.call('HGET', key.members, fixture)
  for _, member in ipairs(members and cjson.decode(members) or {}) do
    if redis.call('HEXISTS', key.done, member) == 0 then done(member) end
  end
  count('closures')
  event('closure', cjson.encode({fixture = fixture}))
end

local function finish_if_all_done()
  if redis.call('HLEN', key.done) == redis.call('HLEN', key.chunks) then set_status('finished') end
end

-- Appends the entrants, fixtures and chunks that stand from ARGV[i] on (text.plan_arguments).
local function append(i)
  local function list()
    local first = i + 1
    i = first + ARGV[i]
    return first, i - 1
  end
  local first = i + 1
  i = first + 2 * ARGV[i]
  for at = first, i - 1, 2 do
    redis.call('HSET', key.pairs, ARGV[at + 1], redis.call('RPUSH', key.entrants, ARGV[at]) - 1)
  end
  local from, to = list()
  for at = from, to do redis.call('HSET', key.fixtures, redis.call('HLEN', key.fixtures), ARGV[at]) end
  from, to = list()
  local members = {}
  for at = from, to do
    local chunk = redis.call('HLEN', key.chunks)
    redis.call('HSET', key.chunks, chunk, ARGV[at])
    open(chunk, now)
    local fixture = plan(chunk)
    members[fixture] = members[fixture] or {}
    table.insert(members[fixture], chunk)
  end
  for fixture, chunks in pairs(members) do redis.call('HSET', key.members, fixture, cjson.encode(chunks)) end
end
