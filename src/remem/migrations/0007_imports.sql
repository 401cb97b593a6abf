-- What is being brought in: how far it has come, what was taken and what was left out.

CREATE TABLE imports (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  blob_key text,
  stage text NOT NULL DEFAULT 'queued'
    CHECK (stage IN ('queued', 'checking', 'loading', 'joining', 'done', 'failed')),
  place bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  total bigint NOT NULL,
  counts jsonb NOT NULL DEFAULT '{}',
  problems jsonb NOT NULL DEFAULT '[]',
  projects jsonb NOT NULL DEFAULT '{}',
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id)
);
ALTER TABLE imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE imports FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON imports USING (tenant_id = (SELECT bound_tenant()));
