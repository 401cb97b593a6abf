-- Vectors may also be in an index outside PostgreSQL, such as Qdrant. What changes is written down
-- in the transaction that changes it, and carried there afterwards.

-- The index that is kept up to date; `filled_at` says since when it has everything.
CREATE TABLE vector_copies (
  name text PRIMARY KEY CHECK (length(name) <= 500),
  filled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT vector_copies_moments CHECK (in_calendar(least(created_at, filled_at),
    greatest(created_at, filled_at)))
);

-- Vectors that were made, changed or removed since. No foreign key: it outlives what it names.
CREATE TABLE vector_changes (
  tenant_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  owner_kind text NOT NULL CHECK (owner_kind IN ('chunk', 'memory')),
  owner_id uuid NOT NULL,
  model text NOT NULL,
  dimensions integer NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
ALTER TABLE vector_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE vector_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON vector_changes USING (tenant_id = (SELECT bound_tenant()));

-- Tenants that are gone, until that index has nothing of theirs either.
CREATE TABLE erased_tenants (
  id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT erased_tenants_moments CHECK (in_calendar(created_at, created_at))
);

CREATE FUNCTION note_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM vector_copies) THEN
    INSERT INTO vector_changes (tenant_id, owner_kind, owner_id, model, dimensions)
      SELECT tenant_id, owner_kind, owner_id, model, vector_dims(vector) FROM changed;
    IF FOUND THEN
      PERFORM set_config('remem.vectors_changed', 'on', true);
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER embeddings_made AFTER INSERT ON embeddings REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_vectors();
CREATE TRIGGER embeddings_changed AFTER UPDATE ON embeddings REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_vectors();
CREATE TRIGGER embeddings_gone AFTER DELETE ON embeddings REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_vectors();

-- What filters compare is beside the vector there, so it changes with the row.
CREATE FUNCTION note_described() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM vector_copies) THEN
    RETURN NULL;
  END IF;
  -- The process that commits reads this, and carries the changes.
  PERFORM set_config('remem.vectors_changed', 'on', true);
  IF TG_TABLE_NAME = 'documents' THEN
    INSERT INTO vector_changes (tenant_id, owner_kind, owner_id, model, dimensions)
      SELECT e.tenant_id, e.owner_kind, e.owner_id, e.model, vector_dims(e.vector)
      FROM embeddings e WHERE e.tenant_id = NEW.tenant_id AND (
        (e.owner_kind = 'chunk' AND e.owner_id IN (SELECT c.id FROM chunks c
          WHERE c.tenant_id = NEW.tenant_id AND c.document_id = NEW.id))
        OR (e.owner_kind = 'memory' AND e.owner_id IN (SELECT m.id FROM memories m
          WHERE m.tenant_id = NEW.tenant_id AND m.document_id = NEW.id)));
    RETURN NULL;
  END IF;
  INSERT INTO vector_changes (tenant_id, owner_kind, owner_id, model, dimensions)
    SELECT e.tenant_id, e.owner_kind, e.owner_id, e.model, vector_dims(e.vector)
    FROM embeddings e WHERE e.tenant_id = NEW.tenant_id AND e.owner_id = NEW.id
      AND e.owner_kind = CASE TG_TABLE_NAME WHEN 'chunks' THEN 'chunk' ELSE 'memory' END;
  RETURN NULL;
END $$;
CREATE TRIGGER documents_described
  AFTER UPDATE OF title, content_type, source_url, metadata, tags, created_at ON documents
  FOR EACH ROW WHEN ((OLD.title, OLD.content_type, OLD.source_url, OLD.metadata, OLD.tags,
    OLD.created_at) IS DISTINCT FROM (NEW.title, NEW.content_type, NEW.source_url, NEW.metadata,
    NEW.tags, NEW.created_at)) EXECUTE FUNCTION note_described();
CREATE TRIGGER chunks_described AFTER UPDATE OF content, said_at ON chunks
  FOR EACH ROW WHEN ((OLD.content, OLD.said_at) IS DISTINCT FROM (NEW.content, NEW.said_at))
  EXECUTE FUNCTION note_described();
CREATE TRIGGER memories_described AFTER UPDATE OF title, content, category, context, tags,
    document_id, occurred_at, said_at, created_at ON memories
  FOR EACH ROW WHEN ((OLD.title, OLD.content, OLD.category, OLD.context, OLD.tags,
    OLD.document_id, OLD.occurred_at, OLD.said_at, OLD.created_at) IS DISTINCT FROM (NEW.title,
    NEW.content, NEW.category, NEW.context, NEW.tags, NEW.document_id, NEW.occurred_at,
    NEW.said_at, NEW.created_at)) EXECUTE FUNCTION note_described();

CREATE FUNCTION note_erased_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM vector_copies) THEN
    INSERT INTO erased_tenants (id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  END IF;
  DELETE FROM vector_changes WHERE tenant_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER tenants_erased AFTER DELETE ON tenants FOR EACH ROW
  EXECUTE FUNCTION note_erased_tenant();
