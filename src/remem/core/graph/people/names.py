"""Take from people the names that no memory gives them any more."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from remem.core.db import Tx
from remem.core.graph import store as entities
from remem.core.graph.model import Entity
from remem.core.graph.people import store
from remem.core.language.names.forms import normalise
from remem.core.scope import Scope


async def drop_names(tx: Tx, scope: Scope, memory_id: UUID, entity_ids: Sequence[UUID]) -> None:
    """A memory mentions these no more. A surname that it alone had is gone with it, though others
    mention the same person by the first name."""
    if not entity_ids:
        return
    for person, unsaid in await store.unsaid(tx, scope, memory_id, entity_ids):
        await _rename(tx, scope, person, without_names(person, unsaid))


async def _rename(tx: Tx, scope: Scope, person: Entity, after: Entity | None) -> None:
    other = await store.namesake(tx, scope, after) if after else None
    if after and not other:
        await entities.rename(tx, scope, after)
        return
    if other:
        await store.give_mentions(tx, scope, person.id, other)
    await store.erase(tx, scope, person.id)


def without_names(person: Entity, gone: Collection[str]) -> Entity | None:
    """The fullest name that is left is the name; None where none is left."""
    left = [way for way in (person.name, *person.aliases) if way not in gone]
    if not left:
        return None
    if left[0] == person.name:
        return replace(person, aliases=left[1:])
    name = max(left, key=lambda way: normalise(way).count(" "))
    aliases = [way for way in left if way != name]
    return replace(person, name=name, name_normalized=normalise(name), aliases=aliases)
