-- What SQL can say about values, it says: dates within the calendar, objects that are objects,
-- lengths, tags, media types, URL schemes. A row that breaks these rules could not be shown.

ALTER TABLE events ADD COLUMN claimed_actor text;
ALTER TABLE imports ADD COLUMN actor text;

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

-- Rows that break the rules are repaired first: dates are clipped to the calendar, texts cut, tags
-- flattened; what is no object, or too deep for one, is kept as text inside an object; an address
-- that no browser should open moves into the metadata. Only such rows are written.

CREATE FUNCTION pg_temp.clip_moment(moment timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE
  AS $$ SELECT CASE WHEN moment IS NULL THEN NULL
    WHEN moment < '0001-01-01 00:00:00+00' THEN '0001-01-01 00:00:00+00'::timestamptz
    WHEN moment >= '10000-01-01 00:00:00+00' THEN '9999-12-31 23:59:59.999999+00'::timestamptz
    ELSE moment END $$;
CREATE FUNCTION pg_temp.made_plain(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE
  AS $$ SELECT jsonb_build_object('unreadable', left(value::text, 100000)) $$;
CREATE FUNCTION pg_temp.made_tags(tags text[]) RETURNS text[] LANGUAGE sql IMMUTABLE
  AS $$ SELECT ARRAY(SELECT left(tag, 100) FROM unnest(tags) AS tag WHERE tag <> '' LIMIT 100) $$;

-- The owner of a table sees all of its rows only while its policies are not forced.
CREATE TEMP TABLE forced ON COMMIT DROP AS SELECT oid::regclass AS name FROM pg_class
  WHERE relforcerowsecurity AND relnamespace = current_schema()::regnamespace;
DO $$
DECLARE
  one regclass;
BEGIN
  FOR one IN SELECT name FROM forced LOOP
    EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', one);
  END LOOP;
END $$;
ALTER TABLE events DISABLE TRIGGER events_are_final;

UPDATE users SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  name = left(name, 200)
WHERE NOT in_calendar(least(created_at, updated_at), greatest(created_at, updated_at))
  OR NOT (length(name) <= 200);
UPDATE tenants SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  name = left(name, 200)
WHERE NOT in_calendar(least(created_at, updated_at), greatest(created_at, updated_at))
  OR NOT (length(name) <= 200);
UPDATE members SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at)
WHERE NOT in_calendar(least(created_at, updated_at), greatest(created_at, updated_at));
UPDATE api_keys SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  last_used_at = pg_temp.clip_moment(last_used_at),
  revoked_at = pg_temp.clip_moment(revoked_at),
  name = left(name, 100)
WHERE NOT in_calendar(least(created_at, updated_at, last_used_at, revoked_at),
    greatest(created_at, updated_at, last_used_at, revoked_at))
  OR NOT (length(name) <= 100);
UPDATE sign_ins SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  expires_at = pg_temp.clip_moment(expires_at)
WHERE NOT in_calendar(least(created_at, updated_at, expires_at), greatest(created_at,
    updated_at, expires_at));
UPDATE oauth_clients SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  used_at = pg_temp.clip_moment(used_at)
WHERE NOT in_calendar(least(created_at, updated_at, used_at), greatest(created_at,
    updated_at, used_at));
UPDATE oauth_grants SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  last_used_at = pg_temp.clip_moment(last_used_at),
  revoked_at = pg_temp.clip_moment(revoked_at)
WHERE NOT in_calendar(least(created_at, updated_at, last_used_at, revoked_at),
    greatest(created_at, updated_at, last_used_at, revoked_at));
UPDATE oauth_codes SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  expires_at = pg_temp.clip_moment(expires_at),
  used_at = pg_temp.clip_moment(used_at)
WHERE NOT in_calendar(least(created_at, updated_at, expires_at, used_at),
    greatest(created_at, updated_at, expires_at, used_at));
UPDATE oauth_tokens SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  expires_at = pg_temp.clip_moment(expires_at),
  used_at = pg_temp.clip_moment(used_at),
  dropped_at = pg_temp.clip_moment(dropped_at)
WHERE NOT in_calendar(least(created_at, updated_at, expires_at, used_at, dropped_at),
    greatest(created_at, updated_at, expires_at, used_at, dropped_at));
UPDATE subscriptions SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at)
WHERE NOT in_calendar(least(created_at, updated_at), greatest(created_at, updated_at));
UPDATE projects SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  archived_at = pg_temp.clip_moment(archived_at),
  name = coalesce(nullif(left(name, 200), ''), left(slug, 200)),
  description = left(description, 2000),
  slug = CASE WHEN length(slug) BETWEEN 1 AND 255 THEN slug ELSE left(slug, 200) ||
    '-' || left(md5(id::text), 8) END,
  settings = CASE WHEN is_plain_object(settings) THEN settings ELSE
    pg_temp.made_plain(settings) END
WHERE NOT in_calendar(least(created_at, updated_at, archived_at), greatest(created_at,
    updated_at, archived_at))
  OR NOT (length(name) BETWEEN 1 AND 200)
  OR NOT (length(description) <= 2000)
  OR NOT (length(slug) BETWEEN 1 AND 255)
  OR NOT (is_plain_object(settings));
UPDATE sessions SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  closed_at = pg_temp.clip_moment(closed_at),
  agent = left(agent, 200),
  title = left(title, 500)
WHERE NOT in_calendar(least(created_at, updated_at, closed_at), greatest(created_at,
    updated_at, closed_at))
  OR NOT (length(agent) <= 200)
  OR NOT (length(title) <= 500);
UPDATE turns SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  at = pg_temp.clip_moment(at),
  role = left(role, 100),
  evidence = CASE WHEN is_plain_object(evidence) THEN evidence ELSE
    pg_temp.made_plain(evidence) END
WHERE NOT in_calendar(least(created_at, updated_at, at), greatest(created_at, updated_at,
    at))
  OR NOT (length(role) <= 100)
  OR NOT (is_plain_object(evidence));
UPDATE blobs SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  released_at = pg_temp.clip_moment(released_at),
  name = left(name, 255),
  media_type = CASE WHEN length(media_type) <= 255 AND media_type ~ '^[!-~]+/[ -~]+$'
    THEN media_type ELSE 'application/octet-stream' END,
  size = greatest(size, 0)
WHERE NOT in_calendar(least(created_at, updated_at, released_at), greatest(created_at,
    updated_at, released_at))
  OR NOT (length(name) <= 255)
  OR NOT (length(media_type) <= 255 AND media_type ~ '^[!-~]+/[ -~]+$')
  OR NOT (size >= 0);
UPDATE documents SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  forget_after = pg_temp.clip_moment(forget_after),
  last_accessed_at = pg_temp.clip_moment(last_accessed_at),
  title = left(title, 500),
  metadata = CASE WHEN is_plain_object(metadata) THEN metadata ELSE
    pg_temp.made_plain(metadata) END || CASE WHEN length(source_url) <= 2048 AND source_url
    ~* '^(https?|file|session):' AND source_url !~ '[[:cntrl:][:space:]]' OR
    source_url IS NULL THEN '{}' ELSE jsonb_build_object('source_url',
    left(source_url, 2048)) END,
  tags = CASE WHEN is_tag_list(tags) THEN tags ELSE pg_temp.made_tags(tags) END,
  source_url = CASE WHEN length(source_url) <= 2048 AND source_url ~*
    '^(https?|file|session):' AND source_url !~ '[[:cntrl:][:space:]]' THEN
    source_url ELSE NULL END,
  content_type = CASE WHEN content_type ~ '^[a-z]{1,40}$' THEN content_type ELSE
    'text' END,
  source = left(source, 100),
  version = greatest(version, 1),
  marks = CASE WHEN jsonb_typeof(marks) = 'array' THEN marks ELSE '[]' END
WHERE NOT in_calendar(least(created_at, updated_at, forget_after, last_accessed_at),
    greatest(created_at, updated_at, forget_after, last_accessed_at))
  OR NOT (length(title) <= 500)
  OR NOT (is_plain_object(metadata))
  OR NOT (is_tag_list(tags))
  OR NOT (length(source_url) <= 2048 AND source_url ~* '^(https?|file|session):' AND
    source_url !~ '[[:cntrl:][:space:]]')
  OR NOT (content_type ~ '^[a-z]{1,40}$')
  OR NOT (length(source) <= 100)
  OR NOT (version >= 1)
  OR NOT (jsonb_typeof(marks) = 'array');
UPDATE chunks SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  said_at = pg_temp.clip_moment(said_at),
  heading_path = CASE WHEN coalesce(array_ndims(heading_path), 1) = 1 THEN
    heading_path ELSE ARRAY(SELECT heading FROM unnest(heading_path) AS heading
    WHERE heading IS NOT NULL) END,
  at_s = CASE WHEN at_s >= 0 AND at_s < 'infinity' THEN at_s ELSE NULL END,
  asks = CASE WHEN asks > '-infinity' AND asks < 'infinity' THEN asks ELSE 0 END
WHERE NOT in_calendar(least(created_at, updated_at, said_at), greatest(created_at,
    updated_at, said_at))
  OR NOT (coalesce(array_ndims(heading_path), 1) = 1)
  OR NOT (at_s >= 0 AND at_s < 'infinity')
  OR NOT (asks > '-infinity' AND asks < 'infinity');
UPDATE memories SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  valid_from = pg_temp.clip_moment(valid_from),
  valid_until = pg_temp.clip_moment(valid_until),
  due_at = pg_temp.clip_moment(due_at),
  occurred_at = pg_temp.clip_moment(occurred_at),
  last_accessed_at = pg_temp.clip_moment(last_accessed_at),
  deleted_at = pg_temp.clip_moment(deleted_at),
  title = left(title, 500),
  source = left(source, 100),
  context = CASE WHEN is_plain_object(context) THEN context ELSE pg_temp.made_plain(context)
    END,
  evidence = CASE WHEN is_plain_object(evidence) THEN evidence ELSE
    pg_temp.made_plain(evidence) END,
  tags = CASE WHEN is_tag_list(tags) THEN tags ELSE pg_temp.made_tags(tags) END,
  version = greatest(version, 1),
  access_count = greatest(access_count, 0)
WHERE NOT in_calendar(least(created_at, updated_at, valid_from, valid_until, due_at,
    occurred_at, last_accessed_at, deleted_at), greatest(created_at, updated_at,
    valid_from, valid_until, due_at, occurred_at, last_accessed_at, deleted_at))
  OR NOT (length(title) <= 500)
  OR NOT (length(source) <= 100)
  OR NOT (is_plain_object(context))
  OR NOT (is_plain_object(evidence))
  OR NOT (is_tag_list(tags))
  OR NOT (version >= 1)
  OR NOT (access_count >= 0);
UPDATE entities SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  aliases = CASE WHEN coalesce(array_ndims(aliases), 1) = 1 THEN aliases ELSE
    ARRAY(SELECT alias FROM unnest(aliases) AS alias WHERE alias IS NOT NULL) END
WHERE NOT in_calendar(least(created_at, updated_at), greatest(created_at, updated_at))
  OR NOT (coalesce(array_ndims(aliases), 1) = 1);
UPDATE links SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  valid_from = pg_temp.clip_moment(valid_from),
  valid_to = pg_temp.clip_moment(valid_to),
  metadata = CASE WHEN is_plain_object(metadata) THEN metadata ELSE
    pg_temp.made_plain(metadata) END
WHERE NOT in_calendar(least(created_at, updated_at, valid_from, valid_to),
    greatest(created_at, updated_at, valid_from, valid_to))
  OR NOT (is_plain_object(metadata));
UPDATE jobs SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  finished_at = pg_temp.clip_moment(finished_at),
  name = left(name, 100),
  attempts = greatest(attempts, 0)
WHERE NOT in_calendar(least(created_at, updated_at, finished_at), greatest(created_at,
    updated_at, finished_at))
  OR NOT (length(name) <= 100)
  OR NOT (attempts >= 0);
UPDATE imports SET
  created_at = pg_temp.clip_moment(created_at),
  updated_at = pg_temp.clip_moment(updated_at),
  counts = CASE WHEN is_plain_object(counts) THEN counts ELSE pg_temp.made_plain(counts) END,
  problems = CASE WHEN jsonb_typeof(problems) = 'array' THEN problems ELSE '[]' END,
  projects = CASE WHEN is_plain_object(projects) THEN projects ELSE
    pg_temp.made_plain(projects) END
WHERE NOT in_calendar(least(created_at, updated_at), greatest(created_at, updated_at))
  OR NOT (is_plain_object(counts))
  OR NOT (jsonb_typeof(problems) = 'array')
  OR NOT (is_plain_object(projects));
UPDATE events SET
  created_at = pg_temp.clip_moment(created_at),
  subject_kind = left(subject_kind, 100),
  type = left(type, 100),
  actor = left(actor, 300),
  request_id = left(request_id, 200),
  data = CASE WHEN is_plain_object(data) THEN data ELSE pg_temp.made_plain(data) END
WHERE NOT in_calendar(created_at, created_at)
  OR NOT (length(subject_kind) <= 100)
  OR NOT (length(type) <= 100)
  OR NOT (length(actor) <= 300)
  OR NOT (length(request_id) <= 200)
  OR NOT (is_plain_object(data));

ALTER TABLE events ENABLE TRIGGER events_are_final;
DO $$
DECLARE
  one regclass;
BEGIN
  FOR one IN SELECT name FROM forced LOOP
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', one);
  END LOOP;
END $$;

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
  ADD CONSTRAINT api_keys_name_check CHECK (length(name) <= 100);
ALTER TABLE sign_ins
  ADD CONSTRAINT sign_ins_moments CHECK (in_calendar(least(created_at, updated_at,
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
    updated_at), greatest(created_at, updated_at)));
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
