-- Entities in use: found by their name, counted by the database, gone when nobody mentions them.

CREATE INDEX entities_name ON entities (tenant_id, project_id, (name_normalized COLLATE "C"));
CREATE INDEX memories_expiring ON memories (tenant_id, valid_until)
  WHERE valid_until IS NOT NULL AND is_current AND deleted_at IS NULL;

-- The database counts, so that mentions which go with their memory are counted off as well.
CREATE FUNCTION count_mentions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE entities e SET mention_count = mention_count + n.number
    FROM (SELECT tenant_id, to_id, count(*) AS number FROM made
      WHERE relation = 'mentions' AND to_kind = 'entity' GROUP BY tenant_id, to_id) n
    WHERE e.tenant_id = n.tenant_id AND e.id = n.to_id;
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM gone WHERE relation = 'mentions' AND to_kind = 'entity') THEN
    RETURN NULL;
  END IF;
  UPDATE entities e SET mention_count = mention_count - n.number
  FROM (SELECT tenant_id, to_id, count(*) AS number FROM gone
    WHERE relation = 'mentions' AND to_kind = 'entity' GROUP BY tenant_id, to_id) n
  WHERE e.tenant_id = n.tenant_id AND e.id = n.to_id;
  DELETE FROM entities e USING gone WHERE e.tenant_id = gone.tenant_id AND e.id = gone.to_id
    AND gone.relation = 'mentions' AND gone.to_kind = 'entity' AND e.mention_count <= 0;
  RETURN NULL;
END $$;
CREATE TRIGGER links_made AFTER INSERT ON links REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION count_mentions();
CREATE TRIGGER links_gone AFTER DELETE ON links REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_mentions();

CREATE FUNCTION unlink_entities() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM gone) THEN
    RETURN NULL;
  END IF;
  DELETE FROM links l USING gone WHERE l.tenant_id = gone.tenant_id
    AND l.from_kind = 'entity' AND l.from_id = gone.id;
  DELETE FROM links l USING gone WHERE l.tenant_id = gone.tenant_id
    AND l.to_kind = 'entity' AND l.to_id = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER entities_unlinked AFTER DELETE ON entities REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION unlink_entities();
