"""SQL of links and entities."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.db import Tx
from remem.core.graph.model import Entity, Link
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


# Entities

_ENTITY = "id, type, name, name_normalized, aliases"
# Of people with a first name in common, two are enough to know that it tells nobody apart.
_NAMED = f"""
SELECT {_ENTITY} FROM entities
WHERE tenant_id = $1 AND project_id = $2 AND name_normalized COLLATE "C" = ANY($3)
UNION
SELECT p.* FROM unnest($4::text[]) AS f(first) CROSS JOIN LATERAL (
  SELECT {_ENTITY} FROM entities
  WHERE tenant_id = $1 AND project_id = $2 AND type = 'person'
    AND name_normalized COLLATE "C" > f.first || ' '
    AND name_normalized COLLATE "C" < f.first || '!'
  LIMIT 2
) p
"""


async def named(
    tx: Tx, scope: Scope, project_id: UUID, names: Sequence[str], firsts: Sequence[str]
) -> list[Entity]:
    """Those with one of these names, and people with one of these first names."""
    rows = await tx.fetch(_NAMED, scope.tenant_id, project_id, list(names), list(firsts))
    return [Entity(**dict(row)) for row in rows]


async def insert_entities(
    tx: Tx, scope: Scope, project_id: UUID, entities: Sequence[Entity]
) -> None:
    await tx.executemany(
        f"INSERT INTO entities (tenant_id, project_id, {_ENTITY})"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
        [
            (
                scope.tenant_id,
                project_id,
                one.id,
                one.type,
                one.name,
                one.name_normalized,
                one.aliases,
            )
            for one in entities
        ],
    )


async def rename(tx: Tx, scope: Scope, entity: Entity) -> None:
    await tx.execute(
        "UPDATE entities SET type = $3, name = $4, name_normalized = $5, aliases = $6,"
        " updated_at = now() WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        entity.id,
        entity.type,
        entity.name,
        entity.name_normalized,
        entity.aliases,
    )


async def insert_mentions(
    tx: Tx, scope: Scope, memory_id: UUID, entity_ids: Sequence[UUID], since: datetime | None
) -> None:
    await tx.execute(
        "INSERT INTO links"
        " (tenant_id, id, from_kind, from_id, to_kind, to_id, relation, valid_from)"
        " SELECT $1, m.id, 'memory', $2, 'entity', m.entity_id, 'mentions', $5"
        " FROM unnest($3::uuid[], $4::uuid[]) AS m(id, entity_id)"
        " ON CONFLICT (tenant_id, from_kind, from_id, to_kind, to_id, relation) DO NOTHING",
        scope.tenant_id,
        memory_id,
        [new_id() for _ in entity_ids],
        list(entity_ids),
        since,
    )


async def delete_mentions(tx: Tx, scope: Scope, memory_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM links WHERE tenant_id = $1 AND from_kind = 'memory' AND from_id = $2"
        " AND to_kind = 'entity' AND relation = 'mentions'",
        scope.tenant_id,
        memory_id,
    )
