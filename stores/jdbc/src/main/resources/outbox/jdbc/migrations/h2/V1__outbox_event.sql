-- The outbox. The database has no partial indexes: pending is null for settled rows, so that the range that claims
-- read holds nothing else. Lengths are twice those of other databases, because this one counts UTF-16 units.
CREATE TABLE IF NOT EXISTS ${event} (
  event_id        VARCHAR(72)  NOT NULL PRIMARY KEY,
  seq             BIGINT       GENERATED ALWAYS AS IDENTITY (NO CACHE),
  event_type      VARCHAR(256) NOT NULL,
  aggregate_type  VARCHAR(128),
  aggregate_id    VARCHAR(256),
  tenant_id       VARCHAR(128),
  ordering_key    VARCHAR(510),
  -- CRC-32 of the key's UTF-8 bytes, shifted right by one; of the event id where there is no key.
  key_hash        INT          NOT NULL,
  payload         VARCHAR(1048576),
  payload_bytes   VARBINARY(1048576),
  headers         VARCHAR,
  -- 0 NEW, 1 DONE, 2 RETRY, 3 DEAD
  status          SMALLINT     NOT NULL,
  attempts        INT          DEFAULT 0 NOT NULL,
  max_attempts    INT,
  occurred_at     TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  available_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  created_at      TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  last_attempt_at TIMESTAMP(6) WITH TIME ZONE,
  done_at         TIMESTAMP(6) WITH TIME ZONE,
  last_error      VARCHAR,
  claim_token     VARCHAR(36),
  claimed_until   TIMESTAMP(6) WITH TIME ZONE,
  -- The key's hash while the event is held in order, so that "is somebody at this key" reads one small index.
  held_key_hash   INT,
  pending         SMALLINT     GENERATED ALWAYS AS (CASE WHEN status IN (0, 2) THEN 1 END)
);

CREATE INDEX IF NOT EXISTS ${name}_due ON ${event} (pending, available_at, seq);

CREATE INDEX IF NOT EXISTS ${name}_lane ON ${event} (pending, key_hash, seq);

CREATE INDEX IF NOT EXISTS ${name}_held ON ${event} (held_key_hash);

CREATE INDEX IF NOT EXISTS ${name}_settled ON ${event} (status, done_at, created_at);

CREATE TABLE IF NOT EXISTS ${meta} (
  id             SMALLINT NOT NULL PRIMARY KEY,
  schema_version INT      NOT NULL,
  -- Who works on the events, written by the first to start: all others must agree.
  claim_strategy VARCHAR(32)
);

MERGE INTO ${meta} m USING (VALUES (1)) AS wanted (id) ON m.id = wanted.id
  WHEN NOT MATCHED THEN INSERT (id, schema_version) VALUES (1, 0);
