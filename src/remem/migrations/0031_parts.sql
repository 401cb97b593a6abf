-- The parts of a memory that says several things are inside it: they are listed with it, and found
-- nowhere by themselves. Those that have a day to be done by are listed among what is due.
ALTER TABLE memories
  ADD COLUMN part_of uuid,
  ADD FOREIGN KEY (tenant_id, part_of) REFERENCES memories (tenant_id, id) ON DELETE CASCADE;
CREATE INDEX memories_parts ON memories (tenant_id, part_of) WHERE part_of IS NOT NULL;

-- The owner of the tables must see every row for once.
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE postings NO FORCE ROW LEVEL SECURITY;
ALTER TABLE embeddings NO FORCE ROW LEVEL SECURITY;
ALTER TABLE links NO FORCE ROW LEVEL SECURITY;
UPDATE memories p SET part_of = w.id, embedded_with = NULL, embedded_hash = NULL
  FROM memories w
  WHERE p.source = 'derive' AND p.category <> 'insight' AND p.root_id = p.id AND p.is_current
    AND p.context ->> 'review' = 'pending' AND p.evidence ->> 'memory_id' ~ '^[0-9a-f-]{36}$'
    AND w.tenant_id = p.tenant_id AND w.id = (p.evidence ->> 'memory_id')::uuid
    AND w.project_id = p.project_id;
DELETE FROM postings o USING memories p
  WHERE p.part_of IS NOT NULL AND o.tenant_id = p.tenant_id AND o.owner_kind = 'memory'
    AND o.owner_id = p.id;
DELETE FROM embeddings o USING memories p
  WHERE p.part_of IS NOT NULL AND o.tenant_id = p.tenant_id AND o.owner_kind = 'memory'
    AND o.owner_id = p.id;
DELETE FROM links l USING memories p
  WHERE p.part_of IS NOT NULL AND l.tenant_id = p.tenant_id AND l.from_kind = 'memory'
    AND l.from_id = p.id AND l.relation <> 'derives';
ALTER TABLE links FORCE ROW LEVEL SECURITY;
ALTER TABLE embeddings FORCE ROW LEVEL SECURITY;
ALTER TABLE postings FORCE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;

-- A part says what its whole says; another memory may say it as well.
DROP INDEX memories_same;
CREATE UNIQUE INDEX memories_same ON memories (tenant_id, project_id, content_hash)
  WHERE is_current AND deleted_at IS NULL AND state = 'active' AND part_of IS NULL;

-- What was taken apart or concluded is listed beside what was merged, and can be undone.
ALTER TABLE consolidations
  DROP CONSTRAINT consolidations_action_check,
  ADD CONSTRAINT consolidations_action_check
    CHECK (action IN ('merge', 'decay', 'promote', 'derive'));
