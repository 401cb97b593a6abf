-- Letters that are one letter in upper case are one letter in the name of a project: the dotless i
-- and i, the final sigma and sigma.
DROP INDEX projects_folded;
CREATE OR REPLACE FUNCTION folded_slug(slug text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT translate(regexp_replace(slug, '--[0-9a-f]{12}$', ''), 'ıς-_', 'iσ') $$;
CREATE INDEX projects_folded ON projects (tenant_id, folded_slug(slug));
