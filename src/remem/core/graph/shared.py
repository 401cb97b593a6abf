"""Which documents belong together: by tags or entities in common, or by meaning. Pure."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from uuid import UUID

import numpy as np

from remem.core.graph.model import Edge
from remem.core.ports import Vector

BY_TAGS, BY_ENTITIES, BY_MEANING = "shared_tags", "shared_entities", "similar"
# Documents that begin less alike than this are about something else; of the others the nearest.
LEAST_COSINE = 0.6
NEAREST = 3
# What very many have in common says little of any two; of those, the newest are joined.
GROUP_LIMIT = 50


def edges_by_tags(tags: Mapping[UUID, Sequence[str]], limit: int) -> list[Edge]:
    """An edge for each two documents with a tag in common; its weight says how many they have."""
    having: dict[str, set[UUID]] = defaultdict(set)
    for document, own in tags.items():
        for tag in own:
            having[tag.casefold()].add(document)
    return _edges(having.values(), BY_TAGS, limit)


def edges_by_entities(
    mentions: Sequence[tuple[UUID, list[UUID]]],
    origins: Mapping[UUID, UUID],
    drawn: Collection[UUID],
    limit: int,
) -> list[Edge]:
    """As by tags, for the entities that memories from the documents mention."""
    having: dict[UUID, set[UUID]] = defaultdict(set)
    for memory, entities in mentions:
        document = origins.get(memory)
        if document and document in drawn:
            for entity in entities:
                having[entity].add(document)
    return _edges(having.values(), BY_ENTITIES, limit)


def edges_by_meaning(vectors: Mapping[UUID, Vector]) -> list[Edge]:
    """An edge from each document to those most like it; its weight is their cosine."""
    if len(vectors) < 2:
        return []
    ids = list(vectors)
    table = np.array([vectors[id] for id in ids], dtype=np.float32)
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
    cosines = table @ table.T
    np.fill_diagonal(cosines, -1)
    found: dict[tuple[UUID, UUID], float] = {}
    for row, near in enumerate(np.argsort(-cosines, axis=1)[:, :NEAREST]):
        for column in near:
            if (cosine := float(cosines[row, column])) >= LEAST_COSINE:
                one, two = sorted((ids[row], ids[int(column)]))
                found[one, two] = round(cosine, 4)
    return [Edge(one, two, BY_MEANING, cosine) for (one, two), cosine in found.items()]


def _edges(groups: Iterable[set[UUID]], relation: str, limit: int) -> list[Edge]:
    pairs = Counter(
        pair for group in groups for pair in combinations(sorted(group)[-GROUP_LIMIT:], 2)
    )
    return [Edge(one, two, relation, float(n)) for (one, two), n in pairs.most_common(limit)]


def count_neighbours(edges: Iterable[Edge]) -> dict[UUID, int]:
    """With how many others each document has something in common."""
    found: dict[UUID, set[UUID]] = defaultdict(set)
    for edge in edges:
        found[edge.source].add(edge.target)
        found[edge.target].add(edge.source)
    return {document: len(others) for document, others in found.items()}
