"""SQL of the parts of memories."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.memories.model import Memory
from remem.core.memories.store import SELECT
from remem.core.scope import Scope
from remem.core.unreadable import row_values


async def parts_of(tx: Tx, scope: Scope, id: UUID) -> list[Memory]:
    """The parts in order, including deleted ones, which must not be created again."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.part_of = $2 ORDER BY m.id", scope.tenant_id, id
    )
    return [Memory(**row_values(row)) for row in rows]


async def set_tags(tx: Tx, scope: Scope, id: UUID, tags: Sequence[str]) -> None:
    """Set the tags of every part of a memory."""
    await tx.execute(
        "UPDATE memories SET tags = $3 WHERE tenant_id = $1 AND part_of = $2 AND tags <> $3",
        scope.tenant_id,
        id,
        list(tags),
    )


async def erase(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
    """Delete parts; the database deletes their links and updates the subscription's count."""
    await tx.execute(
        "DELETE FROM memories WHERE tenant_id = $1 AND id = ANY($2) AND part_of IS NOT NULL",
        scope.tenant_id,
        list(ids),
    )
