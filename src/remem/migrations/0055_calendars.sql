-- Secret addresses at which calendar programs read what is due.
CREATE TABLE calendars (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  project_id uuid,
  name text NOT NULL,
  hash text NOT NULL UNIQUE,
  expires_at timestamptz,
  last_read_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT calendars_name_check CHECK (length(name) BETWEEN 1 AND 100),
  CONSTRAINT calendars_moments CHECK (in_calendar(least(created_at, expires_at, last_read_at),
    greatest(created_at, expires_at, last_read_at)))
);
CREATE INDEX calendars_user ON calendars (tenant_id, user_id);
ALTER TABLE calendars ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendars FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON calendars USING (tenant_id = (SELECT bound_tenant()));
CREATE POLICY own_secret ON calendars FOR SELECT USING (hash = (SELECT bound_secret()));
