"""SQL of links."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.graph.model import Link
from remem.core.scope import Scope
from remem.core.time import new_id

_COLUMNS = "from_kind, from_id, to_kind, to_id, relation, confidence, valid_from"


async def insert(tx: Tx, scope: Scope, links: Sequence[Link]) -> None:
    """Add links; one that is there already stays as it is, but for how sure it is."""
    await tx.executemany(
        f"INSERT INTO links (tenant_id, id, {_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        " ON CONFLICT (tenant_id, from_kind, from_id, to_kind, to_id, relation)"
        " DO UPDATE SET confidence = greatest(links.confidence, excluded.confidence)",
        [
            (
                scope.tenant_id,
                new_id(),
                link.from_kind,
                link.from_id,
                link.to_kind,
                link.to_id,
                link.relation,
                link.confidence,
                link.valid_from,
            )
            for link in links
        ],
    )


async def touching(
    tx: Tx, scope: Scope, kind: str, ids: Sequence[UUID], relations: Sequence[str], limit: int
) -> list[Link]:
    """Links that begin or end at these, surest first; every relation when none is named."""
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM ("
        f" SELECT {_COLUMNS}, id FROM links WHERE tenant_id = $1 AND from_kind = $2"
        "  AND from_id = ANY($3) UNION"
        f" SELECT {_COLUMNS}, id FROM links WHERE tenant_id = $1 AND to_kind = $2"
        "  AND to_id = ANY($3)"
        ") l WHERE cardinality($4::text[]) = 0 OR relation = ANY($4)"
        " ORDER BY confidence DESC, id DESC LIMIT $5",
        scope.tenant_id,
        kind,
        list(ids),
        list(relations),
        limit,
    )
    return [Link(**dict(row)) for row in rows]


async def delete(tx: Tx, scope: Scope, kind: str, id: UUID) -> None:
    await tx.execute(
        "DELETE FROM links WHERE tenant_id = $1 AND ((from_kind = $2 AND from_id = $3)"
        " OR (to_kind = $2 AND to_id = $3))",
        scope.tenant_id,
        kind,
        id,
    )
