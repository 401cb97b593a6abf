"""SQL of links and entities."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.graph.model import Entity, Link
from remem.core.time import new_id
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

_COLUMNS = "from_kind, from_id, to_kind, to_id, relation, confidence, valid_from"


async def insert(tx: Tx, links: Sequence[Link]) -> None:
    """Add links. Of an existing link only the confidence is raised."""
    await tx.executemany(
        f"INSERT INTO links (tenant_id, id, {_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        " ON CONFLICT (tenant_id, from_kind, from_id, to_kind, to_id, relation)"
        " DO UPDATE SET confidence = greatest(links.confidence, excluded.confidence)",
        [
            (
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


async def select_links(
    tx: Tx, kind: str, ids: Sequence[UUID], relations: Sequence[str], limit: int
) -> list[Link]:
    """Links that start or end at these items, most confident first; of any relation
    when `relations` is empty."""
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM ("
        f" SELECT {_COLUMNS}, id FROM links WHERE tenant_id = $1 AND from_kind = $2"
        "  AND from_id = ANY($3) UNION"
        f" SELECT {_COLUMNS}, id FROM links WHERE tenant_id = $1 AND to_kind = $2"
        "  AND to_id = ANY($3)"
        ") l WHERE cardinality($4::text[]) = 0 OR relation = ANY($4)"
        " ORDER BY confidence DESC, id DESC LIMIT $5",
        kind,
        list(ids),
        list(relations),
        limit,
    )
    return [Link(**dict(row)) for row in rows]


async def delete_link(tx: Tx, link: Link) -> None:
    ends = (link.from_id, link.to_id, link.relation)
    condition = "tenant_id = $1 AND from_id = $2 AND to_id = $3 AND relation = $4"
    await tx.execute(f"DELETE FROM links WHERE {condition}", *ends)


async def delete_links_of(tx: Tx, kind: str, id: UUID) -> None:
    await tx.execute(
        "DELETE FROM links WHERE tenant_id = $1 AND ((from_kind = $2 AND from_id = $3)"
        " OR (to_kind = $2 AND to_id = $3))",
        kind,
        id,
    )


# Entities

_ENTITY = "id, type, name, name_normalized, aliases"
# Whether a person gave the name of an entity `e`.
IS_NAMED = (
    "EXISTS (SELECT FROM entity_names r WHERE r.tenant_id = $1 AND r.project_id = e.project_id"
    " AND r.target_normalized = e.name_normalized) AS is_named"
)
# Two people with a first name are enough to know that the first name is ambiguous.
_ENTITIES_BY_NAME = f"""
SELECT {_ENTITY}, {IS_NAMED} FROM entities e
WHERE tenant_id = $1 AND project_id = $2 AND name_normalized COLLATE "C" = ANY($3)
UNION
SELECT p.* FROM unnest($4::text[]) AS f(first) CROSS JOIN LATERAL (
  SELECT {_ENTITY}, {IS_NAMED} FROM entities e
  WHERE tenant_id = $1 AND project_id = $2 AND type = 'person'
    AND name_normalized COLLATE "C" > f.first || ' '
    AND name_normalized COLLATE "C" < f.first || '!'
  LIMIT 2
) p
"""


async def entities_by_name(
    tx: Tx, project_id: UUID, names: Sequence[str], firsts: Sequence[str]
) -> list[Entity]:
    """Entities with one of these names, and people with one of these first names."""
    rows = await tx.fetch(_ENTITIES_BY_NAME, project_id, list(names), list(firsts))
    return [Entity(**row_values(row)) for row in rows]


async def insert_entities(tx: Tx, project_id: UUID, entities: Sequence[Entity]) -> None:
    await tx.executemany(
        f"INSERT INTO entities (tenant_id, project_id, {_ENTITY})"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
        [
            (
                project_id,
                entity.id,
                entity.type,
                entity.name,
                entity.name_normalized,
                entity.aliases,
            )
            for entity in entities
        ],
    )


async def rename(tx: Tx, entity: Entity) -> None:
    await tx.execute(
        "UPDATE entities SET type = $3, name = $4, name_normalized = $5, aliases = $6,"
        " updated_at = now() WHERE tenant_id = $1 AND id = $2",
        entity.id,
        entity.type,
        entity.name,
        entity.name_normalized,
        entity.aliases,
    )


async def insert_mentions(
    tx: Tx, memory_id: UUID, entity_ids: Sequence[UUID], since: datetime | None
) -> None:
    await tx.execute(
        "INSERT INTO links"
        " (tenant_id, id, from_kind, from_id, to_kind, to_id, relation, valid_from)"
        " SELECT $1, m.id, 'memory', $2, 'entity', m.entity_id, 'mentions', $5"
        " FROM unnest($3::uuid[], $4::uuid[]) AS m(id, entity_id)"
        " ON CONFLICT (tenant_id, from_kind, from_id, to_kind, to_id, relation) DO NOTHING",
        memory_id,
        [new_id() for _ in entity_ids],
        list(entity_ids),
        since,
    )


async def insert_all_mentions(
    tx: Tx, mentions: Sequence[tuple[UUID, UUID, datetime | None]]
) -> None:
    """`mentions` are (memory_id, entity_id, since)."""
    await tx.execute(
        "INSERT INTO links"
        " (tenant_id, id, from_kind, from_id, to_kind, to_id, relation, valid_from)"
        " SELECT $1, m.id, 'memory', m.memory_id, 'entity', m.entity_id, 'mentions', m.since"
        " FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[])"
        "  AS m(id, memory_id, entity_id, since)"
        " ON CONFLICT (tenant_id, from_kind, from_id, to_kind, to_id, relation) DO NOTHING",
        [new_id() for _ in mentions],
        [memory_id for memory_id, _, _ in mentions],
        [entity_id for _, entity_id, _ in mentions],
        [since for _, _, since in mentions],
    )


async def delete_mentions(tx: Tx, memory_id: UUID) -> list[UUID]:
    """Return the ids of the mentioned entities; some of them are deleted by now."""
    rows = await tx.fetch(
        "DELETE FROM links WHERE tenant_id = $1 AND from_kind = 'memory' AND from_id = $2"
        " AND to_kind = 'entity' AND relation = 'mentions' RETURNING to_id",
        memory_id,
    )
    return [row["to_id"] for row in rows]


_DUPLICATES = (
    "SELECT o.id AS old, t.id AS kept FROM entities o JOIN entities t"
    " ON t.tenant_id = $1 AND t.project_id = $3 AND t.type = o.type"
    " AND t.name_normalized = o.name_normalized WHERE o.tenant_id = $1 AND o.project_id = $2"
)


# The number of mentions of an entity `e`.
MENTION_COUNT = (
    "SELECT count(*) FROM links l WHERE l.tenant_id = $1 AND l.to_kind = 'entity'"
    " AND l.to_id = e.id AND l.relation = 'mentions'"
)


async def merge_entities(tx: Tx, project_id: UUID, to: UUID) -> None:
    """Merge entities that the target project has as well into its own, with all their links."""
    pair = (tx.scope.tenant_id, project_id, to)
    await tx.system.execute(
        f"WITH twins AS ({_DUPLICATES}) UPDATE links l SET to_id = twins.kept FROM twins"
        " WHERE l.tenant_id = $1 AND l.to_kind = 'entity' AND l.to_id = twins.old",
        *pair,
    )
    await tx.system.execute(
        f"WITH twins AS ({_DUPLICATES}) UPDATE entities e"
        f" SET mention_count = ({MENTION_COUNT}), updated_at = now()"
        " FROM twins WHERE e.tenant_id = $1 AND e.id = twins.kept",
        *pair,
    )
    await tx.system.execute(
        f"WITH twins AS ({_DUPLICATES}) DELETE FROM entities e USING twins"
        " WHERE e.tenant_id = $1 AND e.id = twins.old",
        *pair,
    )


async def move_entities(tx: Tx, project_id: UUID, to: UUID) -> None:
    await tx.execute(
        "UPDATE entities SET project_id = $3, updated_at = now()"
        " WHERE tenant_id = $1 AND project_id = $2",
        project_id,
        to,
    )
