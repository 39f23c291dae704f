-- What faults elsewhere made necessary.

-- How often an operator has replayed the event. A settlement names it, so that one that is repeated after a lost reply
-- cannot undo a replay.
ALTER TABLE ${event} ADD COLUMN replays INT NOT NULL DEFAULT 0;

-- The database refuses rows that no reader could use. MySQL copies the table to add a constraint, and fails if an
-- existing row breaks it. So bad rows are first set dead, or given the hash of their key.
UPDATE ${event} SET last_error = CONCAT('cannot be read: status ', status, ' is unknown; 0, 1, 2 and 3 are known'),
  done_at = NULL, status = 3 WHERE status < 0;

UPDATE ${event} SET last_error = CONCAT('cannot be read: status ', status, ' is unknown; 0, 1, 2 and 3 are known'),
  done_at = NULL, status = 3 WHERE status > 3;

UPDATE ${event} SET key_hash = CRC32(COALESCE(ordering_key, event_id)) >> 1 WHERE pending = 1 AND key_hash < 0;

ALTER TABLE ${event}
  ADD CONSTRAINT ${name}_status_known CHECK (status BETWEEN 0 AND 3),
  ADD CONSTRAINT ${name}_hash_known CHECK (key_hash >= 0 OR status IN (1, 3));

-- Events that end the process which delivers them. Null for all others, so that a row takes no more room than before.
ALTER TABLE ${event}
  -- How many holders in a row ended while they had the event.
  ADD COLUMN deaths SMALLINT;

ALTER TABLE ${slot}
  -- How many owners in a row ended while they had the slot.
  ADD COLUMN deaths INT NOT NULL DEFAULT 0;
