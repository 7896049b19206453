-- ARGV: nonce of this call (so that its repetition is no second season), document, '1' where the entry is open, who, the
-- plan.
if status then
  if redis.call('HGET', key.season, 'creation') == ARGV[1] then return {'ok'} end
  return {'exists'}
end
redis.call('HSET', key.season, 'creation', ARGV[1], 'document', ARGV[2], 'open_entry', ARGV[3], 'created_ms', now)
append(5)
set_status('scheduled')
deed(ARGV[4], 'create')
return {'ok'}
