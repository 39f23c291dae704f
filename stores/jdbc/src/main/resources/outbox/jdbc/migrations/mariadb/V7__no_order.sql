-- Dispatchers keep no order of keys any more; relays do. What only ordered dispatchers used goes.
-- Stop relays and dispatchers of earlier versions first: their settlements name the column.
-- The index first: the database then drops the column without copying the table.
ALTER TABLE ${event} DROP INDEX IF EXISTS ${name}_held;

ALTER TABLE ${event} DROP COLUMN IF EXISTS held_key_hash;

-- The next to start decides whether relays or dispatchers work the table.
UPDATE ${meta} SET claim_strategy = NULL WHERE claim_strategy = 'dispatcher-ordered';
