-- Open contradictions are few among many links.
CREATE INDEX links_contradictions ON links (tenant_id, created_at DESC, id DESC)
  WHERE relation = 'contradicts';
