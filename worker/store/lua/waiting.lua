-- Returns the backlog and, where there is one, how soon a sweep may find something.
local backlog = redis.call('ZCOUNT', key.enqueued, '(' .. string.format('%.0f', now), '+inf')
if status ~= 'running' then return {'ok', backlog} end
local soonest
for _, clock in ipairs({key.due, key.leases}) do
  local at = tonumber(redis.call('ZRANGE', clock, 0, 0, 'WITHSCORES')[2])
  if at and (not soonest or at < soonest) then soonest = at end
end
if not soonest then return {'ok', backlog} end
return {'ok', backlog, math.max(0, soonest - now)}
