"""SQL of sessions and turns."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.current import undeleted_memories
from remem.core.sessions.model import NewSession, NewTurn, Session, SessionChoice, Turn
from remem.core.time import new_id
from remem.core.transaction import Row, Tx
from remem.core.unreadable import row_values

_COLUMNS = (
    "s.id, s.project_id,"
    " project_ref(p.slug, p.name, p.settings) AS project_ref, s.user_id, s.agent, s.title, s.key,"
    " s.is_recorded, s.closed_at, s.created_at, s.updated_at,"
    " (SELECT count(*) FROM turns t WHERE t.tenant_id = $1 AND t.session_id = s.id)::int"
    " AS turn_count"
)
_FROM = "sessions s JOIN projects p ON p.tenant_id = $1 AND p.id = s.project_id"
_OWN = "s.tenant_id = $1 AND s.user_id = $2"
_TURN = "id, session_id, role, content, evidence, at, created_at"


def _session(row: Row | None) -> Session | None:
    return Session(**row_values(row)) if row else None


async def find(tx: Tx, id: UUID) -> Session | None:
    """One of the caller's own sessions."""
    return _session(
        await tx.fetchrow(
            f"SELECT {_COLUMNS} FROM {_FROM} WHERE {_OWN} AND s.id = $3", tx.scope.user_id, id
        )
    )


async def find_by_key(tx: Tx, key: str) -> Session | None:
    return _session(
        await tx.fetchrow(
            f"SELECT {_COLUMNS} FROM {_FROM} WHERE {_OWN} AND s.key = $3", tx.scope.user_id, key
        )
    )


async def insert(tx: Tx, project_id: UUID, new: NewSession) -> UUID | None:
    """None when the key is taken by a session that another request has just opened."""
    return await tx.fetchval(
        "INSERT INTO sessions (tenant_id, id, project_id, user_id, agent, title, key, is_recorded)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id",
        new_id(),
        project_id,
        tx.scope.user_id,
        new.agent,
        new.title,
        new.key,
        new.is_recorded,
    )


async def lock(tx: Tx, id: UUID) -> bool:
    """Lock a session, so that its turns are added one after the other."""
    return bool(
        await tx.fetchval(
            "SELECT true FROM sessions s WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.id = $3"
            " FOR UPDATE",
            tx.scope.user_id,
            id,
        )
    )


async def close(tx: Tx, id: UUID) -> None:
    """Close a session and release its key, so that the next session can have it."""
    await tx.execute(
        "UPDATE sessions SET closed_at = now(), updated_at = now(), key = NULL"
        " WHERE tenant_id = $1 AND id = $2 AND closed_at IS NULL",
        id,
    )


async def delete(tx: Tx, id: UUID) -> None:
    await tx.execute("DELETE FROM sessions WHERE tenant_id = $1 AND id = $2", id)


async def page(
    tx: Tx,
    choice: SessionChoice,
    project_ids: Sequence[UUID] | None,
    before: tuple[datetime, UUID] | None,
    limit: int,
) -> tuple[list[Session], int]:
    """The newest sessions after a position, and the total."""
    values: list[Any] = [tx.scope.tenant_id, tx.scope.user_id]
    where = _OWN
    for condition, value in {
        "s.project_id = ANY({0})": list(project_ids) if project_ids is not None else None,
        "s.agent = {0}": choice.agent,
        "(s.closed_at IS NULL) = {0}": choice.is_open,
    }.items():
        if value is not None:
            values.append(value)
            where += " AND " + condition.format(f"${len(values)}")
    total = f"(SELECT count(*) FROM {_FROM} WHERE {where})::int AS total"
    below = ""
    if before:
        values += before
        below = f" AND (s.created_at, s.id) < (${len(values) - 1}, ${len(values)})"
    values.append(limit)
    rows = await tx.system.fetch(
        f"SELECT {_COLUMNS}, {total} FROM {_FROM} WHERE {where}{below}"
        f" ORDER BY s.created_at DESC, s.id DESC LIMIT ${len(values)}",
        *values,
    )
    items = [{**row_values(row)} for row in rows]
    count = items[0]["total"] if items else 0
    return [Session(**{k: v for k, v in item.items() if k != "total"}) for item in items], count


async def insert_turn(tx: Tx, session_id: UUID, new: NewTurn) -> Turn:
    row = await tx.fetchrow(
        "INSERT INTO turns (tenant_id, id, session_id, role, content, evidence, at)"
        " VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, clock_timestamp()))"
        f" RETURNING {_TURN}",
        new_id(),
        session_id,
        new.role,
        new.content,
        new.evidence,
        new.at,
    )
    assert row is not None
    return Turn(**row_values(row))


async def touch(tx: Tx, id: UUID, title: str | None) -> None:
    """Record that a turn was added; `title` is set if the session has none."""
    await tx.execute(
        "UPDATE sessions SET updated_at = now(), title = coalesce(title, $3)"
        " WHERE tenant_id = $1 AND id = $2",
        id,
        title,
    )


async def turns(
    tx: Tx, session_id: UUID, after: tuple[datetime, UUID] | None, limit: int
) -> list[Turn]:
    """The turns after a position, in the order in which they were said."""
    at, id = after or (None, None)
    rows = await tx.fetch(
        f"SELECT {_TURN} FROM turns WHERE tenant_id = $1 AND session_id = $2"
        " AND ($3::timestamptz IS NULL OR (at, id) > ($3, $4::uuid)) ORDER BY at, id LIMIT $5",
        session_id,
        at,
        id,
        limit,
    )
    return [Turn(**row_values(row)) for row in rows]


async def last_turns(tx: Tx, session_id: UUID, limit: int) -> list[Turn]:
    """The latest turns, in the order in which they were said."""
    rows = await tx.fetch(
        f"SELECT {_TURN} FROM turns WHERE tenant_id = $1 AND session_id = $2"
        " ORDER BY at DESC, id DESC LIMIT $3",
        session_id,
        limit,
    )
    return [Turn(**row_values(row)) for row in reversed(rows)]


async def known_ids(tx: Tx, ids: Sequence[UUID]) -> set[UUID]:
    """The ids that are memories, chunks or documents of the tenant."""
    rows = await tx.fetch(
        f"SELECT id FROM memories WHERE tenant_id = $1 AND id = ANY($2) AND {undeleted_memories()}"
        " UNION SELECT id FROM chunks WHERE tenant_id = $1 AND id = ANY($2)"
        " UNION SELECT id FROM documents WHERE tenant_id = $1 AND id = ANY($2)",
        list(ids),
    )
    return {row["id"] for row in rows}


async def delete_recorded(tx: Tx, days: int) -> int:
    """Delete automatically recorded sessions without a change for so many days; return how many."""
    rows = await tx.fetch(
        "DELETE FROM sessions WHERE tenant_id = $1 AND is_recorded"
        " AND updated_at < now() - make_interval(days => $2) RETURNING id",
        days,
    )
    return len(rows)
