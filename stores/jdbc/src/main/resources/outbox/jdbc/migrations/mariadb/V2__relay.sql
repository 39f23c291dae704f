-- What relays need: who is there, who owns which slot, and what failed, is on hold, or was done by whom.
ALTER TABLE ${meta}
  ADD COLUMN IF NOT EXISTS partitions        INT    NOT NULL DEFAULT 6,
  -- The number that the cluster is to change to; null when no change is under way.
  ADD COLUMN IF NOT EXISTS partitions_wanted INT,
  -- Higher with every hold and resume, so that nodes know when to read the holds anew.
  ADD COLUMN IF NOT EXISTS holds_version     BIGINT NOT NULL DEFAULT 0;

CREATE TABLE IF NOT EXISTS ${node} (
  session_id   VARCHAR(36)  NOT NULL PRIMARY KEY,
  node_id      VARCHAR(128) NOT NULL,
  weight       INT          NOT NULL,
  version      TEXT         NOT NULL,
  address      TEXT         NOT NULL,
  joined_at    DATETIME(6)  NOT NULL,
  heartbeat_at DATETIME(6)  NOT NULL,
  expires_at   DATETIME(6)  NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS ${slot} (
  slot        INT    NOT NULL PRIMARY KEY,
  -- The session of the node that owns it; null when it is free.
  owner       VARCHAR(36),
  -- Higher with every acquisition: who owned it before matches nothing.
  epoch       BIGINT NOT NULL DEFAULT 0,
  acquired_at DATETIME(6)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

INSERT IGNORE INTO ${slot} (slot) VALUES (0), (1), (2), (3), (4), (5);

-- Failed attempts only. They go with their event.
CREATE TABLE IF NOT EXISTS ${attempt} (
  id          BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id    VARCHAR(36)  NOT NULL,
  attempt     INT          NOT NULL,
  node_id     VARCHAR(128) NOT NULL,
  destination TEXT         NOT NULL,
  error       TEXT         NOT NULL,
  failed_at   DATETIME(6)  NOT NULL,
  KEY ${name}_attempts (event_id, id)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS ${hold} (
  -- source, route, destination, partition or key
  kind       VARCHAR(16)  NOT NULL,
  name       VARCHAR(255) NOT NULL,
  reason     TEXT         NOT NULL,
  held_by    TEXT         NOT NULL,
  held_since DATETIME(6)  NOT NULL,
  PRIMARY KEY (kind, name)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- Every act of an operator, and every change of ownership.
CREATE TABLE IF NOT EXISTS ${audit} (
  id      BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at      DATETIME(6) NOT NULL,
  who     TEXT        NOT NULL,
  action  VARCHAR(32) NOT NULL,
  subject TEXT        NOT NULL,
  detail  TEXT
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The slot of a pending event; null for settled ones. Columns and index apart, so that neither stops the writers.
ALTER TABLE ${event}
  ADD COLUMN IF NOT EXISTS partition_6 INT GENERATED ALWAYS AS (CASE WHEN status IN (0, 2) THEN key_hash % 6 END) VIRTUAL;

ALTER TABLE ${event} ADD INDEX IF NOT EXISTS ${name}_p6 (partition_6, seq, key_hash);

-- The due time of a delayed or replayed event until its first attempt; null for all others.
ALTER TABLE ${event}
  ADD COLUMN IF NOT EXISTS delayed_until DATETIME(6)
    GENERATED ALWAYS AS (CASE WHEN status = 0 AND available_at <> created_at THEN available_at END) VIRTUAL;

ALTER TABLE ${event} ADD INDEX IF NOT EXISTS ${name}_delayed (delayed_until, seq);
