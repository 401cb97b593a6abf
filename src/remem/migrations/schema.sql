-- The whole schema on one page: the sum of the numbered migrations, proven equal by a test.

CREATE FUNCTION bound_tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('remem.tenant_id', true), '')::uuid $$;
CREATE FUNCTION bound_user() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('remem.user_id', true), '')::uuid $$;
CREATE FUNCTION bound_secret() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('remem.secret', true), '') $$;

-- Identity

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

CREATE TABLE tenants (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('user', 'org')),
  name text NOT NULL,
  slug text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE members (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, user_id)
);
CREATE INDEX members_user ON members (user_id);

-- Keys and sign-ins hang on the membership: who leaves a tenant loses both at once.
CREATE TABLE api_keys (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  prefix text NOT NULL,
  hash text NOT NULL UNIQUE,
  name text NOT NULL,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'write', 'admin']),
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id) ON DELETE CASCADE
);
CREATE INDEX api_keys_user ON api_keys (tenant_id, user_id);

-- A key is recognised in one statement: it binds what is shown, and reads the one row that opens.
CREATE FUNCTION key_shown(digest text) RETURNS SETOF api_keys LANGUAGE plpgsql
  AS $$ BEGIN
    PERFORM set_config('remem.secret', digest, true);
    RETURN QUERY SELECT * FROM api_keys WHERE hash = digest;
  END $$;

-- A browser that is signed in. Only the hash of its cookie is kept.
CREATE TABLE sign_ins (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  hash text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- A digest of where it was opened from, and when the key that opened it ends.
  address text,
  key_expires_at timestamptz,
  agent text,
  last_used_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id) ON DELETE CASCADE
);
CREATE INDEX sign_ins_user ON sign_ins (user_id, tenant_id);

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
  FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id) ON DELETE CASCADE
);
CREATE INDEX sign_in_links_user ON sign_in_links (tenant_id, user_id);

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

CREATE TABLE subscriptions (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  plan text NOT NULL DEFAULT 'self-hosted'
    CHECK (plan IN ('free', 'hobby', 'pro', 'self-hosted')),
  memory_count integer NOT NULL DEFAULT 0 CHECK (memory_count >= 0),
  memory_limit integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  suspended_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id)
);

-- Where things live

CREATE TABLE projects (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  parent_id uuid,
  is_default boolean NOT NULL DEFAULT false,
  settings jsonb NOT NULL DEFAULT '{}',
  generation bigint NOT NULL DEFAULT 0,
  archived_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, slug),
  FOREIGN KEY (tenant_id, parent_id) REFERENCES projects (tenant_id, id) ON DELETE NO ACTION
);
CREATE UNIQUE INDEX projects_default ON projects (tenant_id) WHERE is_default;
CREATE INDEX projects_parent ON projects (tenant_id, parent_id);
-- What the spellings of a name share. Older versions added a hash of the spelling.
CREATE FUNCTION folded_slug(slug text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT translate(regexp_replace(slug, '--[0-9a-f]{12}$', ''), 'ıς-_', 'iσ') $$;
CREATE INDEX projects_folded ON projects (tenant_id, folded_slug(slug));
-- How a project is named to those who use it: as they first sent it.
CREATE FUNCTION project_ref(slug text, name text, settings jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(settings->>'spelling',
    CASE WHEN slug ~ '--[0-9a-f]{12}$' THEN name ELSE slug END) $$;

CREATE TABLE sessions (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  user_id uuid NOT NULL,
  agent text,
  title text,
  closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  key text,
  is_recorded boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sessions_project ON sessions (tenant_id, project_id, created_at);
CREATE UNIQUE INDEX sessions_key ON sessions (tenant_id, user_id, key) WHERE key IS NOT NULL;
CREATE INDEX sessions_user ON sessions (tenant_id, user_id, created_at DESC, id DESC);

CREATE TABLE turns (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  session_id uuid NOT NULL,
  role text NOT NULL,
  content text NOT NULL,
  evidence jsonb NOT NULL DEFAULT '{}',
  at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX turns_session ON turns (tenant_id, session_id, at);

-- What a turn was made of. When that is deleted, the turn's words go with it.
CREATE TABLE turn_sources (
  tenant_id uuid NOT NULL,
  source_id uuid NOT NULL,
  turn_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, source_id, turn_id),
  FOREIGN KEY (tenant_id, turn_id) REFERENCES turns (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX turn_sources_turn ON turn_sources (tenant_id, turn_id);

CREATE FUNCTION note_turn_sources() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF jsonb_typeof(NEW.evidence -> 'used') IS DISTINCT FROM 'array' THEN
    RETURN NULL;
  END IF;
  INSERT INTO turn_sources (tenant_id, source_id, turn_id)
    SELECT DISTINCT NEW.tenant_id, used::uuid, NEW.id
    FROM jsonb_array_elements_text(NEW.evidence -> 'used') AS used
    WHERE used ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
  RETURN NULL;
END $$;
CREATE TRIGGER turns_sources AFTER INSERT ON turns FOR EACH ROW
  EXECUTE FUNCTION note_turn_sources();

-- What is saved

-- A blob whose document is gone is released; a job then removes its bytes and this row.
CREATE TABLE blobs (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  key text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  name text,
  released_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, key)
);
CREATE INDEX blobs_released ON blobs (tenant_id, released_at) WHERE released_at IS NOT NULL;

CREATE TABLE documents (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  user_id uuid NOT NULL,
  session_id uuid,
  title text NOT NULL,
  content text NOT NULL,
  summary text,
  content_type text NOT NULL,
  source_url text,
  blob_key text,
  metadata jsonb NOT NULL DEFAULT '{}',
  tags text[] NOT NULL DEFAULT '{}',
  content_hash text NOT NULL,
  previous_id uuid,
  root_id uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  is_latest boolean NOT NULL DEFAULT true,
  forget_after timestamptz,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN
    ('queued', 'extracting', 'chunking', 'embedding', 'indexing', 'done', 'failed')),
  error text,
  last_accessed_at timestamptz,
  source text NOT NULL DEFAULT 'api',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  marks jsonb NOT NULL DEFAULT '[]',
  original_hash text,
  duplicate_of uuid,
  shares_text boolean,
  title_given boolean,
  unread_by uuid[],
  favourite_of uuid[],
  archived_by uuid[],
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id)
    ON DELETE SET NULL (session_id),
  FOREIGN KEY (tenant_id, previous_id) REFERENCES documents (tenant_id, id)
    ON DELETE SET NULL (previous_id)
);
CREATE UNIQUE INDEX documents_hash ON documents (tenant_id, project_id, content_hash)
  WHERE is_latest AND shares_text IS NOT TRUE;
CREATE UNIQUE INDEX documents_original ON documents (tenant_id, project_id, original_hash)
  WHERE is_latest AND original_hash IS NOT NULL AND shares_text IS NOT TRUE;
CREATE INDEX documents_recent ON documents (tenant_id, project_id, created_at DESC, id DESC)
  WHERE is_latest;
CREATE INDEX documents_newest ON documents (tenant_id, created_at DESC, id DESC)
  WHERE is_latest;
CREATE INDEX documents_changed ON documents (tenant_id, updated_at DESC, id DESC)
  WHERE is_latest;
CREATE INDEX documents_flagged ON documents (tenant_id, created_at DESC, id DESC)
  WHERE is_latest
    AND (unread_by IS NOT NULL OR favourite_of IS NOT NULL OR archived_by IS NOT NULL);
CREATE UNIQUE INDEX documents_current ON documents (tenant_id, root_id) WHERE is_latest;
CREATE INDEX documents_url ON documents (tenant_id, project_id, source_url)
  WHERE source_url IS NOT NULL;
CREATE INDEX documents_root ON documents (tenant_id, root_id, version);
CREATE INDEX documents_previous ON documents (tenant_id, previous_id);
CREATE INDEX documents_session ON documents (tenant_id, session_id) WHERE session_id IS NOT NULL;
CREATE INDEX documents_forget ON documents (tenant_id, forget_after)
  WHERE forget_after IS NOT NULL;
CREATE INDEX documents_copies ON documents (tenant_id, original_hash)
  WHERE duplicate_of IS NOT NULL AND blob_key IS NOT NULL;

CREATE TABLE chunks (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  document_id uuid NOT NULL,
  project_id uuid NOT NULL,
  content text NOT NULL,
  summary text,
  heading_path text[] NOT NULL DEFAULT '{}',
  chunk_index integer NOT NULL,
  start_offset integer NOT NULL,
  end_offset integer NOT NULL,
  page integer,
  embedded_with text,
  embedded_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  at_s real,
  speaker text,
  said_at timestamptz,
  thread_id uuid,
  place integer,
  asks real NOT NULL DEFAULT 0,
  tells_time boolean NOT NULL DEFAULT false,
  -- Of its own, for an index on what a function gives is not used under row-level security.
  voice text GENERATED ALWAYS AS (lower(split_part(speaker, ' ', 1))) STORED,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, document_id, chunk_index),
  FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX chunks_project ON chunks (tenant_id, project_id);
CREATE INDEX chunks_voice ON chunks (tenant_id, voice) WHERE voice IS NOT NULL;
CREATE INDEX chunks_said ON chunks (tenant_id, said_at) WHERE said_at IS NOT NULL;
CREATE INDEX chunks_thread ON chunks (tenant_id, thread_id, place) WHERE thread_id IS NOT NULL;

-- A document that was deleted and can be restored, as rows that nothing searches, lists or exports.
CREATE TABLE deleted_rows (
  tenant_id uuid NOT NULL,
  deletion_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('document', 'chunk', 'memory', 'link')),
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  content jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, deletion_id, kind, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX deleted_rows_expires ON deleted_rows (tenant_id, expires_at);
CREATE INDEX deleted_rows_document ON deleted_rows (tenant_id, id) WHERE kind = 'document';
CREATE INDEX deleted_rows_project ON deleted_rows (tenant_id, project_id);

CREATE TABLE memories (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  document_id uuid,
  session_id uuid,
  user_id uuid NOT NULL,
  title text,
  content text NOT NULL,
  expanded text,
  category text NOT NULL DEFAULT 'fact' CHECK (category IN
    ('fact', 'preference', 'decision', 'context', 'episode', 'insight', 'task', 'pattern',
     'lesson', 'procedure', 'note')),
  tags text[] NOT NULL DEFAULT '{}',
  context jsonb NOT NULL DEFAULT '{}',
  confidence real NOT NULL DEFAULT 1 CHECK (confidence BETWEEN 0 AND 1),
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'superseded', 'quarantined')),
  quality text NOT NULL DEFAULT 'unknown' CHECK (quality IN ('unknown', 'good', 'bad')),
  is_current boolean NOT NULL DEFAULT true,
  supersedes_id uuid,
  root_id uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  valid_from timestamptz,
  valid_until timestamptz,
  due_at timestamptz,
  occurred_at timestamptz,
  access_count integer NOT NULL DEFAULT 0,
  last_accessed_at timestamptz,
  source text NOT NULL DEFAULT 'api',
  evidence jsonb NOT NULL DEFAULT '{}',
  embedded_with text,
  embedded_hash text,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  content_hash text NOT NULL,
  speaker text CHECK (length(speaker) <= 80),
  said_at timestamptz,
  dates jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(dates) = 'array'),
  stated_at timestamptz,
  part_of uuid,
  CONSTRAINT memories_superseded CHECK (is_current = (state <> 'superseded')),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id)
    ON DELETE SET NULL (document_id),
  FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id)
    ON DELETE SET NULL (session_id),
  FOREIGN KEY (tenant_id, supersedes_id) REFERENCES memories (tenant_id, id)
    ON DELETE SET NULL (supersedes_id),
  FOREIGN KEY (tenant_id, part_of) REFERENCES memories (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX memories_current ON memories (tenant_id, root_id)
  WHERE is_current AND deleted_at IS NULL;
CREATE INDEX memories_chain ON memories (tenant_id, root_id, version);
CREATE INDEX memories_supersedes ON memories (tenant_id, supersedes_id);
CREATE UNIQUE INDEX memories_same ON memories (tenant_id, project_id, content_hash)
  WHERE is_current AND deleted_at IS NULL AND state = 'active' AND part_of IS NULL;
-- The parts of a memory are inside it, and found nowhere by themselves.
CREATE INDEX memories_parts ON memories (tenant_id, part_of) WHERE part_of IS NOT NULL;
CREATE INDEX memories_recent ON memories (tenant_id, project_id, created_at DESC, id DESC)
  WHERE is_current AND deleted_at IS NULL;
CREATE INDEX memories_newest ON memories (tenant_id, created_at DESC, id DESC)
  WHERE is_current AND deleted_at IS NULL;
CREATE INDEX memories_timeline ON memories
  (tenant_id, (coalesce(occurred_at, said_at, created_at)) DESC, id DESC)
  WHERE is_current AND deleted_at IS NULL;
CREATE INDEX memories_project ON memories (tenant_id, project_id);
CREATE INDEX memories_document ON memories (tenant_id, document_id);
CREATE INDEX memories_replaced ON memories (tenant_id, document_id) WHERE NOT is_current;
CREATE INDEX memories_session ON memories (tenant_id, session_id) WHERE session_id IS NOT NULL;
CREATE INDEX memories_due ON memories (tenant_id, due_at, id)
  WHERE due_at IS NOT NULL AND is_current AND deleted_at IS NULL;
CREATE INDEX memories_expiring ON memories (tenant_id, valid_until)
  WHERE valid_until IS NOT NULL AND is_current AND deleted_at IS NULL;

-- The database counts current memories, so that those which go with their project are counted off
-- as well.
CREATE FUNCTION count_memories() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  number bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR owner, number IN SELECT tenant_id, count(*) FROM made
      WHERE is_current AND deleted_at IS NULL GROUP BY tenant_id
    LOOP
      UPDATE subscriptions SET memory_count = memory_count + number WHERE tenant_id = owner;
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    FOR owner, number IN SELECT tenant_id, count(*) FROM gone
      WHERE is_current AND deleted_at IS NULL GROUP BY tenant_id
    LOOP
      UPDATE subscriptions SET memory_count = memory_count - number WHERE tenant_id = owner;
    END LOOP;
  ELSE
    number := CASE WHEN NEW.is_current AND NEW.deleted_at IS NULL THEN 1 ELSE -1 END;
    UPDATE subscriptions SET memory_count = memory_count + number WHERE tenant_id = NEW.tenant_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER memories_made AFTER INSERT ON memories REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION count_memories();
CREATE TRIGGER memories_gone AFTER DELETE ON memories REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_memories();
CREATE TRIGGER memories_hidden AFTER UPDATE OF is_current, deleted_at ON memories FOR EACH ROW
  WHEN ((OLD.is_current AND OLD.deleted_at IS NULL)
    <> (NEW.is_current AND NEW.deleted_at IS NULL))
  EXECUTE FUNCTION count_memories();

CREATE FUNCTION erase_turns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  sources uuid[];
  moment timestamptz := now();
BEGIN
  IF TG_OP = 'UPDATE' THEN
    UPDATE turns SET content = '', evidence = '{"erased": true}', updated_at = moment
      WHERE tenant_id = NEW.tenant_id AND id IN (SELECT turn_id FROM turn_sources
        WHERE tenant_id = NEW.tenant_id AND source_id = NEW.id);
    RETURN NULL;
  END IF;
  FOR owner, sources IN SELECT tenant_id, array_agg(id) FROM gone GROUP BY tenant_id LOOP
    UPDATE turns SET content = '', evidence = '{"erased": true}', updated_at = moment
      WHERE tenant_id = owner AND id IN (SELECT turn_id FROM turn_sources
        WHERE tenant_id = owner AND source_id = ANY(sources));
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER memories_erase_turns AFTER DELETE ON memories REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION erase_turns();
CREATE TRIGGER documents_erase_turns AFTER DELETE ON documents REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION erase_turns();
CREATE TRIGGER chunks_erase_turns AFTER DELETE ON chunks REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION erase_turns();
CREATE TRIGGER memories_hide_turns AFTER UPDATE OF deleted_at ON memories FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION erase_turns();

-- For where a foreign key cannot set what refers to a deleted row to null.
CREATE FUNCTION clear_references() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  ids uuid[];
BEGIN
  FOR owner, ids IN SELECT tenant_id, array_agg(id) FROM gone GROUP BY tenant_id LOOP
    EXECUTE format('UPDATE %1$I SET %2$I = NULL WHERE tenant_id = $1 AND %2$I = ANY($2)',
      TG_ARGV[0], TG_ARGV[1]) USING owner, ids;
  END LOOP;
  RETURN NULL;
END $$;

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
  -- What the feed's server says of the version that was read last.
  etag text,
  last_modified text,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT feeds_etag_check CHECK (length(etag) <= 500),
  CONSTRAINT feeds_last_modified_check CHECK (length(last_modified) <= 500),
  CONSTRAINT feeds_kind_check CHECK (kind IN ('research', 'projects')),
  CONSTRAINT feeds_url_check CHECK (length(url) <= 2048 AND url ~* '^https?:'),
  CONSTRAINT feeds_title_check CHECK (length(title) <= 500),
  CONSTRAINT feeds_error_check CHECK (length(error) <= 1000)
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
  CONSTRAINT feed_entries_key_check CHECK (length(key) <= 100)
);
CREATE INDEX feed_entries_key ON feed_entries (tenant_id, key);
CREATE INDEX feed_entries_feed ON feed_entries (tenant_id, feed_id);

-- How things belong together

CREATE TABLE entities (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN
    ('person', 'organization', 'place', 'system', 'concept', 'technology', 'api', 'file',
     'event')),
  name text NOT NULL,
  name_normalized text NOT NULL,
  aliases text[] NOT NULL DEFAULT '{}',
  mention_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, project_id, type, name_normalized),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX entities_name ON entities (tenant_id, project_id, (name_normalized COLLATE "C"));

CREATE TABLE links (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  from_kind text NOT NULL CHECK (from_kind IN ('memory', 'entity', 'document')),
  from_id uuid NOT NULL,
  to_kind text NOT NULL CHECK (to_kind IN ('memory', 'entity', 'document')),
  to_id uuid NOT NULL,
  relation text NOT NULL CHECK (relation IN
    ('updates', 'extends', 'derives', 'similar', 'related', 'supports', 'contradicts',
     'supersedes', 'merged_into', 'mentions')),
  confidence real NOT NULL DEFAULT 1 CHECK (confidence BETWEEN 0 AND 1),
  valid_from timestamptz,
  valid_to timestamptz,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, from_kind, from_id, to_kind, to_id, relation)
);
CREATE INDEX links_to ON links (tenant_id, to_kind, to_id);
CREATE INDEX links_mentions ON links (tenant_id, to_id, id DESC) INCLUDE (from_id)
  WHERE to_kind = 'entity' AND relation = 'mentions';
CREATE INDEX links_contradictions ON links (tenant_id, created_at DESC, id DESC)
  WHERE relation = 'contradicts';

-- A link has ends of several kinds, so no foreign key can take it along.
CREATE FUNCTION unlink_memories() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  ids uuid[];
BEGIN
  FOR owner, ids IN SELECT tenant_id, array_agg(id) FROM gone GROUP BY tenant_id LOOP
    DELETE FROM links WHERE tenant_id = owner AND from_kind = 'memory' AND from_id = ANY(ids);
    DELETE FROM links WHERE tenant_id = owner AND to_kind = 'memory' AND to_id = ANY(ids);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER memories_unlinked AFTER DELETE ON memories REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION unlink_memories();

-- The database counts, so that mentions which go with their memory are counted off as well.
CREATE FUNCTION count_mentions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  ids uuid[];
  named uuid[];
  numbers bigint[];
  sources uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR owner IN SELECT DISTINCT tenant_id FROM made
      WHERE relation = 'mentions' AND to_kind = 'entity'
    LOOP
      SELECT array_agg(n.to_id), array_agg(n.number) INTO named, numbers
        FROM (SELECT to_id, count(*) AS number FROM made WHERE tenant_id = owner
          AND relation = 'mentions' AND to_kind = 'entity' GROUP BY to_id) n;
      UPDATE entities e SET mention_count = mention_count + n.number
        FROM unnest(named, numbers) AS n (id, number) WHERE e.tenant_id = owner AND e.id = n.id;
      -- Who erases one of these memories waits, and then finds its mentions; where somebody was
      -- first, this waits, and the statement after it finds no memory.
      SELECT array_agg(from_id) INTO sources FROM made WHERE tenant_id = owner
        AND relation = 'mentions' AND from_kind = 'memory';
      PERFORM FROM memories WHERE tenant_id = owner AND id = ANY(sources) FOR KEY SHARE;
      SELECT array_agg(id) INTO ids FROM made WHERE tenant_id = owner
        AND relation = 'mentions' AND to_kind = 'entity';
      DELETE FROM links l WHERE l.tenant_id = owner AND l.id = ANY(ids)
        AND (NOT EXISTS (SELECT FROM entities e WHERE e.tenant_id = owner AND e.id = l.to_id)
          OR l.from_kind = 'memory' AND NOT EXISTS (SELECT FROM memories m
            WHERE m.tenant_id = owner AND m.id = l.from_id AND m.is_current
              AND m.state = 'active' AND m.deleted_at IS NULL AND m.part_of IS NULL));
    END LOOP;
    RETURN NULL;
  END IF;
  FOR owner IN SELECT DISTINCT tenant_id FROM gone
    WHERE relation = 'mentions' AND to_kind = 'entity'
  LOOP
    SELECT array_agg(n.to_id), array_agg(n.number) INTO named, numbers
      FROM (SELECT to_id, count(*) AS number FROM gone WHERE tenant_id = owner
        AND relation = 'mentions' AND to_kind = 'entity' GROUP BY to_id) n;
    UPDATE entities e SET mention_count = mention_count - n.number
      FROM unnest(named, numbers) AS n (id, number) WHERE e.tenant_id = owner AND e.id = n.id;
    DELETE FROM entities e WHERE e.tenant_id = owner AND e.id = ANY(named)
      AND NOT EXISTS (SELECT FROM links l WHERE l.tenant_id = owner
        AND l.to_kind = 'entity' AND l.to_id = e.id AND l.relation = 'mentions');
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER links_made AFTER INSERT ON links REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION count_mentions();
CREATE TRIGGER links_gone AFTER DELETE ON links REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_mentions();

-- A mention is of a memory that is shown; an entity goes with its last mention.
CREATE FUNCTION unmention_hidden() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM links WHERE tenant_id = NEW.tenant_id AND from_kind = 'memory'
    AND from_id = NEW.id AND to_kind = 'entity' AND relation = 'mentions';
  RETURN NULL;
END $$;
CREATE TRIGGER memories_unmentioned AFTER UPDATE OF is_current, state, deleted_at, part_of
  ON memories FOR EACH ROW
  WHEN (NOT NEW.is_current OR NEW.state <> 'active' OR NEW.deleted_at IS NOT NULL
    OR NEW.part_of IS NOT NULL)
  EXECUTE FUNCTION unmention_hidden();

CREATE FUNCTION unlink_entities() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  ids uuid[];
BEGIN
  FOR owner, ids IN SELECT tenant_id, array_agg(id) FROM gone GROUP BY tenant_id LOOP
    DELETE FROM links WHERE tenant_id = owner AND from_kind = 'entity' AND from_id = ANY(ids);
    DELETE FROM links WHERE tenant_id = owner AND to_kind = 'entity' AND to_id = ANY(ids);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER entities_unlinked AFTER DELETE ON entities REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION unlink_entities();

-- How things are found

-- No foreign key: a text has hundreds of terms, and each would be checked on its own.
CREATE TABLE postings (
  tenant_id uuid NOT NULL,
  term text COLLATE "C" NOT NULL,
  owner_kind text NOT NULL CHECK (owner_kind IN ('chunk', 'memory')),
  owner_id uuid NOT NULL,
  project_id uuid NOT NULL,
  tf smallint NOT NULL,
  length integer NOT NULL,
  PRIMARY KEY (tenant_id, owner_kind, term, owner_id) INCLUDE (project_id, tf, length)
);
CREATE INDEX postings_owner ON postings (tenant_id, owner_id);
-- In another collation, which a question names to have its list from here.
CREATE INDEX postings_project ON postings (tenant_id, project_id, term COLLATE "POSIX", owner_kind);

-- How many texts a project has and how many terms in all: what BM25 weighs lengths by.
CREATE TABLE text_totals (
  tenant_id uuid NOT NULL,
  project_id uuid NOT NULL,
  owner_kind text NOT NULL CHECK (owner_kind IN ('chunk', 'memory')),
  texts bigint NOT NULL DEFAULT 0,
  terms bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, project_id, owner_kind),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE embeddings (
  tenant_id uuid NOT NULL,
  owner_kind text NOT NULL CHECK (owner_kind IN ('chunk', 'memory')),
  owner_id uuid NOT NULL,
  project_id uuid NOT NULL,
  model text NOT NULL,
  vector halfvec NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, owner_kind, owner_id, model),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX embeddings_project ON embeddings (tenant_id, project_id);
CREATE INDEX embeddings_near_384 ON embeddings
  USING hnsw ((vector::halfvec(384)) halfvec_cosine_ops) WITH (m = 24, ef_construction = 128)
  WHERE (vector_dims(vector) = 384);

-- What is under way, and what happened

CREATE TABLE jobs (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  subject_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  error text,
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  waits_for_room boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX jobs_waiting_for_room ON jobs (tenant_id) WHERE waits_for_room;
CREATE INDEX jobs_subject ON jobs (tenant_id, subject_id);
-- Counting what is queued or failed reads only that, however much was done before.
CREATE INDEX jobs_unfinished ON jobs (tenant_id, status) WHERE status <> 'completed';

-- What is being brought in: how far it has come, what was taken and what was left out.
CREATE TABLE imports (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  blob_key text,
  stage text NOT NULL DEFAULT 'queued'
    CHECK (stage IN ('queued', 'checking', 'loading', 'joining', 'done', 'failed')),
  place bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  total bigint NOT NULL,
  counts jsonb NOT NULL DEFAULT '{}',
  problems jsonb NOT NULL DEFAULT '[]',
  projects jsonb NOT NULL DEFAULT '{}',
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  origin text,
  project text,
  fetches boolean NOT NULL DEFAULT false,
  -- Who began it.
  actor text,
  PRIMARY KEY (tenant_id, id)
);

CREATE TABLE events (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  subject_kind text NOT NULL,
  subject_id uuid NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL DEFAULT '{}',
  actor text NOT NULL,
  request_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Of an imported event: who did it, as the file says. `actor` is who imported it.
  claimed_actor text,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX events_subject ON events (tenant_id, subject_id, created_at);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION 'events are final: % is refused', TG_OP; END $$;
CREATE TRIGGER events_are_final BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_stay BEFORE TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Requests counted a caller. Losing it in a crash costs nobody anything.
CREATE UNLOGGED TABLE rate_counters (
  caller text PRIMARY KEY,
  window_no bigint NOT NULL,
  hits integer NOT NULL,
  previous integer NOT NULL DEFAULT 0
);

-- Who sees what: every tenant's table shows the rows of the bound tenant only, to everybody.

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['subscriptions', 'projects', 'sessions', 'turns',
    'turn_sources', 'feeds', 'feed_entries', 'blobs', 'documents', 'chunks', 'deleted_rows', 'memories', 'entities',
    'links', 'postings', 'text_totals', 'embeddings', 'jobs', 'imports', 'events', 'members',
    'api_keys', 'sign_ins',
    'sign_in_links', 'oauth_grants', 'oauth_codes', 'oauth_tokens']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY bound_tenant ON %I USING (tenant_id = bound_tenant())',
      name);
  END LOOP;
END $$;

ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenants FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON tenants USING (id = bound_tenant());

-- Before a tenant is bound, a caller is recognised by what only they hold.
CREATE POLICY own_secret ON api_keys FOR SELECT USING (hash = bound_secret());
CREATE POLICY own_secret ON sign_ins FOR SELECT USING (hash = bound_secret());
CREATE POLICY own_secret ON sign_in_links FOR SELECT USING (hash = bound_secret());
CREATE POLICY own_secret ON oauth_codes FOR SELECT USING (hash = bound_secret());
CREATE POLICY own_secret ON oauth_tokens FOR SELECT USING (hash = bound_secret());

-- A person sees and ends what is theirs, in whichever tenant it is.
CREATE POLICY own ON sign_ins USING (user_id = bound_user());
CREATE POLICY own ON members FOR SELECT USING (user_id = bound_user());
CREATE FUNCTION is_bound_member(tenant uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE
  AS $$ BEGIN
    RETURN EXISTS (SELECT FROM members WHERE tenant_id = tenant AND user_id = bound_user());
  END $$;
CREATE POLICY own ON tenants FOR SELECT USING (is_bound_member(id));

-- What values may be: a row that breaks these rules could not be shown

CREATE FUNCTION in_calendar(earliest timestamptz, latest timestamptz) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT earliest >= '0001-01-01 00:00:00+00' AND latest < '10000-01-01 00:00:00+00' $$;
CREATE FUNCTION is_plain_object(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT value = '{}' OR (jsonb_typeof(value) = 'object'
    AND NOT jsonb_path_exists(value, 'strict $.**{102 to last}')
    AND NOT jsonb_path_exists(value, 'strict $.** ? (@.type() == "number"
      && (@ > 1.7976931348623157e308 || @ < -1.7976931348623157e308))')) $$;
CREATE FUNCTION is_tag_list(tags text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN coalesce(array_ndims(tags), 1) <> 1 THEN false
    ELSE cardinality(tags) <= 100 AND array_position(tags, NULL) IS NULL
      AND array_position(tags, '') IS NULL AND length(array_to_string(tags, '')) <= 10000 END $$;

ALTER TABLE users
  ADD CONSTRAINT users_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at))),
  ADD CONSTRAINT users_name_check CHECK (length(name) <= 200);
ALTER TABLE tenants
  ADD CONSTRAINT tenants_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at))),
  ADD CONSTRAINT tenants_name_check CHECK (length(name) <= 200);
ALTER TABLE members
  ADD CONSTRAINT members_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at)));
ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_moments CHECK (in_calendar(least(created_at, updated_at,
    last_used_at, revoked_at), greatest(created_at, updated_at, last_used_at,
    revoked_at))),
  ADD CONSTRAINT api_keys_name_check CHECK (length(name) <= 100),
  ADD CONSTRAINT api_keys_expires_at_check CHECK (in_calendar(expires_at, expires_at));
ALTER TABLE sign_ins
  ADD CONSTRAINT sign_ins_moments CHECK (in_calendar(least(created_at, updated_at,
    expires_at), greatest(created_at, updated_at, expires_at))),
  ADD CONSTRAINT sign_ins_key_expires_at_check CHECK (in_calendar(key_expires_at, key_expires_at)),
  ADD CONSTRAINT sign_ins_agent_check CHECK (length(agent) <= 300),
  ADD CONSTRAINT sign_ins_last_used_at_check CHECK (in_calendar(last_used_at, last_used_at));
ALTER TABLE sign_in_links
  ADD CONSTRAINT sign_in_links_moments CHECK (in_calendar(least(created_at, updated_at,
    expires_at), greatest(created_at, updated_at, expires_at)));
ALTER TABLE oauth_clients
  ADD CONSTRAINT oauth_clients_moments CHECK (in_calendar(least(created_at,
    updated_at, used_at), greatest(created_at, updated_at, used_at)));
ALTER TABLE oauth_grants
  ADD CONSTRAINT oauth_grants_moments CHECK (in_calendar(least(created_at,
    updated_at, last_used_at, revoked_at), greatest(created_at, updated_at,
    last_used_at, revoked_at)));
ALTER TABLE oauth_codes
  ADD CONSTRAINT oauth_codes_moments CHECK (in_calendar(least(created_at,
    updated_at, expires_at, used_at), greatest(created_at, updated_at, expires_at,
    used_at)));
ALTER TABLE oauth_tokens
  ADD CONSTRAINT oauth_tokens_moments CHECK (in_calendar(least(created_at,
    updated_at, expires_at, used_at, dropped_at), greatest(created_at, updated_at,
    expires_at, used_at, dropped_at)));
ALTER TABLE subscriptions
  ADD CONSTRAINT subscriptions_moments CHECK (in_calendar(least(created_at,
    updated_at), greatest(created_at, updated_at))),
  ADD CONSTRAINT subscriptions_suspended_at_check CHECK (in_calendar(suspended_at, suspended_at));
ALTER TABLE projects
  ADD CONSTRAINT projects_moments CHECK (in_calendar(least(created_at, updated_at,
    archived_at), greatest(created_at, updated_at, archived_at))),
  ADD CONSTRAINT projects_name_check CHECK (length(name) BETWEEN 1 AND 200),
  ADD CONSTRAINT projects_description_check CHECK (length(description) <= 2000),
  ADD CONSTRAINT projects_slug_check CHECK (length(slug) BETWEEN 1 AND 255),
  ADD CONSTRAINT projects_settings_check CHECK (is_plain_object(settings));
ALTER TABLE sessions
  ADD CONSTRAINT sessions_moments CHECK (in_calendar(least(created_at, updated_at,
    closed_at), greatest(created_at, updated_at, closed_at))),
  ADD CONSTRAINT sessions_agent_check CHECK (length(agent) <= 200),
  ADD CONSTRAINT sessions_key_check CHECK (length(key) <= 200),
  ADD CONSTRAINT sessions_title_check CHECK (length(title) <= 500);
ALTER TABLE turns
  ADD CONSTRAINT turns_moments CHECK (in_calendar(least(created_at, updated_at, at),
    greatest(created_at, updated_at, at))),
  ADD CONSTRAINT turns_role_check CHECK (length(role) <= 100),
  ADD CONSTRAINT turns_evidence_check CHECK (is_plain_object(evidence));
ALTER TABLE blobs
  ADD CONSTRAINT blobs_moments CHECK (in_calendar(least(created_at, updated_at,
    released_at), greatest(created_at, updated_at, released_at))),
  ADD CONSTRAINT blobs_name_check CHECK (length(name) <= 255),
  ADD CONSTRAINT blobs_media_type_check CHECK (length(media_type) <= 255 AND
    media_type ~ '^[!-~]+/[ -~]+$'),
  ADD CONSTRAINT blobs_size_check CHECK (size >= 0);
ALTER TABLE documents
  ADD CONSTRAINT documents_moments CHECK (in_calendar(least(created_at, updated_at,
    forget_after, last_accessed_at), greatest(created_at, updated_at, forget_after,
    last_accessed_at))),
  ADD CONSTRAINT documents_title_check CHECK (length(title) <= 500),
  ADD CONSTRAINT documents_metadata_check CHECK (is_plain_object(metadata)),
  ADD CONSTRAINT documents_tags_check CHECK (is_tag_list(tags)),
  ADD CONSTRAINT documents_source_url_check CHECK (length(source_url) <= 2048 AND
    source_url ~* '^(https?|file|session):' AND source_url !~
    '[[:cntrl:][:space:]]'),
  ADD CONSTRAINT documents_content_type_check CHECK (content_type ~ '^[a-z]{1,40}$'),
  ADD CONSTRAINT documents_source_check CHECK (length(source) <= 100),
  ADD CONSTRAINT documents_version_check CHECK (version >= 1),
  ADD CONSTRAINT documents_marks_check CHECK (jsonb_typeof(marks) = 'array');
ALTER TABLE chunks
  ADD CONSTRAINT chunks_moments CHECK (in_calendar(least(created_at, updated_at,
    said_at), greatest(created_at, updated_at, said_at))),
  ADD CONSTRAINT chunks_heading_path_check CHECK
    (coalesce(array_ndims(heading_path), 1) = 1),
  ADD CONSTRAINT chunks_at_s_check CHECK (at_s >= 0 AND at_s < 'infinity'),
  ADD CONSTRAINT chunks_asks_check CHECK (asks > '-infinity' AND asks < 'infinity');
ALTER TABLE deleted_rows
  ADD CONSTRAINT deleted_rows_moments CHECK (in_calendar(least(created_at, updated_at,
    expires_at), greatest(created_at, updated_at, expires_at)));
ALTER TABLE memories
  ADD CONSTRAINT memories_moments CHECK (in_calendar(least(created_at, updated_at,
    valid_from, valid_until, due_at, occurred_at, last_accessed_at, deleted_at),
    greatest(created_at, updated_at, valid_from, valid_until, due_at, occurred_at,
    last_accessed_at, deleted_at))),
  ADD CONSTRAINT memories_title_check CHECK (length(title) <= 500),
  ADD CONSTRAINT memories_source_check CHECK (length(source) <= 100),
  ADD CONSTRAINT memories_context_check CHECK (is_plain_object(context)),
  ADD CONSTRAINT memories_evidence_check CHECK (is_plain_object(evidence)),
  ADD CONSTRAINT memories_tags_check CHECK (is_tag_list(tags)),
  ADD CONSTRAINT memories_version_check CHECK (version >= 1),
  ADD CONSTRAINT memories_said_at_check CHECK (in_calendar(said_at, said_at)),
  ADD CONSTRAINT memories_stated_at_check CHECK (in_calendar(stated_at, stated_at)),
  ADD CONSTRAINT memories_access_count_check CHECK (access_count >= 0);
ALTER TABLE entities
  ADD CONSTRAINT entities_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at))),
  ADD CONSTRAINT entities_aliases_check CHECK (coalesce(array_ndims(aliases), 1) =
    1);
ALTER TABLE links
  ADD CONSTRAINT links_moments CHECK (in_calendar(least(created_at, updated_at,
    valid_from, valid_to), greatest(created_at, updated_at, valid_from, valid_to))),
  ADD CONSTRAINT links_metadata_check CHECK (is_plain_object(metadata));
ALTER TABLE jobs
  ADD CONSTRAINT jobs_moments CHECK (in_calendar(least(created_at, updated_at,
    finished_at), greatest(created_at, updated_at, finished_at))),
  ADD CONSTRAINT jobs_name_check CHECK (length(name) <= 100),
  ADD CONSTRAINT jobs_attempts_check CHECK (attempts >= 0);
ALTER TABLE imports
  ADD CONSTRAINT imports_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at))),
  ADD CONSTRAINT imports_counts_check CHECK (is_plain_object(counts)),
  ADD CONSTRAINT imports_problems_check CHECK (jsonb_typeof(problems) = 'array'),
  ADD CONSTRAINT imports_projects_check CHECK (is_plain_object(projects));
ALTER TABLE events
  ADD CONSTRAINT events_moments CHECK (in_calendar(created_at, created_at)),
  ADD CONSTRAINT events_subject_kind_check CHECK (length(subject_kind) <= 100),
  ADD CONSTRAINT events_type_check CHECK (length(type) <= 100),
  ADD CONSTRAINT events_actor_check CHECK (length(actor) <= 300),
  ADD CONSTRAINT events_request_id_check CHECK (length(request_id) <= 200),
  ADD CONSTRAINT events_data_check CHECK (is_plain_object(data)),
  ADD CONSTRAINT events_claimed_actor_check CHECK (length(claimed_actor) <= 300);
ALTER TABLE feeds
  ADD CONSTRAINT feeds_moments CHECK (in_calendar(least(created_at, updated_at, collected_at),
    greatest(created_at, updated_at, collected_at)));
ALTER TABLE feed_entries
  ADD CONSTRAINT feed_entries_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at)));

-- What remem does by itself

-- Work that remem does by itself, one row a job of a tenant or of one of its projects.
CREATE TABLE evolution_jobs (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  project_id uuid,
  job_type text NOT NULL CHECK (job_type IN ('arena', 'embedding', 'derivation', 'consolidation',
    'graph', 'learning_propagation')),
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  priority integer NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  result jsonb NOT NULL DEFAULT '{}',
  error text,
  -- A worker that has not finished by then is taken for dead.
  lease_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT evolution_jobs_project_check
    CHECK ((project_id IS NOT NULL) = (job_type IN ('arena', 'consolidation'))),
  CONSTRAINT evolution_jobs_moments CHECK (in_calendar(least(created_at, updated_at, lease_until,
    started_at, finished_at), greatest(created_at, updated_at, lease_until, started_at,
    finished_at)))
);
-- Of each kind of work, one job at a time is open.
CREATE UNIQUE INDEX evolution_jobs_open ON evolution_jobs
  (tenant_id, job_type, coalesce(project_id, tenant_id)) WHERE status IN ('pending', 'running');
CREATE INDEX evolution_jobs_latest ON evolution_jobs (tenant_id, job_type, id DESC);

-- Which steps were done for a memory, so that no step is repeated for nothing.
CREATE TABLE evolution_marks (
  tenant_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  step text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, step),
  FOREIGN KEY (tenant_id, memory_id) REFERENCES memories (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT evolution_marks_moments CHECK (in_calendar(at, at))
);

-- What was merged, decayed, promoted or derived, and what it was before: enough to undo it exactly. It goes
-- with the memories it is about.
CREATE TABLE consolidations (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  action text NOT NULL CHECK (action IN ('merge', 'decay', 'promote', 'derive')),
  memory_id uuid NOT NULL,
  into_id uuid,
  before jsonb NOT NULL DEFAULT '{}',
  cosine double precision,
  undone_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, memory_id) REFERENCES memories (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, into_id) REFERENCES memories (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT consolidations_moments CHECK (in_calendar(least(created_at, undone_at),
    greatest(created_at, undone_at)))
);
CREATE INDEX consolidations_memory ON consolidations (tenant_id, memory_id);
CREATE INDEX consolidations_into ON consolidations (tenant_id, into_id);

-- What served a query and what did not: evidence for the arena beside that of sessions.
CREATE TABLE signals (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  user_id uuid NOT NULL,
  session_id uuid,
  type text NOT NULL CHECK (type IN ('used', 'helpful', 'not_helpful')),
  subject_ids uuid[] NOT NULL,
  query text CHECK (length(query) <= 10000),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT signals_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at)))
);
CREATE INDEX signals_project ON signals (tenant_id, project_id, id DESC);

-- How an arm did in an episode. Measured again, it takes the place of what was measured before.
CREATE TABLE arena_results (
  tenant_id uuid NOT NULL,
  episode_id uuid NOT NULL,
  arm text NOT NULL,
  project_id uuid NOT NULL,
  reward double precision NOT NULL,
  recall double precision NOT NULL,
  precision_at double precision NOT NULL,
  document_recall double precision NOT NULL,
  latency double precision NOT NULL,
  diversity double precision NOT NULL,
  took_ms double precision NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, episode_id, arm),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT arena_results_moments CHECK (in_calendar(created_at, created_at))
);
CREATE INDEX arena_results_project ON arena_results (tenant_id, project_id, arm);

-- Which way of searching is in force for a project; with no project, for the tenant.
CREATE TABLE policies (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  project_id uuid,
  arm text NOT NULL,
  is_pinned boolean NOT NULL DEFAULT false,
  reason jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT policies_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at)))
);
CREATE UNIQUE INDEX policies_scope ON policies (tenant_id, coalesce(project_id, tenant_id));

-- What a tenant has given to the sums below, so that it is never counted twice.
CREATE TABLE arm_shares (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  arm text NOT NULL,
  pulls bigint NOT NULL,
  reward_sum double precision NOT NULL,
  reward_squares double precision NOT NULL,
  PRIMARY KEY (tenant_id, arm)
);

DO $$
DECLARE owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['evolution_jobs', 'evolution_marks', 'signals', 'arena_results',
    'policies', 'arm_shares', 'consolidations']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', owned);
    EXECUTE format('CREATE POLICY bound_tenant ON %I USING (tenant_id = bound_tenant())',
      owned);
  END LOOP;
END $$;

-- Sums over all tenants, of numbers alone: no row tells whose they are.
CREATE TABLE global_arms (
  arm text PRIMARY KEY,
  tenants bigint NOT NULL DEFAULT 0,
  pulls bigint NOT NULL DEFAULT 0,
  reward_sum double precision NOT NULL DEFAULT 0,
  reward_squares double precision NOT NULL DEFAULT 0
);

-- What is done by the clock: the time it was last due at, and whether that is done.
CREATE TABLE schedules (
  name text PRIMARY KEY,
  slot timestamptz NOT NULL,
  lease_until timestamptz,
  finished_at timestamptz,
  CONSTRAINT schedules_moments CHECK (in_calendar(least(slot, lease_until, finished_at),
    greatest(slot, lease_until, finished_at)))
);

-- The nightly backups of the whole store, and those that failed. No tenant's data: only when, how
-- large, and what was wrong.
CREATE TABLE backups (
  made_at timestamptz PRIMARY KEY,
  bytes bigint,
  error text,
  CONSTRAINT backups_moments CHECK (in_calendar(made_at, made_at))
);

-- Accounts elsewhere that are read again and again. A token is sealed; a cursor says how far the
-- last sync came. Who syncs a connection has it locked for a while.
CREATE TABLE connections (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  project_id uuid NOT NULL,
  provider text NOT NULL CHECK (length(provider) <= 50),
  account_key text NOT NULL CHECK (length(account_key) <= 2048),
  account text NOT NULL CHECK (length(account) <= 500),
  token bytea,
  settings jsonb NOT NULL DEFAULT '{}' CHECK (is_plain_object(settings)),
  chosen text[] NOT NULL DEFAULT '{}' CHECK (coalesce(array_ndims(chosen), 1) = 1),
  is_walk_due boolean NOT NULL DEFAULT false,
  cursor jsonb NOT NULL DEFAULT '{}' CHECK (is_plain_object(cursor)),
  status text NOT NULL DEFAULT 'needs_auth' CHECK (status IN
    ('choosing', 'active', 'paused', 'needs_auth', 'failing', 'removing')),
  error text DEFAULT
    'This connection was imported without its credential; connect the account again.',
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  failing_since timestamptz,
  interval_s integer NOT NULL CHECK (interval_s BETWEEN 300 AND 604800),
  next_at timestamptz,
  last_synced_at timestamptz,
  locked_by uuid,
  locked_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, provider, account_key),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT connections_moments CHECK (in_calendar(
    least(created_at, updated_at, failing_since, next_at, last_synced_at, locked_until),
    greatest(created_at, updated_at, failing_since, next_at, last_synced_at, locked_until)))
);
CREATE INDEX connections_due ON connections (tenant_id, next_at)
  WHERE status IN ('active', 'failing');
CREATE INDEX connections_project ON connections (tenant_id, project_id);
CREATE INDEX connections_user ON connections (tenant_id, user_id);
ALTER TABLE connections ENABLE ROW LEVEL SECURITY;
ALTER TABLE connections FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON connections USING (tenant_id = bound_tenant());

-- What a connection has, and the document each item is here. Documents are many items' to share:
-- the same text is one document. `pending_id` is that of a document that is about to be saved.
CREATE TABLE connection_items (
  tenant_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  reference text NOT NULL CHECK (length(reference) <= 4096),
  revision text,
  document_id uuid,
  pending_id uuid,
  walk integer NOT NULL DEFAULT 0,
  path text,
  problem text,
  hidden_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, connection_id, reference),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT connection_items_moments CHECK (in_calendar(least(created_at, updated_at, hidden_at),
    greatest(created_at, updated_at, hidden_at)))
);
CREATE INDEX connection_items_document ON connection_items (tenant_id, document_id);
CREATE INDEX connection_items_pending ON connection_items (tenant_id, pending_id)
  WHERE pending_id IS NOT NULL;
CREATE INDEX connection_items_walk ON connection_items (tenant_id, connection_id, walk);
ALTER TABLE connection_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_items FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON connection_items USING (tenant_id = bound_tenant());

CREATE TABLE connection_runs (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  connection_id uuid NOT NULL,
  trigger text NOT NULL CHECK (trigger IN ('clock', 'webhook', 'person')),
  outcome text CHECK (outcome IN ('done', 'failed', 'needs_auth', 'rate_limited', 'stopped')),
  error text,
  added integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  deleted integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  errors jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(errors) = 'array'),
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT connection_runs_moments CHECK (in_calendar(least(started_at, ended_at),
    greatest(started_at, ended_at)))
);
CREATE INDEX connection_runs_latest ON connection_runs (tenant_id, connection_id, started_at DESC);
CREATE UNIQUE INDEX connection_runs_open ON connection_runs (tenant_id, connection_id)
  WHERE ended_at IS NULL;
ALTER TABLE connection_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_runs FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON connection_runs USING (tenant_id = bound_tenant());

-- Consents that are under way at other services: found by the hash of their state, used once. What
-- is needed to finish one, and the verifier among it, is sealed.
CREATE TABLE connection_starts (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL CHECK (length(provider) <= 50),
  hash text NOT NULL UNIQUE,
  sealed bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT connection_starts_moments CHECK (in_calendar(
    least(created_at, updated_at, expires_at), greatest(created_at, updated_at, expires_at)))
);
CREATE INDEX connection_starts_user ON connection_starts (tenant_id, user_id);
ALTER TABLE connection_starts ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_starts FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON connection_starts USING (tenant_id = bound_tenant());
CREATE POLICY own_secret ON connection_starts FOR SELECT USING (hash = bound_secret());

-- The address a service calls when something has changed, by the hash of its random part. The
-- secret that its requests are signed with is sealed; `deliveries` are the last it sent.
CREATE TABLE connection_hooks (
  tenant_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  hash text NOT NULL UNIQUE,
  secret bytea NOT NULL,
  deliveries text[] NOT NULL DEFAULT '{}' CHECK (coalesce(array_ndims(deliveries), 1) = 1),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, connection_id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT connection_hooks_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at)))
);
ALTER TABLE connection_hooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_hooks FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON connection_hooks USING (tenant_id = bound_tenant());
CREATE POLICY own_secret ON connection_hooks FOR SELECT USING (hash = bound_secret());

-- Vectors outside PostgreSQL

-- The index that is kept up to date; `filled_at` says since when it has everything.
CREATE TABLE vector_copies (
  name text PRIMARY KEY CHECK (length(name) <= 500),
  filled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT vector_copies_moments CHECK (in_calendar(least(created_at, filled_at),
    greatest(created_at, filled_at)))
);

-- Vectors that were made, changed or removed since. No foreign key: it outlives what it names.
CREATE TABLE vector_changes (
  tenant_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  owner_kind text NOT NULL CHECK (owner_kind IN ('chunk', 'memory')),
  owner_id uuid NOT NULL,
  model text NOT NULL,
  dimensions integer NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
ALTER TABLE vector_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE vector_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON vector_changes USING (tenant_id = bound_tenant());

-- Tenants that are gone, until that index has nothing of theirs either.
CREATE TABLE erased_tenants (
  id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT erased_tenants_moments CHECK (in_calendar(created_at, created_at))
);

CREATE FUNCTION note_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  kinds text[];
  ids uuid[];
  models text[];
  sizes integer[];
BEGIN
  IF NOT EXISTS (SELECT FROM vector_copies) THEN
    RETURN NULL;
  END IF;
  FOR owner, kinds, ids, models, sizes IN SELECT tenant_id, array_agg(owner_kind),
    array_agg(owner_id), array_agg(model), array_agg(vector_dims(vector))
    FROM changed GROUP BY tenant_id
  LOOP
    INSERT INTO vector_changes (tenant_id, owner_kind, owner_id, model, dimensions)
      SELECT owner, c.* FROM unnest(kinds, ids, models, sizes) AS c;
    PERFORM set_config('remem.vectors_changed', 'on', true);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER embeddings_made AFTER INSERT ON embeddings REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_vectors();
CREATE TRIGGER embeddings_changed AFTER UPDATE ON embeddings REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_vectors();
CREATE TRIGGER embeddings_gone AFTER DELETE ON embeddings REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_vectors();

-- What filters compare is beside the vector there, so it changes with the row.
CREATE FUNCTION note_described() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM vector_copies) THEN
    RETURN NULL;
  END IF;
  -- The process that commits reads this, and carries the changes.
  PERFORM set_config('remem.vectors_changed', 'on', true);
  IF TG_TABLE_NAME = 'documents' THEN
    INSERT INTO vector_changes (tenant_id, owner_kind, owner_id, model, dimensions)
      SELECT e.tenant_id, e.owner_kind, e.owner_id, e.model, vector_dims(e.vector)
      FROM embeddings e WHERE e.tenant_id = NEW.tenant_id AND (
        (e.owner_kind = 'chunk' AND e.owner_id IN (SELECT c.id FROM chunks c
          WHERE c.tenant_id = NEW.tenant_id AND c.document_id = NEW.id))
        OR (e.owner_kind = 'memory' AND e.owner_id IN (SELECT m.id FROM memories m
          WHERE m.tenant_id = NEW.tenant_id AND m.document_id = NEW.id)));
    RETURN NULL;
  END IF;
  INSERT INTO vector_changes (tenant_id, owner_kind, owner_id, model, dimensions)
    SELECT e.tenant_id, e.owner_kind, e.owner_id, e.model, vector_dims(e.vector)
    FROM embeddings e WHERE e.tenant_id = NEW.tenant_id AND e.owner_id = NEW.id
      AND e.owner_kind = CASE TG_TABLE_NAME WHEN 'chunks' THEN 'chunk' ELSE 'memory' END;
  RETURN NULL;
END $$;
CREATE TRIGGER documents_described
  AFTER UPDATE OF title, content_type, source_url, metadata, tags, created_at ON documents
  FOR EACH ROW WHEN ((OLD.title, OLD.content_type, OLD.source_url, OLD.metadata, OLD.tags,
    OLD.created_at) IS DISTINCT FROM (NEW.title, NEW.content_type, NEW.source_url, NEW.metadata,
    NEW.tags, NEW.created_at)) EXECUTE FUNCTION note_described();
CREATE TRIGGER chunks_described AFTER UPDATE OF content, said_at ON chunks
  FOR EACH ROW WHEN ((OLD.content, OLD.said_at) IS DISTINCT FROM (NEW.content, NEW.said_at))
  EXECUTE FUNCTION note_described();
CREATE TRIGGER memories_described AFTER UPDATE OF title, content, category, context, tags,
    document_id, occurred_at, said_at, created_at ON memories
  FOR EACH ROW WHEN ((OLD.title, OLD.content, OLD.category, OLD.context, OLD.tags,
    OLD.document_id, OLD.occurred_at, OLD.said_at, OLD.created_at) IS DISTINCT FROM (NEW.title,
    NEW.content, NEW.category, NEW.context, NEW.tags, NEW.document_id, NEW.occurred_at,
    NEW.said_at, NEW.created_at)) EXECUTE FUNCTION note_described();

CREATE FUNCTION note_erased_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM vector_copies) THEN
    INSERT INTO erased_tenants (id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  END IF;
  DELETE FROM vector_changes WHERE tenant_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER tenants_erased AFTER DELETE ON tenants FOR EACH ROW
  EXECUTE FUNCTION note_erased_tenant();

-- What language models cost, by month and model, for all processes of the server together.
CREATE TABLE token_use (
  month date NOT NULL,
  provider text NOT NULL CHECK (length(provider) <= 50),
  model text NOT NULL CHECK (length(model) <= 500),
  calls bigint NOT NULL DEFAULT 0 CHECK (calls >= 0),
  input_tokens bigint NOT NULL DEFAULT 0 CHECK (input_tokens >= 0),
  output_tokens bigint NOT NULL DEFAULT 0 CHECK (output_tokens >= 0),
  cost_usd double precision NOT NULL DEFAULT 0 CHECK (cost_usd >= 0),
  PRIMARY KEY (month, provider, model)
);

-- What a process knows about keys and suspended tenants is right for one version of this row, which
-- changes when a key is revoked, changed or deleted, or a tenant gets another plan or is suspended.
-- It is random, so that no version is used twice, not even after a restore.
CREATE TABLE access_version (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  version uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO access_version DEFAULT VALUES;

CREATE FUNCTION renew_access_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE access_version SET version = gen_random_uuid();
  RETURN NULL;
END $$;
-- At the end of the transaction, so that nobody waits for a row that a long one has changed.
CREATE CONSTRAINT TRIGGER api_keys_changed AFTER UPDATE OF scopes, revoked_at, expires_at ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.scopes, OLD.revoked_at, OLD.expires_at)
    IS DISTINCT FROM (NEW.scopes, NEW.revoked_at, NEW.expires_at))
  EXECUTE FUNCTION renew_access_version();
CREATE CONSTRAINT TRIGGER api_keys_deleted AFTER DELETE ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION renew_access_version();
CREATE CONSTRAINT TRIGGER subscriptions_changed
  AFTER UPDATE OF plan, memory_limit, suspended_at ON subscriptions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.plan, OLD.memory_limit, OLD.suspended_at)
    IS DISTINCT FROM (NEW.plan, NEW.memory_limit, NEW.suspended_at))
  EXECUTE FUNCTION renew_access_version();

-- The operator lists tenants a page at a time: one transaction sees what they are called, and
-- nothing that belongs to them.
CREATE FUNCTION bound_operator() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT current_setting('remem.operator', true) = 'on' $$;
CREATE POLICY operator ON tenants FOR SELECT USING (bound_operator());

-- Tags and authors are indexed by word. A worker indexes those of documents saved before.
CREATE TABLE documents_to_index (
  tenant_id uuid NOT NULL,
  document_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, document_id),
  FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE documents_to_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents_to_index FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON documents_to_index USING (tenant_id = bound_tenant());

-- Each tenant's vectors belong to one model. When another model of this machine takes its place,
-- they are re-embedded in the background and searched as they are until all of them are.
CREATE TABLE vector_models (
  tenant_id uuid PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
  model text NOT NULL,
  moving_to text CHECK (moving_to <> model),
  moved_at timestamptz,
  CONSTRAINT vector_models_moments CHECK (in_calendar(moved_at, moved_at))
);
ALTER TABLE vector_models ENABLE ROW LEVEL SECURITY;
ALTER TABLE vector_models FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON vector_models USING (tenant_id = bound_tenant());
-- Forms of words share keys in the text index. A worker adds those of texts saved before, in the
-- order of their ids; a row says how far it is.
CREATE TABLE keys_to_index (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  owner_kind text NOT NULL CHECK (owner_kind IN ('chunk', 'memory')),
  done_until uuid NOT NULL,
  PRIMARY KEY (tenant_id, owner_kind)
);
ALTER TABLE keys_to_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE keys_to_index FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON keys_to_index USING (tenant_id = bound_tenant());

-- Sentences that a person pins for their assistants: of one project, or everywhere.
CREATE TABLE standing_instructions (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  project_id uuid,
  content text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT standing_instructions_content_check CHECK (length(content) BETWEEN 1 AND 300),
  CONSTRAINT standing_instructions_moments CHECK (in_calendar(least(created_at, updated_at),
    greatest(created_at, updated_at)))
);
CREATE INDEX standing_instructions_user ON standing_instructions (tenant_id, user_id, project_id);
ALTER TABLE standing_instructions ENABLE ROW LEVEL SECURITY;
ALTER TABLE standing_instructions FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON standing_instructions USING (tenant_id = bound_tenant());

-- Keys that clients send with a save, so that a repeated request saves nothing twice, even if the
-- document was changed or deleted meanwhile.
CREATE TABLE save_keys (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  user_id uuid NOT NULL,
  key text NOT NULL,
  document_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, user_id, key),
  CONSTRAINT save_keys_key_check CHECK (length(key) BETWEEN 1 AND 200),
  CONSTRAINT save_keys_moments CHECK (in_calendar(created_at, created_at))
);
CREATE INDEX save_keys_age ON save_keys (tenant_id, user_id, created_at);
ALTER TABLE save_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE save_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON save_keys USING (tenant_id = bound_tenant());

-- Secret addresses at which calendar programs read what is due.
CREATE TABLE calendars (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  project_id uuid,
  name text NOT NULL,
  hash text NOT NULL UNIQUE,
  expires_at timestamptz,
  last_read_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT calendars_name_check CHECK (length(name) BETWEEN 1 AND 100),
  CONSTRAINT calendars_moments CHECK (in_calendar(least(created_at, expires_at, last_read_at),
    greatest(created_at, expires_at, last_read_at)))
);
CREATE INDEX calendars_user ON calendars (tenant_id, user_id);
ALTER TABLE calendars ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendars FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON calendars USING (tenant_id = bound_tenant());
CREATE POLICY own_secret ON calendars FOR SELECT USING (hash = bound_secret());

CREATE TABLE deliveries (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  channel text NOT NULL,
  shown text NOT NULL,
  target bytea NOT NULL,
  page_url text NOT NULL,
  minute integer NOT NULL,
  time_zone text NOT NULL,
  is_on boolean NOT NULL DEFAULT true,
  confirm_tries integer NOT NULL DEFAULT 0,
  confirmed_at timestamptz,
  next_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT deliveries_channel_check CHECK (channel IN ('mail', 'ntfy', 'webhook')),
  CONSTRAINT deliveries_minute_check CHECK (minute BETWEEN 0 AND 1439),
  CONSTRAINT deliveries_moments CHECK (in_calendar(
    least(created_at, updated_at, confirmed_at, next_at, expires_at),
    greatest(created_at, updated_at, confirmed_at, next_at, expires_at)))
);
CREATE INDEX deliveries_user ON deliveries (tenant_id, user_id);
CREATE INDEX deliveries_due ON deliveries (tenant_id, next_at) WHERE is_on;
ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON deliveries USING (tenant_id = bound_tenant());

CREATE TABLE delivery_messages (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  kind text NOT NULL,
  day date,
  status text NOT NULL DEFAULT 'waiting',
  attempts integer NOT NULL DEFAULT 0,
  reason text,
  next_try_at timestamptz,
  lease_until timestamptz,
  handed_over_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, delivery_id) REFERENCES deliveries (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT delivery_messages_kind_check CHECK (kind IN ('morning', 'test', 'code')),
  CONSTRAINT delivery_messages_status_check CHECK (status IN
    ('waiting', 'sending', 'sent', 'nothing', 'failed', 'unclear')),
  CONSTRAINT delivery_messages_day_check CHECK ((kind = 'morning') = (day IS NOT NULL)),
  CONSTRAINT delivery_messages_moments CHECK (in_calendar(
    least(created_at, next_try_at, lease_until, handed_over_at, ended_at),
    greatest(created_at, next_try_at, lease_until, handed_over_at, ended_at)))
);
-- One morning page a day.
CREATE UNIQUE INDEX delivery_messages_day ON delivery_messages (tenant_id, delivery_id, day)
  WHERE kind = 'morning';
CREATE INDEX delivery_messages_newest
  ON delivery_messages (tenant_id, delivery_id, created_at DESC, id DESC);
CREATE INDEX delivery_messages_open ON delivery_messages (tenant_id, created_at)
  WHERE status IN ('waiting', 'sending');
ALTER TABLE delivery_messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_messages FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON delivery_messages USING (tenant_id = bound_tenant());

CREATE TABLE entity_names (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  memory_id uuid,
  target_name text NOT NULL,
  target_normalized text NOT NULL,
  target_type text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE NULLS NOT DISTINCT (tenant_id, project_id, name, memory_id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT entity_names_name_check CHECK (length(name) BETWEEN 1 AND 200),
  CONSTRAINT entity_names_target_check CHECK (length(target_name) BETWEEN 1 AND 200
    AND length(target_normalized) BETWEEN 1 AND 200),
  CONSTRAINT entity_names_type_check CHECK (target_type IN
    ('person', 'organization', 'place', 'system', 'concept', 'technology', 'api', 'file',
     'event')),
  CONSTRAINT entity_names_moments CHECK (in_calendar(created_at, created_at))
);
CREATE INDEX entity_names_target ON entity_names (tenant_id, project_id, target_normalized);
ALTER TABLE entity_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE entity_names FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON entity_names USING (tenant_id = bound_tenant());

CREATE TABLE entity_edits (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  project_id uuid NOT NULL,
  kind text NOT NULL,
  summary text NOT NULL,
  entity_ids uuid[] NOT NULL,
  before jsonb NOT NULL,
  undone_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT entity_edits_kind_check CHECK (kind IN ('rename', 'merge', 'split')),
  CONSTRAINT entity_edits_moments CHECK (in_calendar(least(created_at, undone_at),
    greatest(created_at, undone_at)))
);
CREATE INDEX entity_edits_newest ON entity_edits (tenant_id, created_at DESC, id DESC);
ALTER TABLE entity_edits ENABLE ROW LEVEL SECURITY;
ALTER TABLE entity_edits FORCE ROW LEVEL SECURITY;
CREATE POLICY bound_tenant ON entity_edits USING (tenant_id = bound_tenant());
