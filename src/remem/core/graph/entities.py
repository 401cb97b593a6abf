"""Link a memory to the entities it mentions, in the transaction that indexes or unindexes it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.graph import graph_store
from remem.core.graph.merge import merge
from remem.core.graph.model import Entity
from remem.core.graph.names import naming_store
from remem.core.graph.names.model import obey
from remem.core.graph.people.names import drop_names
from remem.core.language.names.model import Mention
from remem.core.transaction import Tx


async def link_entities(
    tx: Tx, memory: tuple[UUID, UUID], mentions: Sequence[Mention], since: datetime | None = None
) -> None:
    """Link a memory to the entities its text mentions. `memory` is (project_id, id). The caller has
    locked the project, so only one transaction at a time decides which entity a name refers to."""
    project_id, id = memory
    if not mentions:
        return
    [(mentions, decided)] = await _obey(tx, project_id, [(id, mentions)])
    known = await graph_store.entities_by_name(
        tx, project_id, _names(mentions), _first_names(mentions)
    )
    merged = merge(mentions, known, decided)
    for entity in merged.updated:
        await graph_store.rename(tx, entity)
    if merged.created:
        await graph_store.insert_entities(tx, project_id, merged.created)
    await graph_store.insert_mentions(tx, id, merged.ids, since)


@dataclass(frozen=True, slots=True)
class MemoryMentions:
    """A memory, the mentions in its text, and the time from which it is valid."""

    memory_id: UUID
    mentions: Sequence[Mention]
    since: datetime | None


async def link_entities_of_all(
    tx: Tx, project_id: UUID, memories: Sequence[MemoryMentions]
) -> None:
    """Do the same as `link_entities` for several memories of one project, in order."""
    if not any(memory.mentions for memory in memories):
        return
    obeyed = await _obey(
        tx, project_id, [(memory.memory_id, memory.mentions) for memory in memories]
    )
    all_mentions = [mention for mentions, _ in obeyed for mention in mentions]
    known = await graph_store.entities_by_name(
        tx, project_id, _names(all_mentions), _first_names(all_mentions)
    )
    entities = {entity.id: entity for entity in known}
    created: dict[UUID, Entity] = {}
    links: list[tuple[UUID, UUID, datetime | None]] = []
    for memory, (mentions, decided) in zip(memories, obeyed, strict=True):
        merged = merge(mentions, _with_name_in(mentions, entities), decided)
        entities |= {entity.id: entity for entity in (*merged.created, *merged.updated)}
        created |= {entity.id: entity for entity in merged.created}
        links += [(memory.memory_id, id, memory.since) for id in merged.ids]
    known_by_id = {entity.id: entity for entity in known}
    for id, entity in known_by_id.items():
        if entities[id] != entity:
            await graph_store.rename(tx, entities[id])
    await graph_store.insert_entities(tx, project_id, [entities[id] for id in created])
    await graph_store.insert_all_mentions(tx, links)


async def _obey(
    tx: Tx, project_id: UUID, memories: Sequence[tuple[UUID, Sequence[Mention]]]
) -> list[tuple[list[Mention], Collection[str]]]:
    """The mentions of each memory, with the names that people decided on, and those names."""
    names = {mention.normalized for _, mentions in memories for mention in mentions}
    ids = [id for id, _ in memories]
    rulings = await naming_store.rulings_for(tx, project_id, sorted(names), ids)
    return [obey(mentions, rulings[id]) for id, mentions in memories]


def _with_name_in(mentions: Sequence[Mention], entities: dict[UUID, Entity]) -> list[Entity]:
    """Entities with one of these names, and people with one of these first names."""
    names, first_names = set(_names(mentions)), set(_first_names(mentions))
    return [
        entity
        for entity in entities.values()
        if entity.name_normalized in names
        or (entity.type == "person" and entity.name_normalized.split(" ")[0] in first_names)
    ]


async def unlink_entities(tx: Tx, memory_id: UUID) -> None:
    """Remove the mentions of a memory. Call it before the memory itself is deleted.

    The database counts mentions and deletes entities without any. People who remain lose the
    names that only this memory gave them."""
    mentioned = await graph_store.delete_mentions(tx, memory_id)
    await drop_names(tx, memory_id, mentioned)


async def move_entities(tx: Tx, project_id: UUID, to: UUID) -> None:
    """Move the entities of a project along with its memories. An entity that the target project
    already has under the same name is merged into it."""
    await naming_store.move_rulings(tx, project_id, to)
    await graph_store.merge_entities(tx, project_id, to)
    await graph_store.move_entities(tx, project_id, to)


def _names(mentions: Sequence[Mention]) -> list[str]:
    """The mentioned names, plus the first names of people."""
    first_names = [
        mention.normalized.split(" ")[0] for mention in mentions if mention.type == "person"
    ]
    return list(dict.fromkeys([*(mention.normalized for mention in mentions), *first_names]))


def _first_names(mentions: Sequence[Mention]) -> list[str]:
    """First names of mentioned people, to check how many people of the project share them."""
    people = [mention for mention in mentions if mention.type == "person"]
    first_names = [person.normalized.split(" ")[0] for person in people]
    return list(dict.fromkeys(first_names))
