-- Sentences that a person pins for their assistants: of one project, or everywhere.
CREATE TABLE standing_instructions (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  project_id uuid,
  content text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT standing_instructions_content_check CHECK (length(content) BETWEEN 1 AND 300),
  CONSTRAINT standing_instructions_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at)))
);
CREATE INDEX standing_instructions_user ON standing_instructions (tenant_id, user_id, project_id);
ALTER TABLE standing_instructions ENABLE ROW LEVEL SECURITY;
ALTER TABLE standing_instructions FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON standing_instructions USING (tenant_id = (SELECT bound_tenant()));
