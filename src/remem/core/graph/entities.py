"""Link a memory to the things it mentions, in the transaction that shows or hides it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.db import Tx
from remem.core.graph import store
from remem.core.graph.merge import merge
from remem.core.graph.model import Entity
from remem.core.graph.people.names import drop_names
from remem.core.language.names.model import Mention
from remem.core.scope import Scope


async def mention_these(
    tx: Tx,
    scope: Scope,
    memory: tuple[UUID, UUID],
    mentions: Sequence[Mention],
    since: datetime | None = None,
) -> None:
    """Link it to what its text mentions. `memory` is (project, id); the project is locked, so that
    one transaction at a time decides what a name means."""
    project_id, id = memory
    if not mentions:
        return
    known = await store.named(tx, scope, project_id, _forms(mentions), _firsts(mentions))
    merged = merge(mentions, known)
    for changed in merged.changed:
        await store.rename(tx, scope, changed)
    if merged.made:
        await store.insert_entities(tx, scope, project_id, merged.made)
    await store.insert_mentions(tx, scope, id, merged.ids, since)


@dataclass(frozen=True, slots=True)
class Mentioning:
    """A memory, what its text mentions, and since when it is valid."""

    memory_id: UUID
    mentions: Sequence[Mention]
    since: datetime | None


async def mention_all(
    tx: Tx, scope: Scope, project_id: UUID, memories: Sequence[Mentioning]
) -> None:
    """The same for several memories of one project, in their order."""
    every = [mention for one in memories for mention in one.mentions]
    if not every:
        return
    known = await store.named(tx, scope, project_id, _forms(every), _firsts(every))
    entities = {one.id: one for one in known}
    made: dict[UUID, Entity] = {}
    links: list[tuple[UUID, UUID, datetime | None]] = []
    for one in memories:
        merged = merge(one.mentions, _named_in(one.mentions, entities))
        entities |= {entity.id: entity for entity in (*merged.made, *merged.changed)}
        made |= {entity.id: entity for entity in merged.made}
        links += [(one.memory_id, id, one.since) for id in merged.ids]
    before = {one.id: one for one in known}
    for id, one in before.items():
        if entities[id] != one:
            await store.rename(tx, scope, entities[id])
    await store.insert_entities(tx, scope, project_id, [entities[id] for id in made])
    await store.insert_all_mentions(tx, scope, links)


def _named_in(mentions: Sequence[Mention], entities: dict[UUID, Entity]) -> list[Entity]:
    """Those with one of these names, and people with one of these first names."""
    forms, firsts = set(_forms(mentions)), set(_firsts(mentions))
    return [
        one
        for one in entities.values()
        if one.name_normalized in forms
        or (one.type == "person" and one.name_normalized.split(" ")[0] in firsts)
    ]


async def unmention(tx: Tx, scope: Scope, memory_id: UUID) -> None:
    """The database counts mentions, and removes entities without any. Before the memory itself is
    erased: the names that it alone gave to people who stay go with it."""
    mentioned = await store.delete_mentions(tx, scope, memory_id)
    await drop_names(tx, scope, memory_id, mentioned)


async def move_entities(tx: Tx, scope: Scope, project_id: UUID, to: UUID) -> None:
    """With the memories that mention them; what the other project knows by that name is one."""
    await store.merge_entities(tx, scope, project_id, to)
    await store.move_entities(tx, scope, project_id, to)


def _forms(mentions: Sequence[Mention]) -> list[str]:
    """The names themselves, and those of people by their first name alone."""
    people = [one.normalized.split(" ")[0] for one in mentions if one.type == "person"]
    return list(dict.fromkeys([*(one.normalized for one in mentions), *people]))


def _firsts(mentions: Sequence[Mention]) -> list[str]:
    """First names, to see how many of the project's people have them."""
    people = [one for one in mentions if one.type == "person"]
    firsts = [one.normalized.split(" ")[0] for one in people]
    return list(dict.fromkeys(firsts))
