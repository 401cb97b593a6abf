"""SQL of the versions of a memory, which form a chain."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.current import shown_memories
from remem.core.memories.memory_store import SELECT, STATED_AT
from remem.core.memories.model import Memory
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

_VERSIONS = "SELECT v.id FROM memories v WHERE v.tenant_id = $1 AND v.root_id = $2"


async def chain(tx: Tx, root_id: UUID, limit: int | None = None) -> list[Memory]:
    """The versions, oldest first; with a limit, only the newest."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.root_id = $2"
        " ORDER BY m.version DESC, m.id DESC LIMIT $3",
        root_id,
        limit,
    )
    return [Memory(**row_values(row)) for row in reversed(rows)]


async def transaction_time(tx: Tx) -> datetime:
    """When this transaction began, by the database clock, which dates every row."""
    return await tx.system.fetchval("SELECT now()")


async def restate(tx: Tx, id: UUID, said_at: datetime | None) -> None:
    """Record that a memory was stated again, now or at `said_at`; an earlier moment is ignored."""
    moment, values = ("$3", [said_at]) if said_at else ("now()", [])
    await tx.execute(
        f"UPDATE memories SET stated_at = {moment}"
        f" WHERE tenant_id = $1 AND id = $2 AND {STATED_AT} < {moment}",
        id,
        *values,
    )


async def shift_versions(tx: Tx, root_id: UUID, version: int) -> None:
    """Increment the version numbers of a chain from `version` on, to make room for another."""
    await tx.execute(
        "UPDATE memories SET version = version + 1"
        " WHERE tenant_id = $1 AND root_id = $2 AND version >= $3",
        root_id,
        version,
    )


async def set_supersedes(tx: Tx, id: UUID, old_id: UUID | None) -> None:
    await tx.execute(
        "UPDATE memories SET supersedes_id = $3 WHERE tenant_id = $1 AND id = $2", id, old_id
    )


async def set_deleted(tx: Tx, root_id: UUID, *, deleted: bool) -> int:
    """Delete a chain softly, or undo that; returns the number of versions."""
    deleted_at = "now()" if deleted else "NULL"
    status = await tx.execute(
        f"UPDATE memories SET deleted_at = {deleted_at}, embedded_with = NULL,"
        " embedded_hash = NULL, updated_at = now() WHERE tenant_id = $1 AND root_id = $2",
        root_id,
    )
    await tx.execute(
        f"UPDATE memories SET deleted_at = {deleted_at} WHERE tenant_id = $1"
        f" AND part_of IN ({_VERSIONS})",
        root_id,
    )
    return int(status.split()[-1])


async def retire(tx: Tx, id: UUID, *, ends: bool) -> None:
    """Mark a memory as not current and not embedded; with `ends`, also as no longer valid."""
    await tx.execute(
        "UPDATE memories SET is_current = false, state = 'superseded', embedded_with = NULL,"
        " embedded_hash = NULL, updated_at = now()"
        + (", valid_until = least(valid_until, now())" if ends else "")
        + " WHERE tenant_id = $1 AND id = $2",
        id,
    )


async def successors(tx: Tx, id: UUID, linked: Sequence[UUID]) -> list[Memory]:
    """The versions that supersede a memory, and the existing memories among `linked`."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND (m.supersedes_id = $2 OR m.id = ANY($3))",
        id,
        list(linked),
    )
    return [Memory(**row_values(row)) for row in rows]


async def any_followed_by_shown(tx: Tx, ids: Sequence[UUID]) -> bool:
    """Whether one of these memories, or a later version of one, is shown."""
    return await tx.fetchval(
        "SELECT exists (SELECT FROM memories o JOIN memories m ON m.tenant_id = $1"
        " AND m.root_id = o.root_id AND m.version >= o.version"
        f" WHERE o.tenant_id = $1 AND o.id = ANY($2) AND {shown_memories('m')})",
        list(ids),
    )


async def relink_successors(tx: Tx, id: UUID, old_id: UUID | None) -> None:
    """Let the successors of a memory supersede its predecessor instead."""
    await tx.execute(
        "UPDATE memories SET supersedes_id = $3 WHERE tenant_id = $1 AND supersedes_id = $2",
        id,
        old_id,
    )


async def delete_version(tx: Tx, id: UUID) -> None:
    """Delete one version; later ones stay."""
    await tx.execute("DELETE FROM memories WHERE tenant_id = $1 AND id = $2", id)


async def move(tx: Tx, root_id: UUID, project_id: UUID) -> None:
    """Move a chain, and the parts of its versions, to another project."""
    await tx.execute(
        "UPDATE memories SET project_id = $3, updated_at = now()"
        f" WHERE tenant_id = $1 AND (root_id = $2 OR part_of IN ({_VERSIONS}))",
        root_id,
        project_id,
    )
