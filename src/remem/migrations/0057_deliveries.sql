-- Where the morning page is sent, and what became of each message.
CREATE TABLE deliveries (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  channel text NOT NULL,
  shown text NOT NULL,
  target bytea NOT NULL,
  page_url text NOT NULL,
  minute integer NOT NULL,
  time_zone text NOT NULL,
  is_on boolean NOT NULL DEFAULT true,
  confirm_tries integer NOT NULL DEFAULT 0,
  confirmed_at timestamptz,
  next_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT deliveries_channel_check CHECK (channel IN ('mail', 'ntfy', 'webhook')),
  CONSTRAINT deliveries_minute_check CHECK (minute BETWEEN 0 AND 1439),
  CONSTRAINT deliveries_moments CHECK (in_calendar(
    least(created_at, updated_at, confirmed_at, next_at, expires_at),
    greatest(created_at, updated_at, confirmed_at, next_at, expires_at)))
);
CREATE INDEX deliveries_user ON deliveries (tenant_id, user_id);
CREATE INDEX deliveries_due ON deliveries (tenant_id, next_at) WHERE is_on;
ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON deliveries USING (tenant_id = bound_tenant());

CREATE TABLE delivery_messages (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  kind text NOT NULL,
  day date,
  status text NOT NULL DEFAULT 'waiting',
  attempts integer NOT NULL DEFAULT 0,
  reason text,
  next_try_at timestamptz,
  lease_until timestamptz,
  handed_over_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, delivery_id) REFERENCES deliveries (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT delivery_messages_kind_check CHECK (kind IN ('morning', 'test', 'code')),
  CONSTRAINT delivery_messages_status_check CHECK (status IN
    ('waiting', 'sending', 'sent', 'nothing', 'failed', 'unclear')),
  CONSTRAINT delivery_messages_day_check CHECK ((kind = 'morning') = (day IS NOT NULL)),
  CONSTRAINT delivery_messages_moments CHECK (in_calendar(
    least(created_at, next_try_at, lease_until, handed_over_at, ended_at),
    greatest(created_at, next_try_at, lease_until, handed_over_at, ended_at)))
);
-- One morning page a day.
CREATE UNIQUE INDEX delivery_messages_day ON delivery_messages (tenant_id, delivery_id, day)
  WHERE kind = 'morning';
CREATE INDEX delivery_messages_newest
  ON delivery_messages (tenant_id, delivery_id, created_at DESC, id DESC);
CREATE INDEX delivery_messages_open ON delivery_messages (tenant_id, created_at)
  WHERE status IN ('waiting', 'sending');
ALTER TABLE delivery_messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_messages FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON delivery_messages USING (tenant_id = bound_tenant());
