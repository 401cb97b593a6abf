-- The moments that were added after 0013 lie within the calendar too.
ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_expires_at_check CHECK (in_calendar(expires_at, expires_at));
ALTER TABLE sign_ins
  ADD CONSTRAINT sign_ins_key_expires_at_check CHECK (in_calendar(key_expires_at, key_expires_at));
ALTER TABLE memories
  ADD CONSTRAINT memories_stated_at_check CHECK (in_calendar(stated_at, stated_at));
