-- What a process knows about keys and suspended tenants is right for one version of this row, which
-- changes when a key is revoked, changed or deleted, or a tenant gets another plan or is suspended.
-- It is random, so that no version is used twice, not even after a restore.
CREATE TABLE access_version (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  version uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO access_version DEFAULT VALUES;

CREATE FUNCTION renew_access_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE access_version SET version = gen_random_uuid();
  RETURN NULL;
END $$;
-- At the end of the transaction, so that nobody waits for a row that a long one has changed.
CREATE CONSTRAINT TRIGGER api_keys_changed AFTER UPDATE OF scopes, revoked_at, expires_at ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.scopes, OLD.revoked_at, OLD.expires_at)
    IS DISTINCT FROM (NEW.scopes, NEW.revoked_at, NEW.expires_at))
  EXECUTE FUNCTION renew_access_version();
CREATE CONSTRAINT TRIGGER api_keys_deleted AFTER DELETE ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION renew_access_version();
CREATE CONSTRAINT TRIGGER subscriptions_changed
  AFTER UPDATE OF plan, memory_limit, suspended_at ON subscriptions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.plan, OLD.memory_limit, OLD.suspended_at)
    IS DISTINCT FROM (NEW.plan, NEW.memory_limit, NEW.suspended_at))
  EXECUTE FUNCTION renew_access_version();
