-- Clients that people let in: registered by themselves, allowed by a person, recognised by tokens.

-- A client registers before anybody has let it in, so it belongs to no tenant.
CREATE TABLE oauth_clients (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  uri text,
  redirect_uris text[] NOT NULL CHECK (cardinality(redirect_uris) > 0),
  secret_hash text,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX oauth_clients_unused ON oauth_clients (created_at) WHERE used_at IS NULL;
CREATE INDEX oauth_clients_used ON oauth_clients (used_at) WHERE used_at IS NOT NULL;

-- Grants hang on the membership as keys do: who leaves a tenant takes them along.
CREATE TABLE oauth_grants (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  client_id uuid NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'write', 'admin']),
  resource text NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id) ON DELETE CASCADE
);
CREATE INDEX oauth_grants_user ON oauth_grants (tenant_id, user_id);
CREATE INDEX oauth_grants_client ON oauth_grants (client_id);

CREATE TABLE oauth_codes (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  grant_id uuid NOT NULL,
  hash text NOT NULL UNIQUE,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, grant_id) REFERENCES oauth_grants (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_grant ON oauth_codes (tenant_id, grant_id);

-- `made_by` is the refresh token whose use made this one; `dropped_at` says that the answer it went
-- out with was given again, so that it must never be seen.
CREATE TABLE oauth_tokens (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  grant_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
  hash text NOT NULL UNIQUE,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'write', 'admin']),
  resource text NOT NULL,
  made_by uuid,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  dropped_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, grant_id) REFERENCES oauth_grants (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_tokens_grant ON oauth_tokens (tenant_id, grant_id);

ALTER TABLE oauth_grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE oauth_grants FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON oauth_grants USING (tenant_id = (SELECT bound_tenant()));
ALTER TABLE oauth_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE oauth_codes FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON oauth_codes USING (tenant_id = (SELECT bound_tenant()));
ALTER TABLE oauth_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE oauth_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON oauth_tokens USING (tenant_id = (SELECT bound_tenant()));
CREATE POLICY own_secret ON oauth_codes FOR SELECT USING (hash = (SELECT bound_secret()));
CREATE POLICY own_secret ON oauth_tokens FOR SELECT USING (hash = (SELECT bound_secret()));
