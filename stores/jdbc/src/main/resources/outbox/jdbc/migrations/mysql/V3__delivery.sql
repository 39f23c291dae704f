-- Which of several destinations have acknowledged an event that is not done everywhere yet. The rows go when it is.
CREATE TABLE IF NOT EXISTS ${delivery} (
  event_id        VARCHAR(36)  NOT NULL,
  -- The destination, and the place there if the event's route names one.
  target          VARCHAR(200) NOT NULL,
  acknowledged_at DATETIME(6)  NOT NULL,
  PRIMARY KEY (event_id, target)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;
