-- The outbox. The database has no partial indexes: pending is null for settled rows, so that the range that claims
-- read holds nothing else.
CREATE TABLE IF NOT EXISTS ${event} (
  event_id        VARCHAR(36)  NOT NULL PRIMARY KEY,
  seq             BIGINT       NOT NULL AUTO_INCREMENT,
  event_type      VARCHAR(128) NOT NULL,
  aggregate_type  VARCHAR(64),
  aggregate_id    VARCHAR(128),
  tenant_id       VARCHAR(64),
  ordering_key    VARCHAR(255),
  -- CRC-32 of the key's UTF-8 bytes, shifted right by one; of the event id where there is no key.
  key_hash        INT          NOT NULL,
  -- Text and not JSON, which rewrites: what is read back is byte for byte what was published.
  payload         MEDIUMTEXT,
  payload_bytes   MEDIUMBLOB,
  headers         MEDIUMTEXT,
  -- 0 NEW, 1 DONE, 2 RETRY, 3 DEAD
  status          TINYINT      NOT NULL,
  attempts        INT          NOT NULL DEFAULT 0,
  max_attempts    INT,
  -- All times are UTC.
  occurred_at     DATETIME(6)  NOT NULL,
  available_at    DATETIME(6)  NOT NULL,
  created_at      DATETIME(6)  NOT NULL,
  last_attempt_at DATETIME(6),
  done_at         DATETIME(6),
  last_error      TEXT,
  claim_token     VARCHAR(36),
  claimed_until   DATETIME(6),
  -- The key's hash while the event is held in order, so that "is somebody at this key" reads one small index.
  held_key_hash   INT,
  pending         TINYINT      GENERATED ALWAYS AS (CASE WHEN status IN (0, 2) THEN 1 END) VIRTUAL,
  UNIQUE KEY ${name}_seq (seq),
  KEY ${name}_due (pending, available_at, seq),
  KEY ${name}_lane (pending, key_hash, seq),
  KEY ${name}_held (held_key_hash),
  KEY ${name}_settled (status, done_at, created_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;

CREATE TABLE IF NOT EXISTS ${meta} (
  id             SMALLINT NOT NULL PRIMARY KEY,
  schema_version INT      NOT NULL,
  -- Who works on the events, written by the first to start: all others must agree.
  claim_strategy VARCHAR(32)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;

INSERT IGNORE INTO ${meta} (id, schema_version) VALUES (1, 0);
