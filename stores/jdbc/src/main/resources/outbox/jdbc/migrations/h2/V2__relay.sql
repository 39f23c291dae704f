-- What relays need: who is there, who owns which slot, and what failed, is on hold, or was done by whom.
ALTER TABLE ${meta} ADD COLUMN IF NOT EXISTS partitions INT DEFAULT 6 NOT NULL;

-- The number that the cluster is to change to; null when no change is under way.
ALTER TABLE ${meta} ADD COLUMN IF NOT EXISTS partitions_wanted INT;

-- Higher with every hold and resume, so that nodes know when to read the holds anew.
ALTER TABLE ${meta} ADD COLUMN IF NOT EXISTS holds_version BIGINT DEFAULT 0 NOT NULL;

CREATE TABLE IF NOT EXISTS ${node} (
  session_id   VARCHAR(72)  NOT NULL PRIMARY KEY,
  node_id      VARCHAR(256) NOT NULL,
  weight       INT          NOT NULL,
  version      VARCHAR      NOT NULL,
  address      VARCHAR      NOT NULL,
  joined_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  heartbeat_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  expires_at   TIMESTAMP(6) WITH TIME ZONE NOT NULL
);

CREATE TABLE IF NOT EXISTS ${slot} (
  slot        INT    NOT NULL PRIMARY KEY,
  -- The session of the node that owns it; null when it is free.
  owner       VARCHAR(72),
  -- Higher with every acquisition: who owned it before matches nothing.
  epoch       BIGINT DEFAULT 0 NOT NULL,
  acquired_at TIMESTAMP(6) WITH TIME ZONE
);

MERGE INTO ${slot} s USING (VALUES (0), (1), (2), (3), (4), (5)) AS wanted (slot) ON s.slot = wanted.slot
  WHEN NOT MATCHED THEN INSERT (slot) VALUES (wanted.slot);

-- Failed attempts only. They go with their event.
CREATE TABLE IF NOT EXISTS ${attempt} (
  id          BIGINT       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id    VARCHAR(72)  NOT NULL,
  attempt     INT          NOT NULL,
  node_id     VARCHAR(256) NOT NULL,
  destination VARCHAR      NOT NULL,
  error       VARCHAR      NOT NULL,
  failed_at   TIMESTAMP(6) WITH TIME ZONE NOT NULL
);

CREATE INDEX IF NOT EXISTS ${name}_attempts ON ${attempt} (event_id, id);

CREATE TABLE IF NOT EXISTS ${hold} (
  -- source, route, destination, partition or key
  kind       VARCHAR(16)  NOT NULL,
  name       VARCHAR(510) NOT NULL,
  reason     VARCHAR      NOT NULL,
  held_by    VARCHAR      NOT NULL,
  held_since TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  PRIMARY KEY (kind, name)
);

-- Every act of an operator, and every change of ownership.
CREATE TABLE IF NOT EXISTS ${audit} (
  id      BIGINT      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at      TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  who     VARCHAR     NOT NULL,
  action  VARCHAR(32) NOT NULL,
  subject VARCHAR     NOT NULL,
  detail  VARCHAR
);

-- The pending events of all slots. The event table gets no column: to add one, the database would copy the table, and
-- who writes meanwhile would find none.
CREATE INDEX IF NOT EXISTS ${name}_order ON ${event} (pending, seq);
