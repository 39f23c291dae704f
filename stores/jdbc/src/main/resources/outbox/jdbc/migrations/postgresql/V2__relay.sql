-- What relays need: who is there, who owns which slot, and what failed, is on hold, or was done by whom.
ALTER TABLE ${meta}
  ADD COLUMN IF NOT EXISTS partitions        INT    NOT NULL DEFAULT 6,
  -- The number that the cluster is to change to; null when no change is under way.
  ADD COLUMN IF NOT EXISTS partitions_wanted INT,
  -- Higher with every hold and resume, so that nodes know when to read the holds anew.
  ADD COLUMN IF NOT EXISTS holds_version     BIGINT NOT NULL DEFAULT 0;

-- Every beat of a node writes its row: with room on the page the new version needs no entry in an index, and a
-- vacuum after a few of them keeps the table at a page.
CREATE TABLE IF NOT EXISTS ${node} (
  session_id   VARCHAR(36)  NOT NULL PRIMARY KEY,
  node_id      VARCHAR(128) NOT NULL,
  weight       INT          NOT NULL,
  version      TEXT         NOT NULL,
  address      TEXT         NOT NULL,
  joined_at    TIMESTAMPTZ  NOT NULL,
  heartbeat_at TIMESTAMPTZ  NOT NULL,
  expires_at   TIMESTAMPTZ  NOT NULL
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

CREATE TABLE IF NOT EXISTS ${slot} (
  slot        INT    NOT NULL PRIMARY KEY,
  -- The session of the node that owns it; null when it is free.
  owner       VARCHAR(36),
  -- Higher with every acquisition: who owned it before matches nothing.
  epoch       BIGINT NOT NULL DEFAULT 0,
  acquired_at TIMESTAMPTZ
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

INSERT INTO ${slot} (slot) SELECT generate_series(0, 5) ON CONFLICT DO NOTHING;

-- Failed attempts only. They go with their event.
CREATE TABLE IF NOT EXISTS ${attempt} (
  id          BIGINT       NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id    VARCHAR(36)  NOT NULL,
  attempt     INT          NOT NULL,
  node_id     VARCHAR(128) NOT NULL,
  destination TEXT         NOT NULL,
  error       TEXT         NOT NULL,
  failed_at   TIMESTAMPTZ  NOT NULL
);

CREATE INDEX IF NOT EXISTS ${name}_attempts ON ${attempt} (event_id, id);

CREATE TABLE IF NOT EXISTS ${hold} (
  -- source, route, destination, partition or key
  kind       VARCHAR(16)  NOT NULL,
  name       VARCHAR(255) NOT NULL,
  reason     TEXT         NOT NULL,
  held_by    TEXT         NOT NULL,
  held_since TIMESTAMPTZ  NOT NULL,
  PRIMARY KEY (kind, name)
);

-- Every act of an operator, and every change of ownership.
CREATE TABLE IF NOT EXISTS ${audit} (
  id      BIGINT      NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at      TIMESTAMPTZ NOT NULL,
  who     TEXT        NOT NULL,
  action  VARCHAR(32) NOT NULL,
  subject TEXT        NOT NULL,
  detail  TEXT
);

-- The pending events of a slot. Pending in a third wording (0 and 2 are even), so that the planner can take no other
-- index for what reads a slot, whatever its statistics say. On a large table that is written to, make it beforehand
-- with CREATE INDEX CONCURRENTLY: this statement keeps writers waiting.
CREATE INDEX IF NOT EXISTS ${name}_p6 ON ${event} ((key_hash % 6), seq) WHERE (status % 2) = 0;

-- Delayed and replayed events until their first attempt: usually next to none.
CREATE INDEX IF NOT EXISTS ${name}_delayed ON ${event} (available_at, seq)
  WHERE status = 0 AND available_at <> created_at;
