-- A plan counts the current memories, not the versions that they replaced. A job that the plan's
-- limit stopped runs again when there is room.

ALTER TABLE jobs ADD COLUMN waits_for_room boolean NOT NULL DEFAULT false;
CREATE INDEX jobs_waiting_for_room ON jobs (tenant_id) WHERE waits_for_room;

CREATE OR REPLACE FUNCTION count_memories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE subscriptions s SET memory_count = memory_count + n.number
    FROM (SELECT tenant_id, count(*) AS number FROM made WHERE is_current AND deleted_at IS NULL
      GROUP BY tenant_id) n
    WHERE s.tenant_id = n.tenant_id;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE subscriptions s SET memory_count = memory_count - n.number
    FROM (SELECT tenant_id, count(*) AS number FROM gone WHERE is_current AND deleted_at IS NULL
      GROUP BY tenant_id) n
    WHERE s.tenant_id = n.tenant_id;
  ELSE
    UPDATE subscriptions SET memory_count = memory_count
      + CASE WHEN NEW.is_current AND NEW.deleted_at IS NULL THEN 1 ELSE -1 END
    WHERE tenant_id = NEW.tenant_id;
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER memories_hidden ON memories;
CREATE TRIGGER memories_hidden AFTER UPDATE OF is_current, deleted_at ON memories FOR EACH ROW
  WHEN ((OLD.is_current AND OLD.deleted_at IS NULL)
    <> (NEW.is_current AND NEW.deleted_at IS NULL))
  EXECUTE FUNCTION count_memories();

-- The owner of the tables must see every row for once.
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE subscriptions NO FORCE ROW LEVEL SECURITY;
UPDATE subscriptions s SET memory_count = (SELECT count(*) FROM memories m
  WHERE m.tenant_id = s.tenant_id AND m.is_current AND m.deleted_at IS NULL);
ALTER TABLE subscriptions FORCE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
