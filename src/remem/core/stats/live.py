"""Live updates: running jobs, and what changed since the last read."""

from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from remem.core.documents.progress import STAGE_STARTS
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.stats import stats_store
from remem.core.time import id_at, now

CHANGES_LIMIT = 200
JOBS_LIMIT = 50
# Changes of a transaction that ran longer than this before its commit are missed.
OVERLAP = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class LiveChange:
    """An event of the audit trail, without its data."""

    id: UUID
    kind: str
    subject_id: UUID
    type: str


@dataclass(frozen=True, slots=True)
class JobProgress:
    """A job; `stage` is that of its document or import; `progress` is from 0 to 1."""

    id: UUID
    name: str
    status: str
    subject_id: UUID
    document_id: UUID | None
    title: str | None
    stage: str
    progress: float
    error: str | None

    @property
    def is_under_way(self) -> bool:
        return self.status in ("pending", "processing")


@dataclass(frozen=True, slots=True)
class Seen:
    """What was already sent to a reader."""

    changes: frozenset[UUID] = frozenset()
    jobs: dict[UUID, JobProgress] = field(default_factory=dict)
    # The first update has the running jobs, and no earlier changes.
    is_first: bool = True


@dataclass(frozen=True, slots=True)
class LiveUpdate:
    changes: list[LiveChange]
    jobs: list[JobProgress]
    # There were more changes than can be sent: the reader should reload everything.
    overflowed: bool = False


async def read_updates(ports: Ports, scope: Scope, seen: Seen) -> tuple[LiveUpdate, Seen]:
    """What is new to the reader, and what they have seen after it."""
    async with ports.db.transaction(scope) as tx:
        since = id_at(now() - OVERLAP)
        rows = await stats_store.changes_since(tx, since, CHANGES_LIMIT + 1)
        known_ids = [job.id for job in seen.jobs.values() if job.is_under_way]
        job_rows = await stats_store.jobs_under_way(tx, known_ids, since, JOBS_LIMIT)
    changes = [LiveChange(**row) for row in rows]
    jobs = [_progress(row) for row in job_rows]
    update = LiveUpdate(
        [change for change in changes if not seen.is_first and change.id not in seen.changes],
        [
            job
            for job in jobs
            if seen.jobs.get(job.id) != job and (job.is_under_way or not seen.is_first)
        ],
        overflowed=len(changes) > CHANGES_LIMIT and not seen.is_first,
    )
    change_ids = frozenset(change.id for change in changes)
    return update, Seen(change_ids, {job.id: job for job in jobs}, is_first=False)


def _progress(row: stats_store.JobRow) -> JobProgress:
    stage = row.document_status or row.import_stage or row.status
    share = STAGE_STARTS.get(stage, 1.0) if row.document_status else row.import_share
    if stage == "embedding" and row.chunks:
        share += (STAGE_STARTS["indexing"] - share) * row.embedded / row.chunks
    if row.status in ("completed", "failed"):
        share = float(row.status == "completed")
    return JobProgress(
        id=row.id,
        name=row.name,
        status=row.status,
        subject_id=row.subject_id,
        document_id=row.subject_id if row.document_status else None,
        title=row.title,
        stage=stage,
        progress=round(share, 3),
        error=row.error,
    )
