"""The graph as it is drawn: the most connected items of every kind, and their links."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import TypeAlias
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Invalid
from remem.core.graph.drawing import store
from remem.core.graph.model import Edge, Kind, Node, View
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

NODES_LIMIT = 10_000
# Documents whose beginnings are compared with each other.
COMPARED = 500
KINDS: tuple[Kind, ...] = ("entity", "memory", "document")
EDGES_A_NODE = 5

Mentions: TypeAlias = Sequence[tuple[UUID, list[UUID]]]


async def view_graph(
    ports: Ports,
    scope: Scope,
    project: str | UUID | None,
    limit: int,
    kinds: Sequence[Kind] = KINDS,
) -> View:
    if not 1 <= limit <= NODES_LIMIT:
        raise Invalid("limit", f"use 1 to {NODES_LIMIT}")
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, scope, project)
        entities = await store.drawn_entities(tx, scope, projects, limit + 1)
        mentions = await store.mentioning(tx, scope, _ids(entities))
        every = await _candidates(tx, scope, projects, (entities, mentions), limit + 1)
        found = [nodes for kind, nodes in zip(KINDS, every, strict=True) if kind in kinds]
        nodes = _shared_out(found, limit)
        memories = [one.id for one in nodes if one.kind == "memory"]
        origins = await store.origins_of(tx, scope, {*memories, *dict(mentions)})
        links = await store.drawn_links(tx, scope, _ids(nodes), limit * EDGES_A_NODE + 1)
        documents = [one.id for one in nodes if one.kind == "document"]
        tags = await store.tags_of(tx, scope, documents)
        alike = await _alike(ports, tx, scope, documents[:COMPARED])
    most = limit * EDGES_A_NODE + 1
    shared = edges_by_tags(tags, most) + edges_by_entities(mentions, origins, tags, most)
    edges = _edges(nodes, mentions, origins, [*links, *shared, *alike], most)
    truncated = sum(map(len, found)) > len(nodes) or len(edges) == most
    counted = _counted(nodes, mentions, origins, count_neighbours(shared))
    return View(counted, edges[: most - 1], truncated)


async def _alike(ports: Ports, tx: Tx, scope: Scope, documents: Sequence[UUID]) -> list[Edge]:
    chunks = await store.first_chunks(tx, scope, documents)
    points = await ports.vectors.read(tx, scope, ports.embedder.model, CHUNK, list(chunks))
    return edges_by_meaning({chunks[point.id]: point.vector for point in points})


async def _candidates(
    tx: Tx,
    scope: Scope,
    projects: Sequence[UUID] | None,
    drawn: tuple[list[Node], Mentions],
    limit: int,
) -> list[list[Node]]:
    entities, mentions = drawn
    mentioning = [memory_id for memory_id, _ in mentions]
    memories = await store.drawn_memories(tx, scope, projects, mentioning, limit)
    documents = await store.drawn_documents(tx, scope, projects, _ids(memories), limit)
    return [entities, memories, documents]


def _shared_out(found: Sequence[Sequence[Node]], limit: int) -> list[Node]:
    """A third for each kind; what one leaves free is the others'."""
    shares = [0] * len(found)
    while sum(shares) < limit:
        open_to = [n for n, nodes in enumerate(found) if shares[n] < len(nodes)]
        if not open_to:
            break
        for n in open_to[: limit - sum(shares)]:
            shares[n] += 1
    kept = chain.from_iterable(nodes[:share] for nodes, share in zip(found, shares, strict=True))
    return sorted(kept, key=lambda one: -one.weight)


def _counted(
    nodes: Sequence[Node],
    mentions: Mentions,
    origins: Mapping[UUID, UUID],
    neighbours: Mapping[UUID, int],
) -> list[Node]:
    """From how many documents the memories came that mention an entity; with how many others a
    document has something in common."""
    documents: dict[UUID, set[UUID]] = {}
    for memory_id, entities in mentions:
        if origin := origins.get(memory_id):
            for entity in entities:
                documents.setdefault(entity, set()).add(origin)
    counts = {id: len(found) for id, found in documents.items()} | dict(neighbours)
    return [replace(one, document_count=counts.get(one.id, 0)) for one in nodes]


def _edges(
    nodes: Sequence[Node],
    mentions: Mentions,
    origins: Mapping[UUID, UUID],
    links: Sequence[Edge],
    limit: int,
) -> list[Edge]:
    kinds = {one.id: one.kind for one in nodes}
    edges = [*_together(mentions, kinds, limit), *links]
    edges += [
        Edge(memory, document, "derives", 1.0)
        for memory, document in origins.items()
        if memory in kinds and document in kinds
    ]
    return sorted(edges, key=lambda one: -one.weight)[:limit]


def _together(mentions: Mentions, kinds: Mapping[UUID, str], limit: int) -> list[Edge]:
    """Entities that the same memories mention, by how many do. Counted here: a database that has
    not yet seen how much there is would compare every mention with every other."""
    pairs = Counter(
        pair
        for _, entities in mentions
        for pair in combinations(sorted(one for one in entities if one in kinds), 2)
    )
    return [Edge(one, two, "related", float(n)) for (one, two), n in pairs.most_common(limit)]


def _ids(nodes: Sequence[Node]) -> list[UUID]:
    return [one.id for one in nodes]
