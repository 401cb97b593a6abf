-- Each tenant's vectors belong to one model. When another model of this machine takes its place,
-- they are re-embedded in the background and searched as they are until all of them are.
CREATE TABLE vector_models (
  tenant_id uuid PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
  model text NOT NULL,
  moving_to text CHECK (moving_to <> model),
  moved_at timestamptz,
  CONSTRAINT vector_models_moments CHECK (in_calendar(moved_at, moved_at))
);

-- The owner of the tables must see every row for once.
ALTER TABLE chunks NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
-- Until now there was one model of this machine.
INSERT INTO vector_models (tenant_id, model)
  SELECT tenant_id, 'all-MiniLM-L6-v2-int8' FROM (
    SELECT tenant_id FROM chunks WHERE embedded_with = 'all-MiniLM-L6-v2-int8'
    UNION SELECT tenant_id FROM memories WHERE embedded_with = 'all-MiniLM-L6-v2-int8') embedded;
ALTER TABLE chunks FORCE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
ALTER TABLE vector_models ENABLE ROW LEVEL SECURITY;
ALTER TABLE vector_models FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON vector_models USING (tenant_id = (SELECT bound_tenant()));
