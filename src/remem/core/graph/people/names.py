"""Remove names of people that no memory contains any more."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from remem.core.graph import graph_store
from remem.core.graph.model import Entity
from remem.core.graph.people import person_store
from remem.core.language.names.forms import normalise
from remem.core.transaction import Tx


async def drop_names(tx: Tx, memory_id: UUID, entity_ids: Sequence[UUID]) -> None:
    """Remove the names that only this memory contained from the entities it no longer mentions: a
    surname goes even when other memories mention the same person by the first name."""
    if not entity_ids:
        return
    for person, unused_names in await person_store.unused_names(tx, memory_id, entity_ids):
        await _rename(tx, person, without_names(person, unused_names))


async def _rename(tx: Tx, person: Entity, renamed: Entity | None) -> None:
    namesake_id = await person_store.namesake(tx, renamed) if renamed else None
    if renamed and not namesake_id:
        await graph_store.rename(tx, renamed)
        return
    if namesake_id:
        await person_store.move_mentions(tx, person.id, namesake_id)
    await person_store.delete_entity(tx, person.id)


def without_names(person: Entity, removed: Collection[str]) -> Entity | None:
    """The person without these names, under the fullest name that remains; None when none does."""
    remaining = [spelling for spelling in (person.name, *person.aliases) if spelling not in removed]
    if not remaining:
        return None
    if remaining[0] == person.name:
        return replace(person, aliases=remaining[1:])
    name = max(remaining, key=lambda spelling: normalise(spelling).count(" "))
    aliases = [spelling for spelling in remaining if spelling != name]
    return replace(person, name=name, name_normalized=normalise(name), aliases=aliases)
