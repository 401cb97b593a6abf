"""SQL of the graph as it is drawn: the most connected items, and the links between them."""

from collections.abc import Collection, Sequence
from uuid import UUID

from remem.core.current import current_documents, current_memories
from remem.core.db import Tx
from remem.core.graph.model import LABEL_SENT, Edge, Node, text_node
from remem.core.scope import Scope

_HERE = "($2::uuid[] IS NULL OR {0}.project_id = ANY($2))"
_SHOWN = current_memories("m")
_READ = current_documents("d")
# How many mentions of each of the heaviest are looked at, and how many memories that have them.
_MENTIONS_EACH, _MENTIONING = 100, 2_000


async def drawn_entities(
    tx: Tx, scope: Scope, projects: Sequence[UUID] | None, limit: int
) -> list[Node]:
    rows = await tx.fetch(
        "SELECT id, name AS label, type, mention_count AS weight, project_id, created_at"
        " FROM entities e"
        f" WHERE tenant_id = $1 AND {_HERE.format('e')} AND mention_count > 0"
        " ORDER BY mention_count DESC, id LIMIT $3",
        scope.tenant_id,
        _listed(projects),
        limit,
    )
    return [Node(kind="entity", **dict(row)) for row in rows]


async def mentioning(
    tx: Tx, scope: Scope, entities: Sequence[UUID]
) -> list[tuple[UUID, list[UUID]]]:
    """Memories with which of these they mention, those with the most first; not all, of many."""
    rows = await tx.fetch(
        "SELECT from_id, array_agg(to_id) AS found FROM unnest($2::uuid[]) AS e(id)"
        " CROSS JOIN LATERAL (SELECT from_id, to_id FROM links WHERE tenant_id = $1"
        "  AND to_kind = 'entity' AND relation = 'mentions' AND to_id = e.id"
        f"  ORDER BY links.id DESC LIMIT {_MENTIONS_EACH}) l"
        f" GROUP BY from_id ORDER BY count(*) DESC, from_id DESC LIMIT {_MENTIONING}",
        scope.tenant_id,
        list(entities),
    )
    return [(row["from_id"], row["found"]) for row in rows]


async def origins_of(tx: Tx, scope: Scope, memories: Collection[UUID]) -> dict[UUID, UUID]:
    """From which documents these came, where they came from any."""
    rows = await tx.fetch(
        "SELECT id, document_id FROM memories WHERE tenant_id = $1 AND id = ANY($2)"
        " AND document_id IS NOT NULL",
        scope.tenant_id,
        list(memories),
    )
    return {row["id"]: row["document_id"] for row in rows}


async def drawn_memories(
    tx: Tx, scope: Scope, projects: Sequence[UUID] | None, mentioning: Sequence[UUID], limit: int
) -> list[Node]:
    """Of those that mention the heaviest, and of the newest, those with the most links."""
    newest = await _newest(tx, scope, projects, limit)
    degrees = await _degrees(tx, scope, list({*mentioning[: 2 * limit], *newest}))
    heaviest = sorted(degrees, key=lambda id: (-degrees[id], -id.int))[: 2 * limit]
    rows = await tx.fetch(
        f"SELECT id, left(coalesce(title, content), {LABEL_SENT}) AS label, category AS type,"
        " project_id, created_at FROM memories m"
        f" WHERE tenant_id = $1 AND {_HERE.format('m')} AND id = ANY($3) AND {_SHOWN}",
        scope.tenant_id,
        _listed(projects),
        heaviest,
    )
    found = {row["id"]: text_node("memory", row, degrees[row["id"]]) for row in rows}
    return [found[id] for id in heaviest if id in found][:limit]


async def _newest(tx: Tx, scope: Scope, projects: Sequence[UUID] | None, limit: int) -> list[UUID]:
    rows = await tx.fetch(
        f"SELECT id FROM memories m WHERE m.tenant_id = $1 AND {_HERE.format('m')} AND {_SHOWN}"
        " ORDER BY created_at DESC, id DESC LIMIT $3",
        scope.tenant_id,
        _listed(projects),
        limit,
    )
    return [row["id"] for row in rows]


async def _degrees(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, int]:
    """How many links each of these memories has."""
    rows = await tx.fetch(
        "SELECT id, count(*)::int AS number FROM ("
        " SELECT from_id AS id FROM links WHERE tenant_id = $1 AND from_kind = 'memory'"
        "  AND from_id = ANY($2)"
        " UNION ALL SELECT to_id FROM links WHERE tenant_id = $1 AND to_kind = 'memory'"
        "  AND to_id = ANY($2)) l GROUP BY id",
        scope.tenant_id,
        list(ids),
    )
    return dict.fromkeys(ids, 0) | {row["id"]: row["number"] for row in rows}


async def drawn_documents(
    tx: Tx, scope: Scope, projects: Sequence[UUID] | None, memories: Sequence[UUID], limit: int
) -> list[Node]:
    """Those the memories came from, and the newest, by how many memories came from them."""
    rows = await tx.fetch(
        f"SELECT d.id, left(d.title, {LABEL_SENT}) AS label, d.content_type AS type,"
        " d.project_id, d.created_at FROM documents d"
        f" WHERE d.tenant_id = $1 AND {_HERE.format('d')} AND {_READ}"
        " AND d.id IN (SELECT document_id FROM memories WHERE tenant_id = $1 AND id = ANY($4)"
        f"  UNION (SELECT id FROM documents d WHERE d.tenant_id = $1 AND {_HERE.format('d')}"
        f"  AND {_READ} ORDER BY created_at DESC, id DESC LIMIT $3))",
        scope.tenant_id,
        _listed(projects),
        limit,
        list(memories),
    )
    weights = await _memories_from(tx, scope, [row["id"] for row in rows])
    nodes = [text_node("document", row, weights.get(row["id"], 0)) for row in rows]
    return sorted(nodes, key=lambda one: (-one.weight, -one.id.int))[:limit]


async def tags_of(tx: Tx, scope: Scope, documents: Sequence[UUID]) -> dict[UUID, list[str]]:
    rows = await tx.fetch(
        "SELECT id, tags FROM documents WHERE tenant_id = $1 AND id = ANY($2)",
        scope.tenant_id,
        list(documents),
    )
    return {row["id"]: row["tags"] for row in rows}


async def first_chunks(tx: Tx, scope: Scope, documents: Sequence[UUID]) -> dict[UUID, UUID]:
    """The chunk that each document begins with, and the document it is of."""
    rows = await tx.fetch(
        "SELECT id, document_id FROM chunks WHERE tenant_id = $1 AND document_id = ANY($2)"
        " AND chunk_index = 0",
        scope.tenant_id,
        list(documents),
    )
    return {row["id"]: row["document_id"] for row in rows}


async def _memories_from(tx: Tx, scope: Scope, documents: Sequence[UUID]) -> dict[UUID, int]:
    rows = await tx.fetch(
        "SELECT document_id, count(*)::int AS number FROM memories m WHERE m.tenant_id = $1"
        f" AND m.document_id = ANY($2) AND {_SHOWN} GROUP BY document_id",
        scope.tenant_id,
        list(documents),
    )
    return {row["document_id"]: row["number"] for row in rows}


async def drawn_links(tx: Tx, scope: Scope, ids: Sequence[UUID], limit: int) -> list[Edge]:
    """Read from where links begin: to a thing that everybody mentions there are too many."""
    rows = await tx.fetch(
        "SELECT from_id AS source, to_id AS target, relation, confidence::float8 AS weight"
        " FROM (SELECT * FROM links WHERE tenant_id = $1"
        "  AND from_kind IN ('memory', 'document', 'entity') AND from_id = ANY($2) OFFSET 0) l"
        " WHERE to_id = ANY($2) ORDER BY confidence DESC, id DESC LIMIT $3",
        scope.tenant_id,
        list(ids),
        limit,
    )
    return [Edge(**dict(row)) for row in rows]


def _listed(ids: Sequence[UUID] | None) -> list[UUID] | None:
    return list(ids) if ids is not None else None
