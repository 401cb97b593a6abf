"""SQL of the parts of memories."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.current import current_memories, undeleted_memories
from remem.core.memories.memory_store import SELECT
from remem.core.memories.model import Memory
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

# Marks around a statement that change nothing in it.
_MARKS = " .,;!-*"


async def parts_of(tx: Tx, id: UUID) -> list[Memory]:
    """The parts in order, including deleted ones, which must not be created again."""
    rows = await tx.fetch(f"{SELECT} WHERE m.tenant_id = $1 AND m.part_of = $2 ORDER BY m.id", id)
    return [Memory(**row_values(row)) for row in rows]


async def set_tags(tx: Tx, id: UUID, tags: Sequence[str]) -> None:
    """Set the tags of every part of a memory."""
    await tx.execute(
        "UPDATE memories SET tags = $3 WHERE tenant_id = $1 AND part_of = $2 AND tags <> $3",
        id,
        list(tags),
    )


async def set_speaker(tx: Tx, id: UUID, speaker: str | None) -> None:
    """Set the speaker of every part of a memory."""
    await tx.execute(
        "UPDATE memories SET speaker = $3 WHERE tenant_id = $1 AND part_of = $2", id, speaker
    )


async def hide(tx: Tx, id: UUID) -> None:
    """Delete the parts of a memory softly, because it got one due date of its own."""
    await tx.execute(
        "UPDATE memories m SET deleted_at = now() WHERE tenant_id = $1 AND part_of = $2"
        f" AND {undeleted_memories('m')}",
        id,
    )


async def find_due(
    tx: Tx, project_id: UUID, content: str, due_at: datetime, *, is_part: bool
) -> Memory | None:
    """The current memory that says this, or that has a part that does, and is due then."""
    row = await tx.fetchrow(
        f"{SELECT} WHERE m.tenant_id = $1 AND {current_memories('m')} AND m.id IN"
        " (SELECT coalesce(p.part_of, p.id) FROM memories p WHERE p.tenant_id = $1"
        "   AND p.project_id = $2 AND p.due_at = $3 AND (p.part_of IS NOT NULL) = $4"
        f"  AND {undeleted_memories('p')} AND lower(btrim(p.content, '{_MARKS}'))"
        f"   = lower(btrim($5, '{_MARKS}'))) LIMIT 1",
        project_id,
        due_at,
        is_part,
        content,
    )
    return Memory(**row_values(row)) if row else None


async def erase(tx: Tx, ids: Sequence[UUID]) -> None:
    """Delete parts; the database deletes their links and updates the subscription's count."""
    await tx.execute(
        "DELETE FROM memories WHERE tenant_id = $1 AND id = ANY($2) AND part_of IS NOT NULL",
        list(ids),
    )
