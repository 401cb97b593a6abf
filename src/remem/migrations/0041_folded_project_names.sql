-- A project is found by its name in any spelling, and shown in the one that was sent first.

-- What the spellings of a name share. Older versions added a hash of the spelling.
CREATE FUNCTION folded_slug(slug text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT translate(regexp_replace(slug, '--[0-9a-f]{12}$', ''), '-_', '') $$;
CREATE INDEX projects_folded ON projects (tenant_id, folded_slug(slug));
-- How a project is named to those who use it: as they first sent it.
CREATE FUNCTION project_ref(slug text, name text, settings jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(settings->>'spelling',
    CASE WHEN slug ~ '--[0-9a-f]{12}$' THEN name ELSE slug END) $$;
