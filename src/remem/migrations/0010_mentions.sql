-- Who mentions a thing, newest first, without a look at the links themselves: the graph is drawn
-- and walked by these.

CREATE INDEX links_mentions ON links (tenant_id, to_id, id DESC) INCLUDE (from_id)
  WHERE to_kind = 'entity' AND relation = 'mentions';
