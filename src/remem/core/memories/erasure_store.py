"""SQL of erasing memories: their chains, the chains that depend on them, and deleted copies."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.current import active_memories
from remem.core.memories.model import DERIVE
from remem.core.transaction import Row, Tx


async def merged_roots(tx: Tx, root_id: UUID, *, derived: bool) -> list[UUID]:
    """The chains that depend on this one: those merged into it that have no active version and,
    with `derived`, those inferred from it that nobody has accepted."""
    rows = await tx.fetch(
        "WITH RECURSIVE roots(id) AS (SELECT $2::uuid UNION SELECT c.root_id FROM roots r"
        " JOIN memories k ON k.tenant_id = $1 AND k.root_id = r.id"
        " JOIN links l ON l.tenant_id = $1 AND l.to_kind = 'memory' AND l.to_id = k.id"
        "  AND l.from_kind = 'memory' AND l.relation IN ('merged_into', 'derives')"
        " JOIN memories c ON c.tenant_id = $1 AND c.id = l.from_id"
        " WHERE l.relation = 'merged_into' AND NOT EXISTS (SELECT FROM memories s"
        f"   WHERE s.tenant_id = $1 AND s.root_id = c.root_id AND {active_memories('s')})"
        "  OR $3 AND l.relation = 'derives' AND c.source = $4"
        "   AND c.context ->> 'review' = 'pending')"
        " SELECT id FROM roots WHERE id <> $2 ORDER BY id",
        root_id,
        derived,
        DERIVE,
    )
    return [row["id"] for row in rows]


async def erase(tx: Tx, root_ids: Sequence[UUID]) -> None:
    """Delete chains; the database deletes their links and updates the subscription's count."""
    await tx.execute(
        "DELETE FROM memories WHERE tenant_id = $1 AND root_id = ANY($2)", list(root_ids)
    )


async def find_deleted(tx: Tx, id: UUID) -> Row | None:
    """The chain and project of a memory that would be restored with a deleted document."""
    return await tx.fetchrow(
        "SELECT (content ->> 'root_id')::uuid AS root_id, project_id FROM deleted_rows"
        " WHERE tenant_id = $1 AND kind = 'memory' AND id = $2 LIMIT 1",
        id,
    )


async def erase_deleted(tx: Tx, root_ids: Sequence[UUID]) -> list[UUID]:
    """Erase the rows that would be restored with deleted documents; returns their memory ids."""
    rows = await tx.fetch(
        "DELETE FROM deleted_rows WHERE tenant_id = $1 AND kind = 'memory'"
        " AND (content ->> 'root_id')::uuid = ANY($2) RETURNING id",
        list(root_ids),
    )
    return sorted({row["id"] for row in rows})
