"""The graph as it is drawn: the heaviest of every kind, and how they hang together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Invalid
from remem.core.graph import store
from remem.core.graph.model import Edge, Node, View
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope

NODES_LIMIT = 1_000
EDGES_A_NODE = 5


async def view_graph(ports: Ports, scope: Scope, project: str | UUID | None, limit: int) -> View:
    if not 1 <= limit <= NODES_LIMIT:
        raise Invalid("limit", f"use 1 to {NODES_LIMIT}")
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, scope, project)
        found = await _candidates(tx, scope, projects, limit + 1)
        nodes = await _counted(tx, scope, _shared_out(found, limit))
        edges = await _edges(tx, scope, nodes, limit * EDGES_A_NODE + 1)
    truncated = sum(map(len, found)) > len(nodes) or len(edges) > limit * EDGES_A_NODE
    return View(nodes, edges[: limit * EDGES_A_NODE], truncated)


async def _candidates(
    tx: Tx, scope: Scope, projects: Sequence[UUID] | None, limit: int
) -> list[list[Node]]:
    entities = await store.drawn_entities(tx, scope, projects, limit)
    memories = await store.drawn_memories(tx, scope, projects, _ids(entities), limit)
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


async def _counted(tx: Tx, scope: Scope, nodes: Sequence[Node]) -> list[Node]:
    entities = [one.id for one in nodes if one.kind == "entity"]
    counts = await store.document_counts(tx, scope, entities)
    return [replace(one, document_count=counts.get(one.id, 0)) for one in nodes]


async def _edges(tx: Tx, scope: Scope, nodes: Sequence[Node], limit: int) -> list[Edge]:
    kinds = {kind: [one for one in nodes if one.kind == kind] for kind in ("entity", "memory")}
    ids = _ids(nodes)
    edges = _together(await store.mentions_of(tx, scope, _ids(kinds["entity"])), limit)
    edges += await store.drawn_links(tx, scope, ids, limit)
    edges += await store.drawn_origins(tx, scope, _ids(kinds["memory"]), ids, limit)
    return sorted(edges, key=lambda one: -one.weight)[:limit]


def _together(mentions: Sequence[tuple[UUID, UUID]], limit: int) -> list[Edge]:
    """Entities that the same memories mention, by how many do. Counted here: a database that has
    not yet seen how much there is would compare every mention with every other."""
    by_memory: dict[UUID, set[UUID]] = {}
    for memory_id, entity_id in mentions:
        by_memory.setdefault(memory_id, set()).add(entity_id)
    pairs = Counter(
        pair for entities in by_memory.values() for pair in combinations(sorted(entities), 2)
    )
    return [Edge(one, two, "related", float(n)) for (one, two), n in pairs.most_common(limit)]


def _ids(nodes: Sequence[Node]) -> list[UUID]:
    return [one.id for one in nodes]
