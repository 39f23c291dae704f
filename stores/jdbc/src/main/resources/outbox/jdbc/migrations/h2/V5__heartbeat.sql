-- What nodes see of each other: how often a node beats, whether it has prepared, and where its connection is locked.
ALTER TABLE ${node}
  -- Null for versions that do not say.
  ADD COLUMN IF NOT EXISTS beat_micros BIGINT;

ALTER TABLE ${node}
  -- Versions that do not say are ready from the start.
  ADD COLUMN IF NOT EXISTS ready SMALLINT NOT NULL DEFAULT 1;

ALTER TABLE ${node}
  -- The server, and the run of it, on which the node's heartbeat connection has a lock; null when it has none.
  ADD COLUMN IF NOT EXISTS lock_server VARCHAR(255);
