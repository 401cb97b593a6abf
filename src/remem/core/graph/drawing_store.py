"""SQL of the graph view: the most connected items and the links between them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from remem.core.current import current_documents, current_memories
from remem.core.graph.model import LABEL_READ_CHARS, Edge, Node, text_node
from remem.core.transaction import Tx

_IN_PROJECTS = "($2::uuid[] IS NULL OR {0}.project_id = ANY($2))"
_CURRENT_MEMORIES = current_memories("m")
_CURRENT_DOCUMENTS = current_documents("d")
# How many mentions are read of each entity, and how many memories that have them.
_MENTIONS_PER_ENTITY, _MENTIONING_LIMIT = 100, 2_000
# Of how many documents, and of how many memories, the tags are counted.
_TAGGED_LIMIT = 20_000


async def drawn_entities(tx: Tx, projects: Sequence[UUID] | None, limit: int) -> list[Node]:
    rows = await tx.fetch(
        "SELECT id, name AS label, type, mention_count AS weight, project_id, created_at"
        " FROM entities e"
        f" WHERE tenant_id = $1 AND {_IN_PROJECTS.format('e')} AND mention_count > 0"
        " ORDER BY mention_count DESC, id LIMIT $3",
        _list_or_none(projects),
        limit,
    )
    return [Node(kind="entity", **dict(row)) for row in rows]


async def mentioning(tx: Tx, entities: Sequence[UUID]) -> list[tuple[UUID, list[UUID]]]:
    """Memories and which of these entities they mention, those with the most mentions first, up to
    the limits above."""
    rows = await tx.fetch(
        "SELECT from_id, array_agg(to_id) AS found FROM unnest($2::uuid[]) AS e(id)"
        " CROSS JOIN LATERAL (SELECT from_id, to_id FROM links WHERE tenant_id = $1"
        "  AND to_kind = 'entity' AND relation = 'mentions' AND to_id = e.id"
        f"  ORDER BY links.id DESC LIMIT {_MENTIONS_PER_ENTITY}) l"
        f" GROUP BY from_id ORDER BY count(*) DESC, from_id DESC LIMIT {_MENTIONING_LIMIT}",
        list(entities),
    )
    return [(row["from_id"], row["found"]) for row in rows]


async def origins_of(tx: Tx, memories: Collection[UUID]) -> dict[UUID, UUID]:
    """The documents these memories come from; memories without a document are left out."""
    rows = await tx.fetch(
        "SELECT id, document_id FROM memories WHERE tenant_id = $1 AND id = ANY($2)"
        " AND document_id IS NOT NULL",
        list(memories),
    )
    return {row["id"]: row["document_id"] for row in rows}


async def drawn_memories(
    tx: Tx, projects: Sequence[UUID] | None, mentioning: Sequence[UUID], limit: int
) -> list[Node]:
    """Of the memories that mention the drawn entities and of the newest ones, those with the most
    links."""
    newest = await _newest(tx, projects, limit)
    degrees = await _degrees(tx, list({*mentioning[: 2 * limit], *newest}))
    heaviest = sorted(degrees, key=lambda id: (-degrees[id], -id.int))[: 2 * limit]
    rows = await tx.fetch(
        f"SELECT id, left(coalesce(title, content), {LABEL_READ_CHARS}) AS label, category AS type,"
        " project_id, created_at FROM memories m"
        f" WHERE tenant_id = $1 AND {_IN_PROJECTS.format('m')} AND id = ANY($3)"
        f" AND {_CURRENT_MEMORIES}",
        _list_or_none(projects),
        heaviest,
    )
    nodes = {row["id"]: text_node("memory", dict(row), degrees[row["id"]]) for row in rows}
    return [nodes[id] for id in heaviest if id in nodes][:limit]


async def _newest(tx: Tx, projects: Sequence[UUID] | None, limit: int) -> list[UUID]:
    rows = await tx.fetch(
        f"SELECT id FROM memories m WHERE m.tenant_id = $1 AND {_IN_PROJECTS.format('m')}"
        f" AND {_CURRENT_MEMORIES}"
        " ORDER BY created_at DESC, id DESC LIMIT $3",
        _list_or_none(projects),
        limit,
    )
    return [row["id"] for row in rows]


async def _degrees(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, int]:
    """How many links each of these memories has."""
    rows = await tx.fetch(
        "SELECT id, count(*)::int AS number FROM ("
        " SELECT from_id AS id FROM links WHERE tenant_id = $1 AND from_kind = 'memory'"
        "  AND from_id = ANY($2)"
        " UNION ALL SELECT to_id FROM links WHERE tenant_id = $1 AND to_kind = 'memory'"
        "  AND to_id = ANY($2)) l GROUP BY id",
        list(ids),
    )
    return dict.fromkeys(ids, 0) | {row["id"]: row["number"] for row in rows}


async def drawn_documents(
    tx: Tx, projects: Sequence[UUID] | None, memories: Sequence[UUID], limit: int
) -> list[Node]:
    """The documents these memories come from and the newest documents, by number of memories."""
    rows = await tx.fetch(
        f"SELECT d.id, left(d.title, {LABEL_READ_CHARS}) AS label, d.content_type AS type,"
        " d.project_id, d.created_at FROM documents d"
        f" WHERE d.tenant_id = $1 AND {_IN_PROJECTS.format('d')} AND {_CURRENT_DOCUMENTS}"
        " AND d.id IN (SELECT document_id FROM memories WHERE tenant_id = $1 AND id = ANY($4)"
        f"  UNION (SELECT id FROM documents d WHERE d.tenant_id = $1 AND {_IN_PROJECTS.format('d')}"
        f"  AND {_CURRENT_DOCUMENTS} ORDER BY created_at DESC, id DESC LIMIT $3))",
        _list_or_none(projects),
        limit,
        list(memories),
    )
    weights = await _memories_from(tx, [row["id"] for row in rows])
    nodes = [text_node("document", dict(row), weights.get(row["id"], 0)) for row in rows]
    return sorted(nodes, key=lambda node: (-node.weight, -node.id.int))[:limit]


async def used_tags(
    tx: Tx, projects: Sequence[UUID] | None
) -> list[tuple[str, str, UUID, datetime, int]]:
    """The tags of the newest documents and memories: each spelling with the kind of item and the
    project that have it, since when, and how many items."""
    newest = f"ORDER BY created_at DESC, id DESC LIMIT {_TAGGED_LIMIT}"
    rows = await tx.fetch(
        "SELECT unnest(tags) AS tag, kind, project_id, min(created_at), count(*)::int FROM ("
        " (SELECT tags, 'document' AS kind, project_id, created_at FROM documents d"
        f"  WHERE tenant_id = $1 AND {_IN_PROJECTS.format('d')} AND {_CURRENT_DOCUMENTS} {newest})"
        " UNION ALL"
        " (SELECT tags, 'memory', project_id, created_at FROM memories m"
        f"  WHERE tenant_id = $1 AND {_IN_PROJECTS.format('m')} AND {_CURRENT_MEMORIES} {newest})"
        ") tagged GROUP BY 1, 2, 3 ORDER BY 4, 1",
        _list_or_none(projects),
    )
    return [tuple(row) for row in rows]


async def tags_of(
    tx: Tx, table: Literal["documents", "memories"], ids: Sequence[UUID]
) -> dict[UUID, list[str]]:
    rows = await tx.fetch(
        f"SELECT id, tags FROM {table} WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )
    return {row["id"]: row["tags"] for row in rows}


async def first_chunks(tx: Tx, documents: Sequence[UUID]) -> dict[UUID, UUID]:
    """The first chunk of each document, as chunk id to document id."""
    rows = await tx.fetch(
        "SELECT id, document_id FROM chunks WHERE tenant_id = $1 AND document_id = ANY($2)"
        " AND chunk_index = 0",
        list(documents),
    )
    return {row["id"]: row["document_id"] for row in rows}


async def _memories_from(tx: Tx, documents: Sequence[UUID]) -> dict[UUID, int]:
    rows = await tx.fetch(
        "SELECT document_id, count(*)::int AS number FROM memories m WHERE m.tenant_id = $1"
        f" AND m.document_id = ANY($2) AND {_CURRENT_MEMORIES} GROUP BY document_id",
        list(documents),
    )
    return {row["document_id"]: row["number"] for row in rows}


async def drawn_links(tx: Tx, ids: Sequence[UUID], limit: int) -> list[Edge]:
    """Links among these items. Looked up by their start: too many end at a popular entity."""
    rows = await tx.fetch(
        "SELECT from_id AS source, to_id AS target, relation, confidence::float8 AS weight"
        " FROM (SELECT * FROM links WHERE tenant_id = $1"
        "  AND from_kind IN ('memory', 'document', 'entity') AND from_id = ANY($2) OFFSET 0) l"
        " WHERE to_id = ANY($2) ORDER BY confidence DESC, id DESC LIMIT $3",
        list(ids),
        limit,
    )
    return [Edge(**dict(row)) for row in rows]


def _list_or_none(ids: Sequence[UUID] | None) -> list[UUID] | None:
    return list(ids) if ids is not None else None
