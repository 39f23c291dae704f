-- What operators need. The event table stays as it is, so this costs no relay anything.

-- What an event carried before an operator changed it for the first time. The row goes with its event.
CREATE TABLE IF NOT EXISTS ${original} (
  event_id      VARCHAR(36) NOT NULL PRIMARY KEY,
  payload       MEDIUMTEXT,
  payload_bytes MEDIUMBLOB,
  headers       MEDIUMTEXT,
  changed_at    DATETIME(6) NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- Which events an act of the audit was done to. By event first, because an event's page asks for its acts; whom an act
-- was done to, nobody asks. The rows go with their event, the act stays.
CREATE TABLE IF NOT EXISTS ${audit_event} (
  event_id VARCHAR(36) NOT NULL,
  audit_id BIGINT      NOT NULL,
  PRIMARY KEY (event_id, audit_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
