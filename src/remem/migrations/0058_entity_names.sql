-- What people say that names mean, which extraction obeys, and how to undo it.
CREATE TABLE entity_names (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  memory_id uuid,
  target_name text NOT NULL,
  target_normalized text NOT NULL,
  target_type text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE NULLS NOT DISTINCT (tenant_id, project_id, name, memory_id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT entity_names_name_check CHECK (length(name) BETWEEN 1 AND 200),
  CONSTRAINT entity_names_target_check CHECK (length(target_name) BETWEEN 1 AND 200
    AND length(target_normalized) BETWEEN 1 AND 200),
  CONSTRAINT entity_names_type_check CHECK (target_type IN
    ('person', 'organization', 'place', 'system', 'concept', 'technology', 'api', 'file',
     'event')),
  CONSTRAINT entity_names_moments CHECK (in_calendar(created_at, created_at))
);
CREATE INDEX entity_names_target ON entity_names (tenant_id, project_id, target_normalized);
ALTER TABLE entity_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE entity_names FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON entity_names USING (tenant_id = bound_tenant());

CREATE TABLE entity_edits (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  project_id uuid NOT NULL,
  kind text NOT NULL,
  summary text NOT NULL,
  entity_ids uuid[] NOT NULL,
  before jsonb NOT NULL,
  undone_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT entity_edits_kind_check CHECK (kind IN ('rename', 'merge', 'split')),
  CONSTRAINT entity_edits_moments CHECK (in_calendar(least(created_at, undone_at),
    greatest(created_at, undone_at)))
);
CREATE INDEX entity_edits_newest ON entity_edits (tenant_id, created_at DESC, id DESC);
ALTER TABLE entity_edits ENABLE ROW LEVEL SECURITY;
ALTER TABLE entity_edits FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON entity_edits USING (tenant_id = bound_tenant());
