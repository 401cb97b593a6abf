-- Originals, the joints of their text, and what a document turned out to be a copy of.

ALTER TABLE documents
  ADD COLUMN marks jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN original_hash text,
  ADD COLUMN duplicate_of uuid;
CREATE UNIQUE INDEX documents_original ON documents (tenant_id, project_id, original_hash)
  WHERE is_latest AND original_hash IS NOT NULL;

ALTER TABLE chunks ADD COLUMN at_s real;

-- A blob whose document is gone is released; a job then removes its bytes and this row.
ALTER TABLE blobs
  ADD COLUMN name text,
  ADD COLUMN released_at timestamptz;
CREATE INDEX blobs_released ON blobs (tenant_id, released_at) WHERE released_at IS NOT NULL;
