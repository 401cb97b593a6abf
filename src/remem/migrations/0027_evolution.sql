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

-- What was merged, decayed or promoted, and what it was before: enough to undo it exactly. It goes
-- with the memories it is about.
CREATE TABLE consolidations (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  action text NOT NULL CHECK (action IN ('merge', 'decay', 'promote')),
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
    EXECUTE format('CREATE POLICY bound_tenant ON %I USING (tenant_id = (SELECT bound_tenant()))',
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
