"""SQL of the jobs of evolution."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.current import current_memories, shown_memories
from remem.core.evolution.model import EvolutionJob, JobType
from remem.core.evolution.upkeep.evolution_upkeep_store import DECAYS, PROMOTES
from remem.core.time import new_id
from remem.core.transaction import Row, Tx

_COLUMNS = (
    "id, job_type, project_id, status, priority, attempts, result, error, created_at, started_at,"
    " finished_at"
)


def _job(row: Row) -> EvolutionJob:
    return EvolutionJob(**dict(row))


async def lock_jobs(tx: Tx) -> None:
    """Lock the tenant's jobs until the transaction ends, so that no other process queues or
    finishes one: a job finished after its state was read would be queued again."""
    await tx.system.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", f"evolution:{tx.scope.tenant_id}"
    )


async def insert(
    tx: Tx, job_type: JobType, project_id: UUID | None, priority: int
) -> EvolutionJob | None:
    """Queue a job; None if one of this type and project is open already."""
    row = await tx.fetchrow(
        "INSERT INTO evolution_jobs (tenant_id, id, job_type, project_id, priority)"
        f" VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING {_COLUMNS}",
        new_id(),
        job_type,
        project_id,
        priority,
    )
    return _job(row) if row else None


async def find_open(tx: Tx, job_type: JobType, project_id: UUID | None) -> EvolutionJob | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM evolution_jobs WHERE tenant_id = $1 AND job_type = $2"
        " AND project_id IS NOT DISTINCT FROM $3 AND status IN ('pending', 'running')",
        job_type,
        project_id,
    )
    return _job(row) if row else None


async def claim(
    tx: Tx, moment: datetime, lease_until: datetime, tried: Sequence[UUID]
) -> EvolutionJob | None:
    """Claim the most urgent open job without a worker, or whose worker died, except for those tried
    in this run."""
    row = await tx.fetchrow(
        "UPDATE evolution_jobs SET status = 'running', attempts = attempts + 1, started_at = $2,"
        " lease_until = $3, updated_at = now() WHERE tenant_id = $1 AND id = (SELECT id"
        " FROM evolution_jobs WHERE tenant_id = $1 AND id <> ALL($4) AND (status = 'pending'"
        "  OR (status = 'running' AND lease_until < $2))"
        " ORDER BY priority DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED)"
        f" RETURNING {_COLUMNS}",
        moment,
        lease_until,
        list(tried),
    )
    return _job(row) if row else None


async def leased_until(tx: Tx, moment: datetime) -> datetime | None:
    """When the first lease of the running jobs ends."""
    return await tx.fetchval(
        "SELECT min(lease_until) FROM evolution_jobs WHERE tenant_id = $1"
        " AND status = 'running' AND lease_until > $2",
        moment,
    )


async def finish(
    tx: Tx, job: EvolutionJob, status: str, result: dict[str, Any], error: str | None
) -> EvolutionJob | None:
    """Finish a job; None when another worker has it by now."""
    finished_at = "now()" if status in ("completed", "failed") else "NULL"
    row = await tx.fetchrow(
        "UPDATE evolution_jobs SET status = $3, result = $4, error = $5, lease_until = NULL,"
        f" finished_at = {finished_at}, updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2 AND status = 'running' AND attempts = $6"
        f" RETURNING {_COLUMNS}",
        job.id,
        status,
        result,
        error,
        job.attempts,
    )
    return _job(row) if row else None


async def page(
    tx: Tx, job_type: str | None, status: str | None, before: UUID | None, limit: int
) -> list[EvolutionJob]:
    """A page of jobs, newest first."""
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM evolution_jobs WHERE tenant_id = $1"
        " AND ($2::text IS NULL OR job_type = $2) AND ($3::text IS NULL OR status = $3)"
        " AND ($4::uuid IS NULL OR id < $4) ORDER BY id DESC LIMIT $5",
        job_type,
        status,
        before,
        limit,
    )
    return [_job(row) for row in rows]


async def delete_old(tx: Tx, before: datetime) -> None:
    await tx.execute(
        "DELETE FROM evolution_jobs WHERE tenant_id = $1 AND created_at < $2"
        " AND status IN ('completed', 'failed')",
        before,
    )


# What is due

# A job that failed recently is not due yet.
_HAS_RECENT_JOB = (
    "EXISTS (SELECT FROM evolution_jobs j WHERE j.tenant_id = $1 AND j.job_type = '{}'"
    " AND j.project_id IS NOT DISTINCT FROM {} AND j.status = ANY({}) AND j.finished_at > $2)"
)
_FAILED = "'{failed}'::text[]"
_TRIED = "'{completed,failed}'::text[]"


async def lacks_embedding(tx: Tx, failed_since: datetime, models: Sequence[str]) -> bool:
    return await tx.fetchval(
        f"SELECT EXISTS (SELECT FROM memories WHERE tenant_id = $1 AND {shown_memories()}"
        " AND (embedded_with = ANY($3)) IS NOT TRUE) AND NOT "
        + _HAS_RECENT_JOB.format("embedding", "NULL", _FAILED),
        failed_since,
        list(models),
    )


async def lacks_step(tx: Tx, failed_since: datetime, job_type: JobType, step: str) -> bool:
    """Whether a current memory has not been processed by a step."""
    return await tx.fetchval(
        f"SELECT EXISTS (SELECT FROM memories m WHERE m.tenant_id = $1 AND {current_memories('m')}"
        " AND NOT EXISTS (SELECT FROM evolution_marks k WHERE k.tenant_id = $1"
        "  AND k.memory_id = m.id AND k.step = $3)) AND NOT "
        + _HAS_RECENT_JOB.format(job_type, "NULL", _FAILED),
        failed_since,
        step,
    )


async def projects_to_consolidate(
    tx: Tx, failed_since: datetime, moment: datetime, models: Sequence[str]
) -> list[UUID]:
    """Projects with an embedded memory that was not compared yet, or with memories to decay or
    promote."""
    rows = await tx.fetch(
        "SELECT p.id FROM projects p WHERE p.tenant_id = $1 AND p.archived_at IS NULL AND (EXISTS"
        f" (SELECT FROM memories m WHERE m.tenant_id = $1 AND m.project_id = p.id"
        f"  AND {current_memories('m')} AND m.embedded_with = ANY($3) AND NOT EXISTS (SELECT"
        "   FROM evolution_marks k WHERE k.tenant_id = $1 AND k.memory_id = m.id"
        "   AND k.step = 'consolidation'))"
        f" OR EXISTS (SELECT FROM memories m WHERE m.tenant_id = $1 AND m.project_id = p.id"
        f"  AND {current_memories('m')} AND ({DECAYS.format('$4')} OR {PROMOTES})))"
        " AND NOT " + _HAS_RECENT_JOB.format("consolidation", "p.id", _FAILED) + " ORDER BY p.id",
        failed_since,
        list(models),
        moment,
    )
    return [row["id"] for row in rows]


async def projects_with_sessions(tx: Tx, tried_since: datetime) -> list[UUID]:
    """Projects that have sessions or signals, and no arena job since a moment."""
    rows = await tx.fetch(
        "SELECT p.id FROM projects p WHERE p.tenant_id = $1 AND p.archived_at IS NULL"
        " AND (EXISTS (SELECT FROM sessions s WHERE s.tenant_id = $1 AND s.project_id = p.id)"
        "  OR EXISTS (SELECT FROM signals s WHERE s.tenant_id = $1 AND s.project_id = p.id))"
        " AND NOT " + _HAS_RECENT_JOB.format("arena", "p.id", _TRIED) + " ORDER BY p.id",
        tried_since,
    )
    return [row["id"] for row in rows]


async def needs_learning(tx: Tx, tried_since: datetime) -> bool:
    """Whether there are results to share, and they were not shared since a moment."""
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM arena_results WHERE tenant_id = $1) AND NOT "
        + _HAS_RECENT_JOB.format("learning_propagation", "NULL", _TRIED),
        tried_since,
    )
