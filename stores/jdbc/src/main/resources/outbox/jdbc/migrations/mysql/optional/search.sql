-- Optional: a search by key or by type finds old events at once, instead of looking through them page by page. For
-- that, every event is entered twice more when it is stored. Writers go on meanwhile.
ALTER TABLE ${event} ADD INDEX ${name}_search_key (key_hash, event_id);

ALTER TABLE ${event} ADD INDEX ${name}_search_type (event_type, event_id);
