-- Policies and triggers that work the same where the tables are distributed over several machines:
-- policies have no subqueries, and what a trigger changes is named by values.

DO $$
DECLARE
  owned text;
BEGIN
  FOR owned IN SELECT tablename FROM pg_policies WHERE schemaname = current_schema()
    AND policyname = 'bound_tenant' AND tablename <> 'tenants'
  LOOP
    EXECUTE format('ALTER POLICY bound_tenant ON %I USING (tenant_id = bound_tenant())', owned);
  END LOOP;
  FOR owned IN SELECT tablename FROM pg_policies WHERE schemaname = current_schema()
    AND policyname = 'own_secret'
  LOOP
    EXECUTE format('ALTER POLICY own_secret ON %I USING (hash = bound_secret())', owned);
  END LOOP;
END $$;
ALTER POLICY bound_tenant ON tenants USING (id = bound_tenant());
ALTER POLICY operator ON tenants USING (bound_operator());
ALTER POLICY own ON sign_ins USING (user_id = bound_user());
ALTER POLICY own ON members USING (user_id = bound_user());
CREATE FUNCTION is_bound_member(tenant uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE
  AS $$ BEGIN
    RETURN EXISTS (SELECT FROM members WHERE tenant_id = tenant AND user_id = bound_user());
  END $$;
ALTER POLICY own ON tenants USING (is_bound_member(id));

CREATE OR REPLACE FUNCTION count_memories() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  number bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR owner, number IN SELECT tenant_id, count(*) FROM made
      WHERE is_current AND deleted_at IS NULL GROUP BY tenant_id
    LOOP
      UPDATE subscriptions SET memory_count = memory_count + number WHERE tenant_id = owner;
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    FOR owner, number IN SELECT tenant_id, count(*) FROM gone
      WHERE is_current AND deleted_at IS NULL GROUP BY tenant_id
    LOOP
      UPDATE subscriptions SET memory_count = memory_count - number WHERE tenant_id = owner;
    END LOOP;
  ELSE
    number := CASE WHEN NEW.is_current AND NEW.deleted_at IS NULL THEN 1 ELSE -1 END;
    UPDATE subscriptions SET memory_count = memory_count + number WHERE tenant_id = NEW.tenant_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION erase_turns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  sources uuid[];
  moment timestamptz := now();
BEGIN
  IF TG_OP = 'UPDATE' THEN
    UPDATE turns SET content = '', evidence = '{"erased": true}', updated_at = moment
      WHERE tenant_id = NEW.tenant_id AND id IN (SELECT turn_id FROM turn_sources
        WHERE tenant_id = NEW.tenant_id AND source_id = NEW.id);
    RETURN NULL;
  END IF;
  FOR owner, sources IN SELECT tenant_id, array_agg(id) FROM gone GROUP BY tenant_id LOOP
    UPDATE turns SET content = '', evidence = '{"erased": true}', updated_at = moment
      WHERE tenant_id = owner AND id IN (SELECT turn_id FROM turn_sources
        WHERE tenant_id = owner AND source_id = ANY(sources));
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION unlink_memories() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  ids uuid[];
BEGIN
  FOR owner, ids IN SELECT tenant_id, array_agg(id) FROM gone GROUP BY tenant_id LOOP
    DELETE FROM links WHERE tenant_id = owner AND from_kind = 'memory' AND from_id = ANY(ids);
    DELETE FROM links WHERE tenant_id = owner AND to_kind = 'memory' AND to_id = ANY(ids);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_mentions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  ids uuid[];
  named uuid[];
  numbers bigint[];
  sources uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR owner IN SELECT DISTINCT tenant_id FROM made
      WHERE relation = 'mentions' AND to_kind = 'entity'
    LOOP
      SELECT array_agg(n.to_id), array_agg(n.number) INTO named, numbers
        FROM (SELECT to_id, count(*) AS number FROM made WHERE tenant_id = owner
          AND relation = 'mentions' AND to_kind = 'entity' GROUP BY to_id) n;
      UPDATE entities e SET mention_count = mention_count + n.number
        FROM unnest(named, numbers) AS n (id, number) WHERE e.tenant_id = owner AND e.id = n.id;
      -- Who erases one of these memories waits, and then finds its mentions; where somebody was
      -- first, this waits, and the statement after it finds no memory.
      SELECT array_agg(from_id) INTO sources FROM made WHERE tenant_id = owner
        AND relation = 'mentions' AND from_kind = 'memory';
      PERFORM FROM memories WHERE tenant_id = owner AND id = ANY(sources) FOR KEY SHARE;
      SELECT array_agg(id) INTO ids FROM made WHERE tenant_id = owner
        AND relation = 'mentions' AND to_kind = 'entity';
      DELETE FROM links l WHERE l.tenant_id = owner AND l.id = ANY(ids)
        AND (NOT EXISTS (SELECT FROM entities e WHERE e.tenant_id = owner AND e.id = l.to_id)
          OR l.from_kind = 'memory' AND NOT EXISTS (SELECT FROM memories m
            WHERE m.tenant_id = owner AND m.id = l.from_id AND m.is_current
              AND m.state = 'active' AND m.deleted_at IS NULL AND m.part_of IS NULL));
    END LOOP;
    RETURN NULL;
  END IF;
  FOR owner IN SELECT DISTINCT tenant_id FROM gone
    WHERE relation = 'mentions' AND to_kind = 'entity'
  LOOP
    SELECT array_agg(n.to_id), array_agg(n.number) INTO named, numbers
      FROM (SELECT to_id, count(*) AS number FROM gone WHERE tenant_id = owner
        AND relation = 'mentions' AND to_kind = 'entity' GROUP BY to_id) n;
    UPDATE entities e SET mention_count = mention_count - n.number
      FROM unnest(named, numbers) AS n (id, number) WHERE e.tenant_id = owner AND e.id = n.id;
    DELETE FROM entities e WHERE e.tenant_id = owner AND e.id = ANY(named)
      AND NOT EXISTS (SELECT FROM links l WHERE l.tenant_id = owner
        AND l.to_kind = 'entity' AND l.to_id = e.id AND l.relation = 'mentions');
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION unlink_entities() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  ids uuid[];
BEGIN
  FOR owner, ids IN SELECT tenant_id, array_agg(id) FROM gone GROUP BY tenant_id LOOP
    DELETE FROM links WHERE tenant_id = owner AND from_kind = 'entity' AND from_id = ANY(ids);
    DELETE FROM links WHERE tenant_id = owner AND to_kind = 'entity' AND to_id = ANY(ids);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  kinds text[];
  ids uuid[];
  models text[];
  sizes integer[];
BEGIN
  IF NOT EXISTS (SELECT FROM vector_copies) THEN
    RETURN NULL;
  END IF;
  FOR owner, kinds, ids, models, sizes IN SELECT tenant_id, array_agg(owner_kind),
    array_agg(owner_id), array_agg(model), array_agg(vector_dims(vector))
    FROM changed GROUP BY tenant_id
  LOOP
    INSERT INTO vector_changes (tenant_id, owner_kind, owner_id, model, dimensions)
      SELECT owner, c.* FROM unnest(kinds, ids, models, sizes) AS c;
    PERFORM set_config('remem.vectors_changed', 'on', true);
  END LOOP;
  RETURN NULL;
END $$;

-- For where a foreign key cannot set what refers to a deleted row to null.
CREATE FUNCTION clear_references() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  ids uuid[];
BEGIN
  FOR owner, ids IN SELECT tenant_id, array_agg(id) FROM gone GROUP BY tenant_id LOOP
    EXECUTE format('UPDATE %1$I SET %2$I = NULL WHERE tenant_id = $1 AND %2$I = ANY($2)',
      TG_ARGV[0], TG_ARGV[1]) USING owner, ids;
  END LOOP;
  RETURN NULL;
END $$;
