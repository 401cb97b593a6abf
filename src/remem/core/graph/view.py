"""The graph view: the most connected items of every kind, and their links."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, combinations
from typing import NamedTuple, TypeAlias
from uuid import UUID, uuid5

from remem.core.errors import Invalid
from remem.core.graph import drawing_store
from remem.core.graph.model import Edge, Node, NodeKind, View
from remem.core.graph.shared import (
    count_neighbours,
    edges_by_entities,
    edges_by_meaning,
    edges_by_tags,
)
from remem.core.index.kinds import CHUNK
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_embedder

NODES_LIMIT = 10_000
# How many documents are compared with each other by their first chunks.
COMPARED_DOCUMENTS = 500
KINDS: tuple[NodeKind, ...] = ("entity", "memory", "document", "tag")
EDGES_PER_NODE = 5

Mentions: TypeAlias = Sequence[tuple[UUID, list[UUID]]]


async def view_graph(
    ports: Ports,
    scope: Scope,
    project: str | UUID | None,
    limit: int,
    kinds: Sequence[NodeKind] = KINDS,
) -> View:
    if not 1 <= limit <= NODES_LIMIT:
        raise Invalid("limit", f"use 1 to {NODES_LIMIT}")
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        entities = await drawing_store.drawn_entities(tx, projects, limit + 1)
        mentions = await drawing_store.mentioning(tx, _ids(entities))
        candidates = await _candidates(tx, projects, (entities, mentions), limit + 1)
        candidates_by_kind = [
            nodes for kind, nodes in zip(KINDS, candidates, strict=True) if kind in kinds
        ]
        nodes = _allocate(candidates_by_kind, limit)
        memories = _ids_of(nodes, "memory")
        origins = await drawing_store.origins_of(tx, {*memories, *dict(mentions)})
        links = await drawing_store.drawn_links(tx, _ids(nodes), limit * EDGES_PER_NODE + 1)
        documents = _ids_of(nodes, "document")
        tags = await drawing_store.tags_of(tx, "documents", documents)
        memory_tags = await drawing_store.tags_of(tx, "memories", memories)
        similar = await _similarity_edges(ports, tx, documents[:COMPARED_DOCUMENTS])
    edges_limit = limit * EDGES_PER_NODE + 1
    shared = edges_by_tags(tags, edges_limit) + edges_by_entities(
        mentions, origins, tags, edges_limit
    )
    drawn_tags = frozenset(_ids_of(nodes, "tag"))
    tagged = edges_to_tags(scope.tenant_id, {**tags, **memory_tags}, drawn_tags)
    edges = _edges(nodes, mentions, origins, [*links, *tagged, *shared, *similar], edges_limit)
    truncated = sum(map(len, candidates_by_kind)) > len(nodes) or len(edges) == edges_limit
    counted_nodes = _with_document_counts(nodes, mentions, origins, count_neighbours(shared))
    return View(counted_nodes, edges[: edges_limit - 1], truncated)


async def _similarity_edges(ports: Ports, tx: Tx, documents: Sequence[UUID]) -> list[Edge]:
    chunks = await drawing_store.first_chunks(tx, documents)
    model = (await current_embedder(ports, tx)).model
    points = await ports.vectors.read(tx, model, CHUNK, list(chunks))
    return edges_by_meaning({chunks[point.id]: point.vector for point in points})


async def _candidates(
    tx: Tx,
    projects: Sequence[UUID] | None,
    entities_and_mentions: tuple[list[Node], Mentions],
    limit: int,
) -> list[list[Node]]:
    entities, mentions = entities_and_mentions
    mentioning = [memory_id for memory_id, _ in mentions]
    memories = await drawing_store.drawn_memories(tx, projects, mentioning, limit)
    documents = await drawing_store.drawn_documents(tx, projects, _ids(memories), limit)
    used_tags = [UsedTag(*row) for row in await drawing_store.used_tags(tx, projects)]
    return [entities, memories, documents, tag_nodes(tx.scope.tenant_id, used_tags, limit)]


def _allocate(nodes_by_kind: Sequence[Sequence[Node]], limit: int) -> list[Node]:
    """Give each kind an equal share; what one kind does not use goes to the others."""
    shares = [0] * len(nodes_by_kind)
    while sum(shares) < limit:
        open_to = [index for index, nodes in enumerate(nodes_by_kind) if shares[index] < len(nodes)]
        if not open_to:
            break
        for index in open_to[: limit - sum(shares)]:
            shares[index] += 1
    allocated = chain.from_iterable(
        nodes[:share] for nodes, share in zip(nodes_by_kind, shares, strict=True)
    )
    return sorted(allocated, key=lambda node: -node.weight)


def _with_document_counts(
    nodes: Sequence[Node],
    mentions: Mentions,
    origins: Mapping[UUID, UUID],
    neighbours: Mapping[UUID, int],
) -> list[Node]:
    """Set `document_count`: for an entity, how many documents the memories that mention it come
    from; for a document, how many other documents share something with it; for a tag, how many
    documents have it."""
    documents: dict[UUID, set[UUID]] = {}
    for memory_id, entities in mentions:
        if origin := origins.get(memory_id):
            for entity in entities:
                documents.setdefault(entity, set()).add(origin)
    counts = {id: len(document_ids) for id, document_ids in documents.items()} | dict(neighbours)
    return [
        replace(node, document_count=counts.get(node.id, node.document_count)) for node in nodes
    ]


def _edges(
    nodes: Sequence[Node],
    mentions: Mentions,
    origins: Mapping[UUID, UUID],
    links: Sequence[Edge],
    limit: int,
) -> list[Edge]:
    kinds = {node.id: node.kind for node in nodes}
    edges = [*_co_mention_edges(mentions, kinds, limit), *links]
    edges += [
        Edge(memory, document, "derives", 1.0)
        for memory, document in origins.items()
        if memory in kinds and document in kinds
    ]
    return sorted(edges, key=lambda edge: -edge.weight)[:limit]


def _co_mention_edges(mentions: Mentions, kinds: Mapping[UUID, str], limit: int) -> list[Edge]:
    """Edges between entities that the same memories mention, weighted by how many do. Counted here
    and not in SQL: without current statistics the database would compare every mention with every
    other."""
    pairs = Counter(
        pair
        for _, entities in mentions
        for pair in combinations(sorted(entity for entity in entities if entity in kinds), 2)
    )
    return [
        Edge(first, second, "related", float(count))
        for (first, second), count in pairs.most_common(limit)
    ]


def _ids_of(nodes: Sequence[Node], kind: NodeKind) -> list[UUID]:
    return [node.id for node in nodes if node.kind == kind]


def _ids(nodes: Sequence[Node]) -> list[UUID]:
    return [node.id for node in nodes]


# Tags as nodes of the graph, with an edge from each item that has them. Pure.


TAGGED = "tagged"


class UsedTag(NamedTuple):
    """A spelling of a tag, and the number of documents or memories of a project that have it."""

    tag: str
    kind: str
    project_id: UUID
    first_used: datetime
    count: int


def tag_nodes(tenant_id: UUID, used: Iterable[UsedTag], limit: int) -> list[Node]:
    """The most used tags; spellings that differ only in case are one tag."""
    uses_by_tag: dict[str, list[UsedTag]] = defaultdict(list)
    for use in used:
        uses_by_tag[use.tag.casefold()].append(use)
    nodes = [_node(_tag_id(tenant_id, tag), uses) for tag, uses in uses_by_tag.items()]
    return sorted(nodes, key=lambda node: (-node.weight, node.label))[:limit]


def edges_to_tags(
    tenant_id: UUID, tags: Mapping[UUID, Sequence[str]], drawn: Collection[UUID]
) -> list[Edge]:
    """An edge from each item to each of its tags that is drawn."""
    pairs = dict.fromkeys(
        (item, _tag_id(tenant_id, tag.casefold()))
        for item, item_tags in tags.items()
        for tag in item_tags
    )
    return [Edge(item, tag, TAGGED, 1.0) for item, tag in pairs if tag in drawn]


def _node(id: UUID, uses: Sequence[UsedTag]) -> Node:
    spellings = Counter[str]()
    for use in uses:
        spellings[use.tag] += use.count
    projects = {use.project_id for use in uses}
    return Node(
        id=id,
        kind="tag",
        label=spellings.most_common(1)[0][0],
        type="tag",
        weight=spellings.total(),
        project_id=projects.pop() if len(projects) == 1 else None,
        created_at=min(use.first_used for use in uses),
        document_count=sum(use.count for use in uses if use.kind == "document"),
    )


def _tag_id(tenant_id: UUID, folded_tag: str) -> UUID:
    return uuid5(tenant_id, f"tag:{folded_tag}")
