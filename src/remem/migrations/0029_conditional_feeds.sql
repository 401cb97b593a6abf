-- What the server of a feed says of the version that was read last, so that it can answer that
-- nothing has changed.
ALTER TABLE feeds
  ADD COLUMN etag text,
  ADD COLUMN last_modified text,
  ADD CONSTRAINT feeds_etag_check CHECK (length(etag) <= 500),
  ADD CONSTRAINT feeds_last_modified_check CHECK (length(last_modified) <= 500);

-- What is the work of a project has one. The owner of the tables must see every row for once.
ALTER TABLE evolution_jobs NO FORCE ROW LEVEL SECURITY;
DELETE FROM evolution_jobs
  WHERE (project_id IS NOT NULL) IS DISTINCT FROM (job_type IN ('arena', 'consolidation'));
ALTER TABLE evolution_jobs ADD CONSTRAINT evolution_jobs_project_check
  CHECK ((project_id IS NOT NULL) = (job_type IN ('arena', 'consolidation')));
ALTER TABLE evolution_jobs FORCE ROW LEVEL SECURITY;
