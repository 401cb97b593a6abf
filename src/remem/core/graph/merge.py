"""Which known entity a name means: by its one form, or by a first name where only one has it."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.graph.model import Entity
from remem.core.language.names.model import EntityType, Mention
from remem.core.time import new_id

ALIASES_LIMIT = 20


@dataclass(frozen=True, slots=True)
class Merged:
    """The mentioned entities: those to create, those to update, and the ids of all."""

    made: list[Entity]
    changed: list[Entity]
    ids: list[UUID]


def merge(mentions: Sequence[Mention], known: Sequence[Entity]) -> Merged:
    entities = {one.id: one for one in known}
    made: set[UUID] = set()
    ids: list[UUID] = []
    for mention in _longest_first(mentions):
        there = _meant(mention, list(entities.values()))
        after = _with(there, mention) if there else _new(mention)
        if there is None:
            made.add(after.id)
        entities[after.id] = after
        ids.append(after.id)
    before = {one.id: one for one in known}
    return Merged(
        [entities[id] for id in made],
        [entities[id] for id, one in before.items() if entities[id] != one],
        list(dict.fromkeys(ids)),
    )


def _longest_first(mentions: Sequence[Mention]) -> list[Mention]:
    """So that "Ada" in the text that names Ada Lovelace is Ada Lovelace."""
    return sorted(mentions, key=lambda one: -one.normalized.count(" "))


def _meant(mention: Mention, known: Sequence[Entity]) -> Entity | None:
    same = [one for one in known if one.name_normalized == mention.normalized]
    if same:
        return next((one for one in same if one.type == mention.type), same[0])
    if mention.type != "person":
        return None
    people = [one for one in known if one.type == "person"]
    if is_first_name(mention.normalized):
        return _only([one for one in people if _begins(one.name_normalized, mention.normalized)])
    first = mention.normalized.split(" ")[0]
    if any(_begins(one.name_normalized, first) for one in people):
        return None
    return _only([one for one in people if one.name_normalized == first])


def is_first_name(normalized: str) -> bool:
    return " " not in normalized


def _begins(full: str, first: str) -> bool:
    return full.startswith(f"{first} ")


def _only(found: Sequence[Entity]) -> Entity | None:
    return found[0] if len(found) == 1 else None


def _with(entity: Entity, mention: Mention) -> Entity:
    """The fuller name is its name; every other way to write it is kept."""
    fuller = _begins(mention.normalized, entity.name_normalized) and entity.type == "person"
    name, normalized = (
        (mention.name, mention.normalized) if fuller else (entity.name, entity.name_normalized)
    )
    ways = [*entity.aliases, entity.name, mention.name, mention.written]
    aliases = [way for way in dict.fromkeys(ways) if way != name][:ALIASES_LIMIT]
    return Entity(entity.id, _type(entity, mention), name, normalized, aliases)


def _type(entity: Entity, mention: Mention) -> EntityType:
    """What was only a concept may turn out to be something."""
    return mention.type if entity.type == "concept" else entity.type


def _new(mention: Mention) -> Entity:
    aliases = [mention.written] if mention.written != mention.name else []
    return Entity(new_id(), mention.type, mention.name, mention.normalized, aliases)
