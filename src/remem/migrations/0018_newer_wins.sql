-- When a statement was last said, where that is not when its row was made. It decides which of two
-- statements is the newer one.
ALTER TABLE memories ADD COLUMN stated_at timestamptz;

-- The owner of a table sees all rows of it only while row security is not forced on it.
ALTER TABLE documents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE chunks NO FORCE ROW LEVEL SECURITY;
ALTER TABLE postings NO FORCE ROW LEVEL SECURITY;
ALTER TABLE embeddings NO FORCE ROW LEVEL SECURITY;
ALTER TABLE text_totals NO FORCE ROW LEVEL SECURITY;

-- Of several latest versions of one document, all but the newest leave search.
CREATE TEMPORARY TABLE second_latest ON COMMIT DROP AS
  SELECT tenant_id, id, project_id FROM (
    SELECT tenant_id, id, project_id, row_number() OVER (
      PARTITION BY tenant_id, root_id ORDER BY version DESC, created_at DESC, id DESC) AS place
    FROM documents WHERE is_latest) ranked
  WHERE place > 1;
UPDATE documents d SET is_latest = false,
  status = CASE d.status WHEN 'failed' THEN 'failed' ELSE 'done' END
  FROM second_latest s WHERE d.tenant_id = s.tenant_id AND d.id = s.id;
DELETE FROM postings p USING chunks c, second_latest s
  WHERE c.tenant_id = s.tenant_id AND c.document_id = s.id
  AND p.tenant_id = c.tenant_id AND p.owner_id = c.id;
DELETE FROM embeddings e USING chunks c, second_latest s
  WHERE c.tenant_id = s.tenant_id AND c.document_id = s.id
  AND e.tenant_id = c.tenant_id AND e.owner_id = c.id;
UPDATE text_totals t SET texts = n.texts, terms = n.terms
  FROM (SELECT s.tenant_id, s.project_id, count(o.owner_id) AS texts,
      coalesce(sum(o.length), 0) AS terms
    FROM (SELECT DISTINCT tenant_id, project_id FROM second_latest) s
    LEFT JOIN (SELECT DISTINCT tenant_id, project_id, owner_id, length FROM postings
      WHERE owner_kind = 'chunk') o USING (tenant_id, project_id)
    GROUP BY s.tenant_id, s.project_id) n
  WHERE t.tenant_id = n.tenant_id AND t.project_id = n.project_id AND t.owner_kind = 'chunk';

ALTER TABLE documents FORCE ROW LEVEL SECURITY;
ALTER TABLE chunks FORCE ROW LEVEL SECURITY;
ALTER TABLE postings FORCE ROW LEVEL SECURITY;
ALTER TABLE embeddings FORCE ROW LEVEL SECURITY;
ALTER TABLE text_totals FORCE ROW LEVEL SECURITY;

CREATE UNIQUE INDEX documents_current ON documents (tenant_id, root_id) WHERE is_latest;

-- A URL leads to its document also when a later version was saved without it.
DROP INDEX documents_url;
CREATE INDEX documents_url ON documents (tenant_id, project_id, source_url)
  WHERE source_url IS NOT NULL;
