-- A connection that comes with an import has no credential: its account is connected again.
ALTER TABLE connections ALTER COLUMN status SET DEFAULT 'needs_auth';
ALTER TABLE connections ALTER COLUMN error SET DEFAULT
  'This connection was imported without its credential; connect the account again.';

-- Consents that are under way at other services: found by the hash of their state, used once. What
-- is needed to finish one, and the verifier among it, is sealed.
CREATE TABLE connection_starts (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL CHECK (length(provider) <= 50),
  hash text NOT NULL UNIQUE,
  sealed bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT connection_starts_moments CHECK (in_calendar(
    least(created_at, updated_at, expires_at), greatest(created_at, updated_at, expires_at)))
);
CREATE INDEX connection_starts_user ON connection_starts (tenant_id, user_id);
ALTER TABLE connection_starts ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_starts FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON connection_starts USING (tenant_id = (SELECT bound_tenant()));
CREATE POLICY own_secret ON connection_starts FOR SELECT USING (hash = (SELECT bound_secret()));

-- The address a service calls when something has changed, by the hash of its random part. The
-- secret that its requests are signed with is sealed; `deliveries` are the last it sent.
CREATE TABLE connection_hooks (
  tenant_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  hash text NOT NULL UNIQUE,
  secret bytea NOT NULL,
  deliveries text[] NOT NULL DEFAULT '{}' CHECK (coalesce(array_ndims(deliveries), 1) = 1),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, connection_id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT connection_hooks_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at)))
);
ALTER TABLE connection_hooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_hooks FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON connection_hooks USING (tenant_id = (SELECT bound_tenant()));
CREATE POLICY own_secret ON connection_hooks FOR SELECT USING (hash = (SELECT bound_secret()));
