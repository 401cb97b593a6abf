-- Counting what is queued or failed reads only that, however much was done before.
CREATE INDEX jobs_unfinished ON jobs (tenant_id, status) WHERE status <> 'completed';
