-- Comes before every script. KEYS are all keys of one season; each is named here by its last word.
local key = {}
for _, name in ipairs(KEYS) do key[string.match(name, '[^:]+$')] = name end

-- The only clock: the server's, in whole milliseconds.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local status = redis.call('HGET', key.season, 'status')

local function count(what, by) redis.call('HINCRBY', key.counters, what, by or 1) end

local function event(kind, data)
  redis.call('XADD', key.events, 'MAXLEN', '~', 10000, '*', 'kind', kind, 'data', data)
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
