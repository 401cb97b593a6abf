-- A text is kept once in a project, unless a version that somebody asked for has the text of another
-- document.

ALTER TABLE documents ADD COLUMN shares_text boolean;
DROP INDEX documents_hash;
DROP INDEX documents_original;
CREATE UNIQUE INDEX documents_hash ON documents (tenant_id, project_id, content_hash)
  WHERE is_latest AND shares_text IS NOT TRUE;
CREATE UNIQUE INDEX documents_original ON documents (tenant_id, project_id, original_hash)
  WHERE is_latest AND original_hash IS NOT NULL AND shares_text IS NOT TRUE;
