"""The values of the graph."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, get_args
from uuid import UUID

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
