-- What others wrote is not the user's: what was taken from a page, a mail or a file before these had
-- speakers gets its author, or the name of the page or file. A text whose turns have speakers has
-- the user's own words too, unless it is a mail, a page or a file.

-- The owner of the tables must see every row for once.
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE documents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE chunks NO FORCE ROW LEVEL SECURITY;
ALTER TABLE blobs NO FORCE ROW LEVEL SECURITY;
CREATE TEMP TABLE written_by_others ON COMMIT DROP AS
  SELECT d.tenant_id, d.id, left(CASE
    WHEN jsonb_typeof(d.metadata -> 'author') = 'string' AND btrim(d.metadata ->> 'author') <> ''
      AND lower(btrim(d.metadata ->> 'author')) NOT IN ('user', 'the user', 'human', 'me', 'i')
      THEN btrim(d.metadata ->> 'author')
    WHEN d.content_type = 'html' OR a.is_remote THEN 'Page: ' || d.title
    ELSE 'File: ' || coalesce(b.name, d.title) END, 80) AS speaker
  FROM documents d
  LEFT JOIN blobs b ON b.tenant_id = d.tenant_id AND b.key = d.blob_key
  CROSS JOIN LATERAL (SELECT NOT d.metadata ? 'connection_id' AND (
    d.source_url ~* '^https?:' OR concat_ws(' ', d.metadata ->> 'source', d.metadata ->> 'url',
      d.metadata ->> 'source_url', d.metadata ->> 'link', d.metadata ->> 'canonical')
      ~* '(^| )https?://') AS is_remote) a
  WHERE lower(btrim(coalesce(d.metadata ->> 'speaker', '-')))
      NOT IN ('user', 'the user', 'human', 'me', 'i')
    AND (d.content_type IN ('html', 'email') OR b.name IS NOT NULL
      OR ((a.is_remote OR d.metadata ? 'connection_id'
          OR d.content_type NOT IN ('text', 'markdown', 'note'))
        AND NOT EXISTS (SELECT FROM chunks c WHERE c.tenant_id = d.tenant_id
          AND c.document_id = d.id AND c.speaker IS NOT NULL)));
-- The hash has the speaker of what depends on it; with one of its own, a memory is never taken for
-- what the user says.
UPDATE memories m SET speaker = w.speaker, content_hash = encode(sha256(convert_to(
    m.content_hash || E'\n' || w.speaker, 'UTF8')), 'hex')
  FROM written_by_others w
  WHERE m.tenant_id = w.tenant_id AND m.document_id = w.id AND m.source IN ('distil', 'derive')
    AND (m.speaker IS NULL
      OR lower(btrim(m.speaker)) IN ('', 'user', 'the user', 'human', 'me', 'i'));
ALTER TABLE blobs FORCE ROW LEVEL SECURITY;
ALTER TABLE chunks FORCE ROW LEVEL SECURITY;
ALTER TABLE documents FORCE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
