"""Match mentions with known entities, by normalized name or by an unambiguous first name."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from remem.core.graph.model import Entity
from remem.core.language.names.model import EntityType, Mention
from remem.core.time import new_id

ALIASES_LIMIT = 20


@dataclass(frozen=True, slots=True)
class Merged:
    """The mentioned entities: those to create, those to update, and all their ids."""

    created: list[Entity]
    updated: list[Entity]
    ids: list[UUID]


def merge(
    mentions: Sequence[Mention], known: Sequence[Entity], decided: Collection[str] = ()
) -> Merged:
    """`decided` are normalized names of mentions that people decided on: they mean an entity of
    exactly this name."""
    entities = {entity.id: entity for entity in known}
    created: set[UUID] = set()
    ids: list[UUID] = []
    for mention in _longest_first(mentions):
        match = _find_entity(mention, list(entities.values()), decided)
        entity = _add_spelling(match, mention) if match else _new_entity(mention)
        if match is None:
            created.add(entity.id)
        entities[entity.id] = entity
        ids.append(entity.id)
    known_by_id = {entity.id: entity for entity in known}
    return Merged(
        [entities[id] for id in created],
        [entities[id] for id, entity in known_by_id.items() if entities[id] != entity],
        list(dict.fromkeys(ids)),
    )


def _longest_first(mentions: Sequence[Mention]) -> list[Mention]:
    """Longest names first, so that "Ada" in a text that names Ada Lovelace is Ada Lovelace."""
    return sorted(mentions, key=lambda mention: -mention.normalized.count(" "))


def _find_entity(
    mention: Mention, known: Sequence[Entity], decided: Collection[str]
) -> Entity | None:
    same = [entity for entity in known if entity.name_normalized == mention.normalized]
    if same:
        return next((entity for entity in same if entity.type == mention.type), same[0])
    if mention.type != "person" or mention.normalized in decided:
        return None
    people = [entity for entity in known if entity.type == "person"]
    if is_first_name(mention.normalized):
        return _single(
            [
                entity
                for entity in people
                if _has_first_name(entity.name_normalized, mention.normalized)
            ]
        )
    first = mention.normalized.split(" ")[0]
    if any(_has_first_name(entity.name_normalized, first) for entity in people):
        return None
    return _single(
        [entity for entity in people if entity.name_normalized == first and not entity.is_named]
    )


def is_first_name(normalized: str) -> bool:
    return " " not in normalized


def _has_first_name(full: str, first: str) -> bool:
    return full.startswith(f"{first} ")


def _single(entities: Sequence[Entity]) -> Entity | None:
    return entities[0] if len(entities) == 1 else None


def _add_spelling(entity: Entity, mention: Mention) -> Entity:
    """The entity with the mention's spelling added: the fuller name becomes its name, the other
    spellings its aliases."""
    is_fuller = (
        _has_first_name(mention.normalized, entity.name_normalized)
        and entity.type == "person"
        and not entity.is_named
    )
    name, normalized = (
        (mention.name, mention.normalized) if is_fuller else (entity.name, entity.name_normalized)
    )
    spellings = [*entity.aliases, entity.name, mention.name, mention.written]
    aliases = [spelling for spelling in dict.fromkeys(spellings) if spelling != name][
        :ALIASES_LIMIT
    ]
    return replace(
        entity,
        type=_type(entity, mention),
        name=name,
        name_normalized=normalized,
        aliases=aliases,
    )


def _type(entity: Entity, mention: Mention) -> EntityType:
    """A mention with a specific type replaces the generic type `concept`."""
    return mention.type if entity.type == "concept" else entity.type


def _new_entity(mention: Mention) -> Entity:
    aliases = [mention.written] if mention.written != mention.name else []
    return Entity(new_id(), mention.type, mention.name, mention.normalized, aliases)
