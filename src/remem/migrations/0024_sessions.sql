-- Sessions are opened again by the name that their agent gives them, and belong to one person.
ALTER TABLE sessions
  ADD COLUMN key text,
  ADD COLUMN is_recorded boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT sessions_key_check CHECK (length(key) <= 200);
CREATE UNIQUE INDEX sessions_key ON sessions (tenant_id, user_id, key) WHERE key IS NOT NULL;
CREATE INDEX sessions_user ON sessions (tenant_id, user_id, created_at DESC, id DESC);

-- What a turn was made of. When that is deleted, the turn's words go with it.
CREATE TABLE turn_sources (
  tenant_id uuid NOT NULL,
  source_id uuid NOT NULL,
  turn_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, source_id, turn_id),
  FOREIGN KEY (tenant_id, turn_id) REFERENCES turns (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX turn_sources_turn ON turn_sources (tenant_id, turn_id);
ALTER TABLE turn_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE turn_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON turn_sources USING (tenant_id = (SELECT bound_tenant()));

CREATE FUNCTION note_turn_sources() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF jsonb_typeof(NEW.evidence -> 'used') IS DISTINCT FROM 'array' THEN
    RETURN NULL;
  END IF;
  INSERT INTO turn_sources (tenant_id, source_id, turn_id)
    SELECT DISTINCT NEW.tenant_id, used::uuid, NEW.id
    FROM jsonb_array_elements_text(NEW.evidence -> 'used') AS used
    WHERE used ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
  RETURN NULL;
END $$;
CREATE TRIGGER turns_sources AFTER INSERT ON turns FOR EACH ROW
  EXECUTE FUNCTION note_turn_sources();

CREATE FUNCTION erase_turns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    UPDATE turns t SET content = '', evidence = '{"erased": true}', updated_at = now()
      FROM turn_sources s WHERE s.tenant_id = NEW.tenant_id AND s.source_id = NEW.id
      AND t.tenant_id = s.tenant_id AND t.id = s.turn_id;
    RETURN NULL;
  END IF;
  UPDATE turns t SET content = '', evidence = '{"erased": true}', updated_at = now()
    FROM turn_sources s, gone WHERE s.tenant_id = gone.tenant_id AND s.source_id = gone.id
    AND t.tenant_id = s.tenant_id AND t.id = s.turn_id;
  RETURN NULL;
END $$;
CREATE TRIGGER memories_erase_turns AFTER DELETE ON memories REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION erase_turns();
CREATE TRIGGER documents_erase_turns AFTER DELETE ON documents REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION erase_turns();
CREATE TRIGGER chunks_erase_turns AFTER DELETE ON chunks REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION erase_turns();
CREATE TRIGGER memories_hide_turns AFTER UPDATE OF deleted_at ON memories FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION erase_turns();
