"""SQL of jobs."""

from uuid import UUID

from remem.core.transaction import Row, Tx

# How many waiting jobs of a tenant are counted.
_COUNTED = 10_000


async def insert(tx: Tx, id: UUID, name: str, subject_id: UUID) -> None:
    await tx.execute(
        "INSERT INTO jobs (tenant_id, id, user_id, name, subject_id) VALUES ($1, $2, $3, $4, $5)",
        id,
        tx.scope.user_id,
        name,
        subject_id,
    )


async def begin(tx: Tx, id: UUID, attempt: int) -> None:
    await tx.execute(
        "UPDATE jobs SET status = 'processing', attempts = $3, updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2",
        id,
        attempt,
    )


async def finish(
    tx: Tx,
    id: UUID,
    status: str,
    error: str | None,
    *,
    waits_for_room: bool = False,
) -> None:
    finished_at = "now()" if status in ("completed", "failed") else "NULL"
    await tx.execute(
        "UPDATE jobs SET status = $3, error = $4, waits_for_room = $5, updated_at = now(),"
        f" finished_at = {finished_at} WHERE tenant_id = $1 AND id = $2",
        id,
        status,
        error,
        waits_for_room,
    )


async def any_waits_for_room(tx: Tx) -> bool:
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM jobs WHERE tenant_id = $1 AND waits_for_room)"
    )


async def take_waiting_for_room(tx: Tx, limit: int) -> list[Row]:
    """The oldest jobs that wait for room, which are pending from now on."""
    return await tx.fetch(
        "UPDATE jobs SET status = 'pending', waits_for_room = false, finished_at = NULL,"
        " updated_at = now() WHERE tenant_id = $1 AND id IN (SELECT id FROM jobs"
        " WHERE tenant_id = $1 AND waits_for_room ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)"
        " RETURNING id, name, user_id, subject_id",
        limit,
    )


_SELECT = "SELECT id, name, subject_id, status, attempts, error, created_at, finished_at FROM jobs"


async def find(tx: Tx, id: UUID) -> Row | None:
    return await tx.fetchrow(f"{_SELECT} WHERE tenant_id = $1 AND id = $2", id)


async def latest(tx: Tx, status: str | None, limit: int) -> list[Row]:
    """The latest jobs, newest first; ids sort by the time they were created."""
    return await tx.fetch(
        f"{_SELECT} WHERE tenant_id = $1 AND ($2::text IS NULL OR status = $2)"
        " ORDER BY id DESC LIMIT $3",
        status,
        limit,
    )


async def has_open(tx: Tx, name: str, subject_id: UUID) -> bool:
    """Whether such a job is open. A lock makes the second of two concurrent callers wait for the
    first to commit."""
    await tx.system.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2::uuid::text, 0))",
        name,
        subject_id,
    )
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM jobs WHERE tenant_id = $1 AND subject_id = $2 AND name = $3"
        " AND status IN ('pending', 'processing'))",
        subject_id,
        name,
    )


async def lock_pending(tx: Tx, name: str, subject_id: UUID) -> UUID | None:
    """Lock a job that has not started, so that it does not start before this transaction ends."""
    return await tx.fetchval(
        "SELECT id FROM jobs WHERE tenant_id = $1 AND name = $2 AND subject_id = $3"
        " AND status = 'pending' ORDER BY id LIMIT 1 FOR UPDATE",
        name,
        subject_id,
    )


async def underway(tx: Tx, name: str, subject_id: UUID) -> UUID | None:
    return await tx.fetchval(
        "SELECT id FROM jobs WHERE tenant_id = $1 AND name = $2 AND subject_id = $3"
        " AND status IN ('pending', 'processing') ORDER BY id LIMIT 1",
        name,
        subject_id,
    )


async def next_turn(tx: Tx) -> int:
    """The second, counted from 2025, in which a new job of the tenant would begin if each of its
    waiting ones took one second."""
    return await tx.fetchval(
        "SELECT extract(epoch FROM now() - '2025-01-01'::timestamptz)::int + count(*)::int"
        " FROM (SELECT FROM jobs WHERE tenant_id = $1 AND status = 'pending' LIMIT $2) waiting",
        _COUNTED,
    )
