-- A document that was deleted and can be restored, as rows that nothing searches, lists or exports.
CREATE TABLE deleted_rows (
  tenant_id uuid NOT NULL,
  deletion_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('document', 'chunk', 'memory', 'link')),
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  content jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, deletion_id, kind, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT deleted_rows_moments CHECK (in_calendar(least(created_at, updated_at, expires_at),
    greatest(created_at, updated_at, expires_at)))
);
CREATE INDEX deleted_rows_expires ON deleted_rows (tenant_id, expires_at);
CREATE INDEX deleted_rows_document ON deleted_rows (tenant_id, id) WHERE kind = 'document';
CREATE INDEX deleted_rows_project ON deleted_rows (tenant_id, project_id);
ALTER TABLE deleted_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE deleted_rows FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON deleted_rows USING (tenant_id = (SELECT bound_tenant()));
