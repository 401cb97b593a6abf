"""The values of the graph."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias, get_args
from uuid import UUID

from remem.core.language.names.model import EntityType
from remem.core.text import shorten

Kind: TypeAlias = Literal["memory", "entity", "document"]
RelationName: TypeAlias = Literal[
    "updates", "extends", "derives", "similar", "related", "supports", "contradicts",
    "supersedes", "merged_into", "mentions",
]  # fmt: skip
RELATIONS: tuple[str, ...] = get_args(RelationName)


@dataclass(frozen=True, slots=True)
class Link:
    """An edge that reads from left to right: `from` updates `to`, from a moment on."""

    from_kind: Kind
    from_id: UUID
    to_kind: Kind
    to_id: UUID
    relation: RelationName
    confidence: float = 1.0
    valid_from: datetime | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that memories mention; `aliases` are the other ways they write its name."""

    id: UUID
    type: EntityType
    name: str
    name_normalized: str
    aliases: list[str]


@dataclass(frozen=True, slots=True)
class Node:
    """A thing of the graph; `weight` is how many others are connected with it."""

    id: UUID
    kind: Kind
    label: str
    type: str
    weight: int
    project_id: UUID
    created_at: datetime
    document_count: int = 0


# A text is shortened at a word's end; the database sends no more of it than that needs.
LABEL_SENT = 200
_LABEL_LIMIT = 80


def text_node(kind: Kind, row: Mapping[str, Any], weight: int) -> Node:
    values: dict[str, Any] = dict(row)
    values["label"] = shorten(values["label"], _LABEL_LIMIT)
    return Node(kind=kind, weight=weight, **values)


@dataclass(frozen=True, slots=True)
class Edge:
    source: UUID
    target: UUID
    relation: str
    weight: float


@dataclass(frozen=True, slots=True)
class View:
    """Nodes and edges, heaviest first; `truncated` when there was more than was asked for."""

    nodes: list[Node]
    edges: list[Edge]
    truncated: bool
