-- Optional: a search by key or by type finds old events at once, instead of looking through them page by page. For
-- that, every event is entered twice more when it is stored, and twice when it is settled. Writers go on meanwhile.
-- The condition holds for every row. It stands here because no other statement has it in these words, so that the
-- planner can take these indexes for nothing but a search.
CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name}_search_key ON ${event} (key_hash, event_id) WHERE (status + 0) >= 0;

CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name}_search_type ON ${event} (event_type, event_id) WHERE (status + 0) >= 0;
