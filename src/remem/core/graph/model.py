"""The types of the graph."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias, get_args
from uuid import UUID

from remem.core.language.names.model import EntityType
from remem.core.text import shorten

Kind: TypeAlias = Literal["memory", "entity", "document"]
NodeKind: TypeAlias = Literal["memory", "entity", "document", "tag"]
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
    """Something that memories mention; `aliases` are the other spellings of its name. A person gave
    the name if `is_named`: texts do not change it."""

    id: UUID
    type: EntityType
    name: str
    name_normalized: str
    aliases: list[str]
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """An item of the graph; `weight` is how many others it is connected to. A tag has the same
    `id` in every view of a tenant, and no project if several projects use it."""

    id: UUID
    kind: NodeKind
    label: str
    type: str
    weight: int
    project_id: UUID | None
    created_at: datetime
    document_count: int = 0


# Labels are cut at the end of a word. The database returns only the characters this needs.
LABEL_READ_CHARS = 200
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
    """Nodes and edges, heaviest first; `truncated` when there were more than the limit."""

    nodes: list[Node]
    edges: list[Edge]
    truncated: bool
