"""SQL of the parts of memories."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.memories.model import Memory
from remem.core.memories.store import SELECT
from remem.core.scope import Scope
from remem.core.unreadable import values_of


async def parts_of(tx: Tx, scope: Scope, id: UUID) -> list[Memory]:
    """In their order; also those that somebody has deleted, which are not made again."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.part_of = $2 ORDER BY m.id", scope.tenant_id, id
    )
    return [Memory(**values_of(row)) for row in rows]


async def set_tags(tx: Tx, scope: Scope, id: UUID, tags: Sequence[str]) -> None:
    """Of every part of a memory: they are the memory's."""
    await tx.execute(
        "UPDATE memories SET tags = $3 WHERE tenant_id = $1 AND part_of = $2 AND tags <> $3",
        scope.tenant_id,
        id,
        list(tags),
    )


async def erase(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
    """The database takes their links along and counts them off."""
    await tx.execute(
        "DELETE FROM memories WHERE tenant_id = $1 AND id = ANY($2) AND part_of IS NOT NULL",
        scope.tenant_id,
        list(ids),
    )
