-- What a person sees of the browsers they are signed in with.
ALTER TABLE sign_ins
  ADD COLUMN agent text,
  ADD COLUMN last_used_at timestamptz,
  ADD CONSTRAINT sign_ins_agent_check CHECK (length(agent) <= 300),
  ADD CONSTRAINT sign_ins_last_used_at_check CHECK (in_calendar(last_used_at, last_used_at));

-- A link that signs a browser in, once. Only the hash of its token is kept.
CREATE TABLE sign_in_links (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  hash text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT sign_in_links_moments CHECK (in_calendar(least(created_at, updated_at,
    expires_at), greatest(created_at, updated_at, expires_at)))
);
CREATE INDEX sign_in_links_user ON sign_in_links (tenant_id, user_id);
ALTER TABLE sign_in_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_in_links FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON sign_in_links USING (tenant_id = (SELECT bound_tenant()));
CREATE POLICY own_secret ON sign_in_links FOR SELECT USING (hash = (SELECT bound_secret()));

-- Lists of every project's documents, in the order that they came or were changed in.
CREATE INDEX documents_newest ON documents (tenant_id, created_at DESC, id DESC)
  WHERE is_latest;
CREATE INDEX documents_changed ON documents (tenant_id, updated_at DESC, id DESC)
  WHERE is_latest;
