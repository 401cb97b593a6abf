"""Names and their spellings: which memories have them, and what they mean. Pure."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from uuid import UUID

from remem.core.errors import Invalid, NotFound
from remem.core.graph.merge import ALIASES_LIMIT
from remem.core.graph.names.model import (
    NAME_LIMIT,
    EntityMemory,
    NamedEntity,
    NameRuling,
    Split,
)
from remem.core.language.names.forms import normalise
from remem.core.language.names.model import EntityType
from remem.core.validate import check_text


@dataclass(frozen=True, slots=True)
class MovedMemories:
    """Memories that mention only the new entity from now on, or both; the roots of those that were
    chosen."""

    gone: list[UUID]
    both: list[UUID]
    roots: list[UUID]


def moved_memories(
    entity: NamedEntity, memories: Sequence[EntityMemory], split: Split
) -> MovedMemories:
    chosen = set(split.memory_ids)
    if unknown := chosen - {memory.id for memory in memories}:
        raise NotFound("memory", next(iter(unknown)), hint="send ids of memories that mention it")
    own = {normalise(spelling) for spelling in (entity.name, *entity.aliases)}
    taken = {normalise(spelling) for spelling in split.spellings}
    if normalise(entity.name) in taken:
        raise Invalid("spellings", "have its own name; rename it first, or send memory_ids")
    if taken - own:
        raise Invalid("spellings", "are not all among its aliases; send some of those")
    gone, both = [], []
    for memory in memories:
        found = set() if memory.id in chosen else _spellings_in(memory, own)
        if memory.id in chosen or (found and found <= taken):
            gone.append(memory.id)
        elif found & taken:
            both.append(memory.id)
    roots = [memory.root_id for memory in memories if memory.id in chosen]
    return MovedMemories(gone, both, list(dict.fromkeys(roots)))


def _spellings_in(memory: EntityMemory, spellings: Collection[str]) -> set[str]:
    """Which of these spellings a memory has, the longest of those that overlap."""
    text = _plain(" ".join((memory.content, memory.speaker or "", *memory.tags)))
    longest_first = sorted(filter(None, spellings), key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return set(pattern.findall(text))


def _plain(text: str) -> str:
    """A text as `normalise` writes names, without leaving out words."""
    decomposed = unicodedata.normalize("NFKD", text.replace("’", "'").casefold())
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(bare.replace("_", " ").replace("-", " ").split())


def checked_name(name: str) -> tuple[str, str]:
    name = " ".join(name.split())
    check_text("name", name, NAME_LIMIT, least=1)
    normalized = normalise(name)
    if not normalized:
        raise Invalid("name", "has no letters or digits; send a name")
    return name, normalized


def names_of(entities: Iterable[NamedEntity]) -> list[str]:
    names = (
        normalise(spelling) for entity in entities for spelling in (entity.name, *entity.aliases)
    )
    return [name for name in dict.fromkeys(names) if name]


def target_of(entity: NamedEntity) -> tuple[str, str, EntityType]:
    return entity.name, normalise(entity.name), entity.type


def entity_row(
    id: UUID, target: tuple[str, str, EntityType], spellings: Iterable[str]
) -> dict[str, Any]:
    name, normalized, type = target
    aliases = [spelling for spelling in dict.fromkeys(spellings) if spelling != name]
    return {
        "id": id,
        "type": type,
        "name": name,
        "normalized": normalized,
        "aliases": aliases[:ALIASES_LIMIT],
    }


def ruling_of(
    name: str, target: tuple[str, str, EntityType], memory_id: UUID | None = None
) -> NameRuling:
    return NameRuling(name, memory_id, *target)


def ruling_as_json(ruling: NameRuling) -> dict[str, Any]:
    return {**asdict(ruling), "memory_id": ruling.memory_id and str(ruling.memory_id)}


def ruling_from_json(values: dict[str, Any]) -> NameRuling:
    ruling = NameRuling(**values)
    return replace(ruling, memory_id=UUID(values["memory_id"])) if values["memory_id"] else ruling
