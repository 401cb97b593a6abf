-- Under row-level security an index on what a function gives is not used, unless the function is
-- known to tell nothing to others. A column of its own is.
ALTER TABLE chunks
  ADD COLUMN voice text GENERATED ALWAYS AS (lower(split_part(speaker, ' ', 1))) STORED;
DROP INDEX chunks_speaker;
CREATE INDEX chunks_voice ON chunks (tenant_id, voice) WHERE voice IS NOT NULL;

-- Neither are these, for whether one list holds another.
DROP INDEX documents_tags;
DROP INDEX memories_tags;

-- In a project, a word's list is that project's part of it.
SET LOCAL maintenance_work_mem = '512MB';
DROP INDEX postings_project;
CREATE INDEX postings_project ON postings (tenant_id, project_id, term COLLATE "POSIX", owner_kind);
