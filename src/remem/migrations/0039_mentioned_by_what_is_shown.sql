-- A mention is of a memory that is shown and of an entity that is there; an entity goes with its
-- last mention, whatever its count says.

CREATE OR REPLACE FUNCTION count_mentions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM made WHERE relation = 'mentions' AND to_kind = 'entity') THEN
      RETURN NULL;
    END IF;
    UPDATE entities e SET mention_count = mention_count + n.number
    FROM (SELECT tenant_id, to_id, count(*) AS number FROM made
      WHERE relation = 'mentions' AND to_kind = 'entity' GROUP BY tenant_id, to_id) n
    WHERE e.tenant_id = n.tenant_id AND e.id = n.to_id;
    -- Who erases one of these memories waits, and then finds its mentions; where somebody was
    -- first, this waits, and the statement after it finds no memory.
    PERFORM FROM memories m JOIN made ON m.tenant_id = made.tenant_id AND m.id = made.from_id
      WHERE made.relation = 'mentions' AND made.from_kind = 'memory' FOR KEY SHARE OF m;
    DELETE FROM links l USING made WHERE l.tenant_id = made.tenant_id AND l.id = made.id
      AND made.relation = 'mentions' AND made.to_kind = 'entity'
      AND (NOT EXISTS (SELECT FROM entities e
          WHERE e.tenant_id = made.tenant_id AND e.id = made.to_id)
        OR made.from_kind = 'memory' AND NOT EXISTS (SELECT FROM memories m
          WHERE m.tenant_id = made.tenant_id AND m.id = made.from_id AND m.is_current
            AND m.state = 'active' AND m.deleted_at IS NULL AND m.part_of IS NULL));
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
    AND gone.relation = 'mentions' AND gone.to_kind = 'entity'
    AND NOT EXISTS (SELECT FROM links l WHERE l.tenant_id = e.tenant_id
      AND l.to_kind = 'entity' AND l.to_id = e.id AND l.relation = 'mentions');
  RETURN NULL;
END $$;

CREATE FUNCTION unmention_hidden() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM links WHERE tenant_id = NEW.tenant_id AND from_kind = 'memory'
    AND from_id = NEW.id AND to_kind = 'entity' AND relation = 'mentions';
  RETURN NULL;
END $$;
CREATE TRIGGER memories_unmentioned AFTER UPDATE OF is_current, state, deleted_at, part_of
  ON memories FOR EACH ROW
  WHEN (NOT NEW.is_current OR NEW.state <> 'active' OR NEW.deleted_at IS NOT NULL
    OR NEW.part_of IS NOT NULL)
  EXECUTE FUNCTION unmention_hidden();

-- The owner of the tables must see every row for once.
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE links NO FORCE ROW LEVEL SECURITY;
ALTER TABLE entities NO FORCE ROW LEVEL SECURITY;

-- 0031 took links away while the counts of their entities could not be seen.
DELETE FROM links l WHERE l.relation = 'mentions' AND l.to_kind = 'entity'
  AND (NOT EXISTS (SELECT FROM entities e WHERE e.tenant_id = l.tenant_id AND e.id = l.to_id)
    OR l.from_kind = 'memory' AND NOT EXISTS (SELECT FROM memories m
      WHERE m.tenant_id = l.tenant_id AND m.id = l.from_id AND m.is_current
        AND m.state = 'active' AND m.deleted_at IS NULL AND m.part_of IS NULL));
DELETE FROM entities e WHERE NOT EXISTS (SELECT FROM links l WHERE l.tenant_id = e.tenant_id
  AND l.to_kind = 'entity' AND l.to_id = e.id AND l.relation = 'mentions');
UPDATE entities e SET mention_count = n.number
  FROM (SELECT tenant_id, to_id, count(*) AS number FROM links
    WHERE relation = 'mentions' AND to_kind = 'entity' GROUP BY tenant_id, to_id) n
  WHERE e.tenant_id = n.tenant_id AND e.id = n.to_id AND e.mention_count <> n.number;
ALTER TABLE entities FORCE ROW LEVEL SECURITY;
ALTER TABLE links FORCE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
