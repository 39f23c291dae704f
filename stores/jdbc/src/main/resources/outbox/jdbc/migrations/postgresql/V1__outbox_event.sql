-- The outbox. Settled rows leave the indexes that claims read, so a claim costs what is pending and due, not what
-- was ever stored.
CREATE TABLE IF NOT EXISTS ${event} (
  event_id        VARCHAR(36)  NOT NULL PRIMARY KEY,
  -- The transaction's id is taken before seq (defaults are evaluated in column order), so that a reader which knows
  -- all transactions below an id to be finished also knows their seq values.
  txid            XID8         NOT NULL DEFAULT pg_current_xact_id(),
  seq             BIGINT       NOT NULL GENERATED ALWAYS AS IDENTITY (CACHE 1),
  event_type      VARCHAR(128) NOT NULL,
  aggregate_type  VARCHAR(64),
  aggregate_id    VARCHAR(128),
  tenant_id       VARCHAR(64),
  ordering_key    VARCHAR(255),
  -- CRC-32 of the key's UTF-8 bytes, shifted right by one; of the event id where there is no key.
  key_hash        INT          NOT NULL,
  -- TEXT and not JSON: what is read back is byte for byte what was published. Cast it to query it.
  payload         TEXT,
  payload_bytes   BYTEA,
  headers         TEXT,
  -- 0 NEW, 1 DONE, 2 RETRY, 3 DEAD
  status          SMALLINT     NOT NULL,
  attempts        INT          NOT NULL DEFAULT 0,
  max_attempts    INT,
  occurred_at     TIMESTAMPTZ  NOT NULL,
  available_at    TIMESTAMPTZ  NOT NULL,
  created_at      TIMESTAMPTZ  NOT NULL,
  last_attempt_at TIMESTAMPTZ,
  done_at         TIMESTAMPTZ,
  last_error      TEXT,
  claim_token     VARCHAR(36),
  claimed_until   TIMESTAMPTZ,
  -- The key's hash while the event is held in order, so that "is somebody at this key" reads one small index.
  held_key_hash   INT
);

CREATE INDEX IF NOT EXISTS ${name}_due ON ${event} (available_at, seq) WHERE status IN (0, 2);

-- The same rows as above in other words, so that the planner cannot take one index for the other.
CREATE INDEX IF NOT EXISTS ${name}_lane ON ${event} (key_hash, seq) WHERE status NOT IN (1, 3);

CREATE INDEX IF NOT EXISTS ${name}_held ON ${event} (held_key_hash) WHERE held_key_hash IS NOT NULL;

CREATE INDEX IF NOT EXISTS ${name}_settled ON ${event} (status, done_at, created_at) WHERE status <> 0;

CREATE TABLE IF NOT EXISTS ${meta} (
  id             SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1),
  schema_version INT      NOT NULL,
  -- Who works on the events, written by the first to start: all others must agree.
  claim_strategy VARCHAR(32)
);

INSERT INTO ${meta} (id, schema_version) VALUES (1, 0) ON CONFLICT DO NOTHING;
