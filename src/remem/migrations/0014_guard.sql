-- Keys can end by themselves. A session remembers, as a digest, the address it was opened from, so
-- that guessing from elsewhere does not keep its owner out, and when the key that opened it ends.
ALTER TABLE api_keys ADD COLUMN expires_at timestamptz;
ALTER TABLE sign_ins ADD COLUMN address text;
ALTER TABLE sign_ins ADD COLUMN key_expires_at timestamptz;
