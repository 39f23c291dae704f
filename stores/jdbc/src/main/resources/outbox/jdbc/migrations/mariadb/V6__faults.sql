-- What faults elsewhere made necessary.

-- How often an operator has replayed the event. A settlement names it, so that one that is repeated after a lost reply
-- cannot undo a replay.
ALTER TABLE ${event} ADD COLUMN replays INT NOT NULL DEFAULT 0;
