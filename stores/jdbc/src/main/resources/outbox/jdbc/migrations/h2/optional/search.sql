-- Optional: a search by key or by type finds old events at once, instead of looking through them page by page. For
-- that, every event is entered twice more when it is stored.
CREATE INDEX IF NOT EXISTS ${name}_search_key ON ${event} (key_hash, event_id);

CREATE INDEX IF NOT EXISTS ${name}_search_type ON ${event} (event_type, event_id);
