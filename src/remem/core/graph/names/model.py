"""The values of names that people decided on."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from remem.core.language.names.model import EntityType, Mention

EditKind: TypeAlias = Literal["rename", "merge", "split"]
NAME_LIMIT = 200
MERGE_LIMIT = 50
MEMORIES_LIMIT = 500


@dataclass(frozen=True, slots=True)
class NameRuling:
    """A normalized name means this entity, in every memory or in the versions of one (`memory_id`
    is their root)."""

    name: str
    memory_id: UUID | None
    target_name: str
    target_normalized: str
    target_type: EntityType


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity as lists show it."""

    id: UUID
    project_id: UUID
    project_ref: str
    type: EntityType
    name: str
    aliases: list[str]
    mention_count: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class EntityMemory:
    """A memory that mentions an entity."""

    id: UUID
    root_id: UUID
    content: str
    speaker: str | None
    tags: list[str]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class EntityEdit:
    """A change, and what undoing it restores."""

    id: UUID
    project_id: UUID
    kind: EditKind
    summary: str
    entity_ids: list[UUID]
    before: dict[str, Any]
    undone_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Split:
    """What goes to the new entity: memories with these spellings, and these memories."""

    name: str
    type: EntityType | None = None
    spellings: tuple[str, ...] = ()
    memory_ids: tuple[UUID, ...] = ()


def obey(
    mentions: Sequence[Mention], rulings: Sequence[NameRuling]
) -> tuple[list[Mention], Collection[str]]:
    """The mentions with the names that people decided on, each once, and those names. A ruling for
    the memory counts more than one for all."""
    by_name = {
        ruling.name: ruling
        for ruling in sorted(rulings, key=lambda ruling: ruling.memory_id is not None)
    }
    ruled: dict[tuple[str, str], Mention] = {}
    decided: set[str] = set()
    for mention in mentions:
        if ruling := by_name.get(mention.normalized):
            decided.add(ruling.target_normalized)
            mention = replace(
                mention,
                type=ruling.target_type,
                name=ruling.target_name,
                normalized=ruling.target_normalized,
            )
        ruled.setdefault((mention.type, mention.normalized), mention)
    return list(ruled.values()), decided
