"""What is going on now: work under way, and what changed since the last look."""

from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from remem.core.documents.progress import BEGINS
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.stats import store
from remem.core.time import id_at, now

CHANGES_LIMIT = 200
JOBS_LIMIT = 50
# A transaction that took longer than this before it was committed is not seen as a change.
OVERLAP = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class LiveChange:
    """One line of the audit trail, without its data."""

    id: UUID
    kind: str
    subject_id: UUID
    type: str


@dataclass(frozen=True, slots=True)
class JobProgress:
    """`stage` is that of its document or import; `progress` goes from 0 to 1."""

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
    """What a reader knows already."""

    changes: frozenset[UUID] = frozenset()
    jobs: dict[UUID, JobProgress] = field(default_factory=dict)
    # The first look tells what is under way, and no change from before it.
    is_first: bool = True


@dataclass(frozen=True, slots=True)
class News:
    changes: list[LiveChange]
    jobs: list[JobProgress]
    # There was more than can be sent: the reader should read everything again.
    overflowed: bool = False


async def read_news(ports: Ports, scope: Scope, seen: Seen) -> tuple[News, Seen]:
    """What the reader does not know yet, and what they know then."""
    async with ports.db.transaction(scope) as tx:
        since = id_at(now() - OVERLAP)
        rows = await store.changes_since(tx, scope, since, CHANGES_LIMIT + 1)
        known = [one.id for one in seen.jobs.values() if one.is_under_way]
        working = await store.jobs_under_way(tx, scope, known, since, JOBS_LIMIT)
    changes = [LiveChange(**row) for row in rows]
    jobs = [_progress(row) for row in working]
    news = News(
        [one for one in changes if not seen.is_first and one.id not in seen.changes],
        [
            one
            for one in jobs
            if seen.jobs.get(one.id) != one and (one.is_under_way or not seen.is_first)
        ],
        overflowed=len(changes) > CHANGES_LIMIT and not seen.is_first,
    )
    ids = frozenset(one.id for one in changes)
    return news, Seen(ids, {one.id: one for one in jobs}, is_first=False)


def _progress(row: store.UnderWay) -> JobProgress:
    stage = row.document_status or row.import_stage or row.status
    share = BEGINS.get(stage, 1.0) if row.document_status else row.import_share
    if stage == "embedding" and row.chunks:
        share += (BEGINS["indexing"] - share) * row.embedded / row.chunks
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
