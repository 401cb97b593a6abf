"""SQL of memories that mention the same entities."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.graph.model import Link
from remem.core.transaction import Row, Tx

# Of all the entities that several memories mention, how many are followed, the rarest first.
_ENTITIES_LIMIT = 100


async def companions(
    tx: Tx, memory_ids: Sequence[UUID], mentions_limit: int, limit: int
) -> list[Link]:
    """Links from these to other memories that mention the same entities. The rarer an entity, the
    more it counts, so the most common ones need not be followed."""
    rows = await tx.fetch(
        "WITH near AS MATERIALIZED (SELECT l.from_id, e.id, e.mention_count"
        " FROM links l JOIN entities e ON e.tenant_id = $1 AND e.id = l.to_id"
        " WHERE l.tenant_id = $1 AND l.from_kind = 'memory' AND l.from_id = ANY($2)"
        " AND l.to_kind = 'entity' AND l.relation = 'mentions'"
        f" ORDER BY 3, 2 LIMIT {_ENTITIES_LIMIT})"
        " SELECT near.from_id AS near, o.from_id AS far,"
        " least(1, sum(1 / ln(1 + greatest(near.mention_count, 2))))::real AS confidence"
        " FROM near CROSS JOIN LATERAL (SELECT from_id FROM links o WHERE o.tenant_id = $1"
        "  AND o.to_kind = 'entity' AND o.to_id = near.id AND o.relation = 'mentions'"
        "  ORDER BY o.id DESC LIMIT $3) o"
        " WHERE o.from_id <> ALL($2) GROUP BY 1, 2 ORDER BY confidence DESC, far DESC LIMIT $4",
        list(memory_ids),
        mentions_limit,
        limit,
    )
    return _links(rows)


# Of the entities that one memory mentions, how many are followed, the rarest first.
_ENTITIES_LIMIT_EACH = 12


async def companions_each(
    tx: Tx, memory_ids: Sequence[UUID], mentions_limit: int, limit: int
) -> list[Link]:
    """The same for each memory separately, with `limit` links each."""
    rows = await tx.fetch(
        "SELECT asked.id AS near, far.from_id AS far, far.confidence FROM unnest($2::uuid[])"
        " AS asked (id) CROSS JOIN LATERAL (SELECT o.from_id,"
        "  least(1, sum(1 / ln(1 + greatest(e.mention_count, 2))))::real AS confidence"
        "  FROM (SELECT e.id, e.mention_count FROM links l JOIN entities e"
        "    ON e.tenant_id = $1 AND e.id = l.to_id WHERE l.tenant_id = $1"
        "    AND l.from_kind = 'memory' AND l.from_id = asked.id AND l.to_kind = 'entity'"
        f"    AND l.relation = 'mentions' ORDER BY 2, 1 LIMIT {_ENTITIES_LIMIT_EACH}) e"
        "  CROSS JOIN LATERAL (SELECT from_id FROM links o WHERE o.tenant_id = $1"
        "    AND o.to_kind = 'entity' AND o.to_id = e.id AND o.relation = 'mentions'"
        "    ORDER BY o.id DESC LIMIT $3) o"
        "  WHERE o.from_id <> asked.id GROUP BY 1 ORDER BY confidence DESC, 1 DESC LIMIT $4) far",
        list(memory_ids),
        mentions_limit,
        limit,
    )
    return _links(rows)


def _links(rows: Sequence[Row]) -> list[Link]:
    return [
        Link("memory", row["near"], "memory", row["far"], "mentions", row["confidence"])
        for row in rows
    ]


async def neighbours(
    tx: Tx, kind: str, ids: Sequence[UUID], relations: Sequence[str]
) -> list[tuple[UUID, UUID]]:
    """Pairs of an item and an item it is linked to, in either direction."""
    rows = await tx.fetch(
        "SELECT from_id AS here, to_id AS there FROM links WHERE tenant_id = $1"
        " AND from_kind = $2 AND from_id = ANY($3)"
        " AND (cardinality($4::text[]) = 0 OR relation = ANY($4)) UNION"
        " SELECT to_id, from_id FROM links WHERE tenant_id = $1 AND to_kind = $2"
        " AND to_id = ANY($3) AND (cardinality($4::text[]) = 0 OR relation = ANY($4))",
        kind,
        list(ids),
        list(relations),
    )
    return [(row["here"], row["there"]) for row in rows]
