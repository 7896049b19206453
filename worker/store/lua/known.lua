-- Comes second before every script but create.
if not status then return {'unknown season'} end
