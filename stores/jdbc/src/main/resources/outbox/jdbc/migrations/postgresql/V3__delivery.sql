-- Which of several destinations have acknowledged an event that is not done everywhere yet. The rows go when it is.
CREATE TABLE IF NOT EXISTS ${delivery} (
  event_id        VARCHAR(36)  NOT NULL,
  -- The destination, and the place there if the event's route names one.
  target          VARCHAR(200) NOT NULL,
  acknowledged_at TIMESTAMPTZ  NOT NULL,
  PRIMARY KEY (event_id, target)
);
