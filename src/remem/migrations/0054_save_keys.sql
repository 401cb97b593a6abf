-- Keys that clients send with a save, so that a repeated request saves nothing twice, even if the
-- document was changed or deleted meanwhile.
CREATE TABLE save_keys (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  user_id uuid NOT NULL,
  key text NOT NULL,
  document_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, user_id, key),
  CONSTRAINT save_keys_key_check CHECK (length(key) BETWEEN 1 AND 200),
  CONSTRAINT save_keys_moments CHECK (in_calendar(created_at, created_at))
);
CREATE INDEX save_keys_age ON save_keys (tenant_id, user_id, created_at);
ALTER TABLE save_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE save_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON save_keys USING (tenant_id = (SELECT bound_tenant()));
