-- Memories in use: known by their content, counted by the database, and gone with their links.

-- No door let a memory in before this, so there is no row without a hash.
ALTER TABLE memories
  ADD COLUMN content_hash text NOT NULL,
  ADD CONSTRAINT memories_superseded CHECK (is_current = (state <> 'superseded'));
CREATE UNIQUE INDEX memories_same ON memories (tenant_id, project_id, content_hash)
  WHERE is_current AND deleted_at IS NULL AND state = 'active';
DROP INDEX memories_recent;
CREATE INDEX memories_recent ON memories (tenant_id, project_id, created_at DESC, id DESC)
  WHERE is_current AND deleted_at IS NULL;
CREATE INDEX memories_newest ON memories (tenant_id, created_at DESC, id DESC)
  WHERE is_current AND deleted_at IS NULL;
CREATE INDEX memories_timeline ON memories
  (tenant_id, (coalesce(occurred_at, created_at)) DESC, id DESC)
  WHERE is_current AND deleted_at IS NULL;
DROP INDEX memories_due;
CREATE INDEX memories_due ON memories (tenant_id, due_at, id)
  WHERE due_at IS NOT NULL AND is_current AND deleted_at IS NULL;
CREATE INDEX memories_project ON memories (tenant_id, project_id);
CREATE INDEX memories_tags ON memories USING gin (tags);

-- The database counts, so that memories which go with their project are counted off as well.
CREATE FUNCTION count_memories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE subscriptions s SET memory_count = memory_count + n.number
    FROM (SELECT tenant_id, count(*) AS number FROM made WHERE deleted_at IS NULL
      GROUP BY tenant_id) n
    WHERE s.tenant_id = n.tenant_id;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE subscriptions s SET memory_count = memory_count - n.number
    FROM (SELECT tenant_id, count(*) AS number FROM gone WHERE deleted_at IS NULL
      GROUP BY tenant_id) n
    WHERE s.tenant_id = n.tenant_id;
  ELSE
    UPDATE subscriptions
    SET memory_count = memory_count + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END
    WHERE tenant_id = NEW.tenant_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER memories_made AFTER INSERT ON memories REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION count_memories();
CREATE TRIGGER memories_gone AFTER DELETE ON memories REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_memories();
CREATE TRIGGER memories_hidden AFTER UPDATE OF deleted_at ON memories FOR EACH ROW
  WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
  EXECUTE FUNCTION count_memories();

-- A link has ends of several kinds, so no foreign key can take it along.
CREATE FUNCTION unlink_memories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM links l USING gone WHERE l.tenant_id = gone.tenant_id
    AND l.from_kind = 'memory' AND l.from_id = gone.id;
  DELETE FROM links l USING gone WHERE l.tenant_id = gone.tenant_id
    AND l.to_kind = 'memory' AND l.to_id = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER memories_unlinked AFTER DELETE ON memories REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION unlink_memories();
