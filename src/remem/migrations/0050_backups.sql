-- The nightly backups of the whole store, and those that failed. No tenant's data: only when, how
-- large, and what was wrong.
CREATE TABLE backups (
  made_at timestamptz PRIMARY KEY,
  bytes bigint,
  error text,
  CONSTRAINT backups_moments CHECK (in_calendar(made_at, made_at))
);
