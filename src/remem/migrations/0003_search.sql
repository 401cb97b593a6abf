-- What search ranks by: who said a chunk and when, where it stands among what was said with it,
-- whether it asks and whether it tells a time.

ALTER TABLE chunks
  ADD COLUMN speaker text,
  ADD COLUMN said_at timestamptz,
  ADD COLUMN strand uuid,
  ADD COLUMN place integer,
  ADD COLUMN asks real NOT NULL DEFAULT 0,
  ADD COLUMN tells_time boolean NOT NULL DEFAULT false;

CREATE INDEX chunks_speaker ON chunks (tenant_id, lower(split_part(speaker, ' ', 1)))
  WHERE speaker IS NOT NULL;
CREATE INDEX chunks_said ON chunks (tenant_id, said_at) WHERE said_at IS NOT NULL;
CREATE INDEX chunks_strand ON chunks (tenant_id, strand, place) WHERE strand IS NOT NULL;

-- Terms are compared byte by byte: it is faster, and a prefix is then a range.
ALTER TABLE postings ALTER COLUMN term TYPE text COLLATE "C";
