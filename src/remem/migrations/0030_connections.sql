-- Accounts elsewhere that are read again and again. A token is sealed; a cursor says how far the
-- last sync came. Who syncs a connection has it locked for a while.
CREATE TABLE connections (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  project_id uuid NOT NULL,
  provider text NOT NULL CHECK (length(provider) <= 50),
  account_key text NOT NULL CHECK (length(account_key) <= 2048),
  account text NOT NULL CHECK (length(account) <= 500),
  token bytea,
  settings jsonb NOT NULL DEFAULT '{}' CHECK (is_plain_object(settings)),
  chosen text[] NOT NULL DEFAULT '{}' CHECK (coalesce(array_ndims(chosen), 1) = 1),
  is_walk_due boolean NOT NULL DEFAULT false,
  cursor jsonb NOT NULL DEFAULT '{}' CHECK (is_plain_object(cursor)),
  status text NOT NULL CHECK (status IN
    ('choosing', 'active', 'paused', 'needs_auth', 'failing', 'removing')),
  error text,
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  failing_since timestamptz,
  interval_s integer NOT NULL CHECK (interval_s BETWEEN 300 AND 604800),
  next_at timestamptz,
  last_synced_at timestamptz,
  locked_by uuid,
  locked_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, provider, account_key),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT connections_moments CHECK (in_calendar(
    least(created_at, updated_at, failing_since, next_at, last_synced_at, locked_until),
    greatest(created_at, updated_at, failing_since, next_at, last_synced_at, locked_until)))
);
CREATE INDEX connections_due ON connections (tenant_id, next_at)
  WHERE status IN ('active', 'failing');
CREATE INDEX connections_project ON connections (tenant_id, project_id);
CREATE INDEX connections_user ON connections (tenant_id, user_id);
ALTER TABLE connections ENABLE ROW LEVEL SECURITY;
ALTER TABLE connections FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON connections USING (tenant_id = (SELECT bound_tenant()));

-- What a connection has, and the document each item is here. Documents are many items' to share:
-- the same text is one document. `pending_id` is that of a document that is about to be saved.
CREATE TABLE connection_items (
  tenant_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  reference text NOT NULL CHECK (length(reference) <= 4096),
  revision text,
  document_id uuid,
  pending_id uuid,
  walk integer NOT NULL DEFAULT 0,
  path text,
  problem text,
  hidden_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, connection_id, reference),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT connection_items_moments CHECK (in_calendar(least(created_at, updated_at, hidden_at),
    greatest(created_at, updated_at, hidden_at)))
);
CREATE INDEX connection_items_document ON connection_items (tenant_id, document_id);
CREATE INDEX connection_items_pending ON connection_items (tenant_id, pending_id)
  WHERE pending_id IS NOT NULL;
CREATE INDEX connection_items_walk ON connection_items (tenant_id, connection_id, walk);
ALTER TABLE connection_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_items FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON connection_items USING (tenant_id = (SELECT bound_tenant()));

CREATE TABLE connection_runs (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  connection_id uuid NOT NULL,
  trigger text NOT NULL CHECK (trigger IN ('clock', 'webhook', 'person')),
  outcome text CHECK (outcome IN ('done', 'failed', 'needs_auth', 'rate_limited', 'stopped')),
  error text,
  added integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  deleted integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  errors jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(errors) = 'array'),
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT connection_runs_moments CHECK (in_calendar(least(started_at, ended_at),
    greatest(started_at, ended_at)))
);
CREATE INDEX connection_runs_latest ON connection_runs (tenant_id, connection_id, started_at DESC);
CREATE UNIQUE INDEX connection_runs_open ON connection_runs (tenant_id, connection_id)
  WHERE ended_at IS NULL;
ALTER TABLE connection_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_runs FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON connection_runs USING (tenant_id = (SELECT bound_tenant()));
