-- A file with the text of a document, but with other bytes, is a copy that keeps its original, and is
-- recognised when it is saved again.

CREATE INDEX documents_copies ON documents (tenant_id, original_hash)
  WHERE duplicate_of IS NOT NULL AND blob_key IS NOT NULL;
