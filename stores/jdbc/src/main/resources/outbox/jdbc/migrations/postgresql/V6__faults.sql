-- What faults elsewhere made necessary.

-- How often an operator has replayed the event. A settlement names it, so that one that is repeated after a lost reply
-- cannot undo a replay.
ALTER TABLE ${event} ADD COLUMN IF NOT EXISTS replays INT NOT NULL DEFAULT 0;

-- The database refuses rows that no reader could use. NOT VALID: PostgreSQL does not check existing rows while writers
-- wait. The relay or dispatcher that reads a bad one sets it dead, or gives it the hash of its key. To check all rows later,
-- while writers continue: ALTER TABLE ... VALIDATE CONSTRAINT ...
ALTER TABLE ${event}
  DROP CONSTRAINT IF EXISTS ${name}_status_known,
  DROP CONSTRAINT IF EXISTS ${name}_hash_known,
  ADD CONSTRAINT ${name}_status_known CHECK (status BETWEEN 0 AND 3) NOT VALID,
  ADD CONSTRAINT ${name}_hash_known CHECK (key_hash >= 0 OR status IN (1, 3)) NOT VALID;

-- Events that end the process which delivers them. Null for all others, so that a row takes no more room than before.
ALTER TABLE ${event}
  -- How many holders in a row ended while they had the event.
  ADD COLUMN IF NOT EXISTS deaths SMALLINT;

ALTER TABLE ${slot}
  -- How many owners in a row ended while they had the slot.
  ADD COLUMN IF NOT EXISTS deaths INT NOT NULL DEFAULT 0;
