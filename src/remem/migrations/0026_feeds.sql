-- Feeds that a project is subscribed to, and what was taken from them already.
CREATE TABLE feeds (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  url text NOT NULL,
  title text,
  error text,
  failures integer NOT NULL DEFAULT 0,
  collected_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT feeds_kind_check CHECK (kind IN ('research', 'projects')),
  CONSTRAINT feeds_url_check CHECK (length(url) <= 2048 AND url ~* '^https?:'),
  CONSTRAINT feeds_title_check CHECK (length(title) <= 500),
  CONSTRAINT feeds_error_check CHECK (length(error) <= 1000),
  CONSTRAINT feeds_moments CHECK (in_calendar(least(created_at, updated_at, collected_at),
    greatest(created_at, updated_at, collected_at)))
);
CREATE INDEX feeds_project ON feeds (tenant_id, project_id);

CREATE TABLE feed_entries (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  feed_id uuid NOT NULL,
  key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, feed_id) REFERENCES feeds (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT feed_entries_key_check CHECK (length(key) <= 100),
  CONSTRAINT feed_entries_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at)))
);
CREATE INDEX feed_entries_key ON feed_entries (tenant_id, key);
CREATE INDEX feed_entries_feed ON feed_entries (tenant_id, feed_id);

ALTER TABLE feeds ENABLE ROW LEVEL SECURITY;
ALTER TABLE feeds FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON feeds USING (tenant_id = (SELECT bound_tenant()));
ALTER TABLE feed_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE feed_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON feed_entries USING (tenant_id = (SELECT bound_tenant()));
