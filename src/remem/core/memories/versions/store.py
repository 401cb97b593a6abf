"""SQL of the versions of a memory, and of the chain that they are."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.current import shown_memories
from remem.core.db import Tx
from remem.core.memories.model import Memory
from remem.core.memories.store import SELECT, STATED
from remem.core.scope import Scope
from remem.core.unreadable import values_of

_VERSIONS = "SELECT v.id FROM memories v WHERE v.tenant_id = $1 AND v.root_id = $2"


async def chain(tx: Tx, scope: Scope, root_id: UUID, limit: int | None = None) -> list[Memory]:
    """Every version, oldest first; the newest of them when there are more than the limit."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.root_id = $2"
        " ORDER BY m.version DESC, m.id DESC LIMIT $3",
        scope.tenant_id,
        root_id,
        limit,
    )
    return [Memory(**values_of(row)) for row in reversed(rows)]


async def moment(tx: Tx, scope: Scope) -> datetime:
    """When this transaction began, by the clock that every row is dated by."""
    return await tx.fetchval("SELECT now()")


async def restate(tx: Tx, scope: Scope, id: UUID, said_at: datetime | None) -> None:
    """Note that a memory was said again, now or at a moment; an earlier one changes nothing."""
    await tx.execute(
        "UPDATE memories SET stated_at = coalesce($3, now())"
        f" WHERE tenant_id = $1 AND id = $2 AND {STATED} < coalesce($3, now())",
        scope.tenant_id,
        id,
        said_at,
    )


async def make_room(tx: Tx, scope: Scope, root_id: UUID, version: int) -> None:
    """Increment the versions of a chain from one on, to insert another."""
    await tx.execute(
        "UPDATE memories SET version = version + 1"
        " WHERE tenant_id = $1 AND root_id = $2 AND version >= $3",
        scope.tenant_id,
        root_id,
        version,
    )


async def set_supersedes(tx: Tx, scope: Scope, id: UUID, old_id: UUID | None) -> None:
    await tx.execute(
        "UPDATE memories SET supersedes_id = $3 WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        id,
        old_id,
    )


async def set_deleted(tx: Tx, scope: Scope, root_id: UUID, *, deleted: bool) -> int:
    """Hide a chain from every reader, or show it again; says how many versions that is."""
    done = await tx.execute(
        "UPDATE memories SET deleted_at = CASE WHEN $3 THEN now() END, embedded_with = NULL,"
        " embedded_hash = NULL, updated_at = now() WHERE tenant_id = $1 AND root_id = $2",
        scope.tenant_id,
        root_id,
        deleted,
    )
    await tx.execute(
        "UPDATE memories SET deleted_at = CASE WHEN $3 THEN now() END WHERE tenant_id = $1"
        f" AND part_of IN ({_VERSIONS})",
        scope.tenant_id,
        root_id,
        deleted,
    )
    return int(done.split()[-1])


async def retire(tx: Tx, scope: Scope, id: UUID, *, ends: bool) -> None:
    """No longer current, and no longer embedded; `ends` says that it is no longer valid."""
    await tx.execute(
        "UPDATE memories SET is_current = false, state = 'superseded', embedded_with = NULL,"
        " embedded_hash = NULL, updated_at = now(),"
        " valid_until = CASE WHEN $3 THEN least(valid_until, now()) ELSE valid_until END"
        " WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        id,
        ends,
    )


async def successors(tx: Tx, scope: Scope, id: UUID, linked: Sequence[UUID]) -> list[Memory]:
    """The members of chains that come after one, and those of its links that are there."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND (m.supersedes_id = $2 OR m.id = ANY($3))",
        scope.tenant_id,
        id,
        list(linked),
    )
    return [Memory(**values_of(row)) for row in rows]


async def any_followed_by_shown(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> bool:
    """Whether one of these, or what came after it in its chain, is shown."""
    return await tx.fetchval(
        "SELECT exists (SELECT FROM memories o JOIN memories m ON m.tenant_id = o.tenant_id"
        " AND m.root_id = o.root_id AND m.version >= o.version"
        f" WHERE o.tenant_id = $1 AND o.id = ANY($2) AND {shown_memories('m')})",
        scope.tenant_id,
        list(ids),
    )


async def bridge(tx: Tx, scope: Scope, id: UUID, old_id: UUID | None) -> None:
    """Let those that come after one come after what stands before it."""
    await tx.execute(
        "UPDATE memories SET supersedes_id = $3 WHERE tenant_id = $1 AND supersedes_id = $2",
        scope.tenant_id,
        id,
        old_id,
    )


async def erase_one(tx: Tx, scope: Scope, id: UUID) -> None:
    """One version alone; what came after it stays."""
    await tx.execute("DELETE FROM memories WHERE tenant_id = $1 AND id = $2", scope.tenant_id, id)


async def move(tx: Tx, scope: Scope, root_id: UUID, project_id: UUID) -> None:
    """A chain, and the parts of its members."""
    await tx.execute(
        "UPDATE memories SET project_id = $3, updated_at = now()"
        f" WHERE tenant_id = $1 AND (root_id = $2 OR part_of IN ({_VERSIONS}))",
        scope.tenant_id,
        root_id,
        project_id,
    )
