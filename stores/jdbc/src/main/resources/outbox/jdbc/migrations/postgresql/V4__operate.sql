-- What operators need. The event table stays as it is, so this costs no relay anything.

-- What an event carried before an operator changed it for the first time. The row goes with its event.
CREATE TABLE IF NOT EXISTS ${original} (
  event_id      VARCHAR(36) NOT NULL PRIMARY KEY,
  payload       TEXT,
  payload_bytes BYTEA,
  headers       TEXT,
  changed_at    TIMESTAMPTZ NOT NULL
);

-- Which events an act of the audit was done to. By event first, because an event's page asks for its acts; whom an act
-- was done to, nobody asks. The rows go with their event, the act stays.
CREATE TABLE IF NOT EXISTS ${audit_event} (
  event_id VARCHAR(36) NOT NULL,
  audit_id BIGINT      NOT NULL,
  PRIMARY KEY (event_id, audit_id)
);
