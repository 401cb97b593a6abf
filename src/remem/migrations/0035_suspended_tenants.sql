-- A tenant that the operator has suspended: its rows stay, and nobody gets at them.
ALTER TABLE subscriptions ADD COLUMN suspended_at timestamptz,
  ADD CONSTRAINT subscriptions_suspended_at_check CHECK (in_calendar(suspended_at, suspended_at));
