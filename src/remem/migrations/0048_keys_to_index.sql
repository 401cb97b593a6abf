-- Forms of words share keys in the text index. A worker adds those of texts saved before, in the
-- order of their ids; a row says how far it is.
CREATE TABLE keys_to_index (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  owner_kind text NOT NULL CHECK (owner_kind IN ('chunk', 'memory')),
  done_until uuid NOT NULL,
  PRIMARY KEY (tenant_id, owner_kind)
);
-- The owner of the table must see every row for once.
ALTER TABLE text_totals NO FORCE ROW LEVEL SECURITY;
INSERT INTO keys_to_index (tenant_id, owner_kind, done_until)
  SELECT DISTINCT tenant_id, owner_kind, '00000000-0000-0000-0000-000000000000'::uuid
  FROM text_totals WHERE texts > 0;
ALTER TABLE text_totals FORCE ROW LEVEL SECURITY;
ALTER TABLE keys_to_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE keys_to_index FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON keys_to_index USING (tenant_id = (SELECT bound_tenant()));
