"""Edges between documents that share tags or entities, or are similar in meaning. Pure."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from uuid import UUID

import numpy as np

from remem.core.graph.model import Edge
from remem.core.ports import Vector

BY_TAGS, BY_ENTITIES, BY_MEANING = "shared_tags", "shared_entities", "similar"
# Documents whose first chunks are less similar than this are unrelated; of the rest, keep the
# nearest.
MIN_COSINE = 0.6
NEAREST = 3
# A tag or entity shared by very many documents says little about any two; only the newest are
# connected.
GROUP_LIMIT = 50


def edges_by_tags(tags: Mapping[UUID, Sequence[str]], limit: int) -> list[Edge]:
    """An edge for each pair of documents with a tag in common, weighted by how many they share."""
    documents_by_tag: dict[str, set[UUID]] = defaultdict(set)
    for document, document_tags in tags.items():
        for tag in document_tags:
            documents_by_tag[tag.casefold()].add(document)
    return _edges(documents_by_tag.values(), BY_TAGS, limit)


def edges_by_entities(
    mentions: Sequence[tuple[UUID, list[UUID]]],
    origins: Mapping[UUID, UUID],
    drawn: Collection[UUID],
    limit: int,
) -> list[Edge]:
    """The same for the entities that memories from the documents mention."""
    documents_by_entity: dict[UUID, set[UUID]] = defaultdict(set)
    for memory, entities in mentions:
        document = origins.get(memory)
        if document and document in drawn:
            for entity in entities:
                documents_by_entity[entity].add(document)
    return _edges(documents_by_entity.values(), BY_ENTITIES, limit)


def edges_by_meaning(vectors: Mapping[UUID, Vector]) -> list[Edge]:
    """An edge from each document to the most similar ones; its weight is their cosine."""
    if len(vectors) < 2:
        return []
    ids = list(vectors)
    table = np.array([vectors[id] for id in ids], dtype=np.float32)
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
    cosines = table @ table.T
    np.fill_diagonal(cosines, -1)
    cosine_by_pair: dict[tuple[UUID, UUID], float] = {}
    for row, nearest in enumerate(np.argsort(-cosines, axis=1)[:, :NEAREST]):
        for column in nearest:
            if (cosine := float(cosines[row, column])) >= MIN_COSINE:
                first, second = sorted((ids[row], ids[int(column)]))
                cosine_by_pair[first, second] = round(cosine, 4)
    return [
        Edge(first, second, BY_MEANING, cosine)
        for (first, second), cosine in cosine_by_pair.items()
    ]


def _edges(groups: Iterable[set[UUID]], relation: str, limit: int) -> list[Edge]:
    pairs = Counter(
        pair for group in groups for pair in combinations(sorted(group)[-GROUP_LIMIT:], 2)
    )
    return [
        Edge(first, second, relation, float(count))
        for (first, second), count in pairs.most_common(limit)
    ]


def count_neighbours(edges: Iterable[Edge]) -> dict[UUID, int]:
    """How many other documents each document is connected to."""
    neighbours: dict[UUID, set[UUID]] = defaultdict(set)
    for edge in edges:
        neighbours[edge.source].add(edge.target)
        neighbours[edge.target].add(edge.source)
    return {document: len(others) for document, others in neighbours.items()}
