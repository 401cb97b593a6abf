-- Tags and authors are indexed by word. A worker indexes those of documents saved before.
CREATE TABLE documents_to_index (
  tenant_id uuid NOT NULL,
  document_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, document_id),
  FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
);
-- The owner of the table must see every row for once.
ALTER TABLE documents NO FORCE ROW LEVEL SECURITY;
INSERT INTO documents_to_index (tenant_id, document_id)
  SELECT tenant_id, id FROM documents
  WHERE is_latest AND (tags <> '{}' OR metadata ->> 'author' <> '');
ALTER TABLE documents FORCE ROW LEVEL SECURITY;
ALTER TABLE documents_to_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents_to_index FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON documents_to_index USING (tenant_id = (SELECT bound_tenant()));
