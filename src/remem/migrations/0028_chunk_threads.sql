-- The session or conversation that a chunk belongs to.
ALTER TABLE chunks RENAME COLUMN strand TO thread_id;
ALTER INDEX chunks_strand RENAME TO chunks_thread;
-- The owner of a table sees all of its rows only while its policies are not forced.
ALTER TABLE deleted_rows NO FORCE ROW LEVEL SECURITY;
UPDATE deleted_rows
  SET content = (content - 'strand') || jsonb_build_object('thread_id', content->'strand')
  WHERE kind = 'chunk' AND content ? 'strand';
ALTER TABLE deleted_rows FORCE ROW LEVEL SECURITY;
