"""Change names and mentions, and note what undoing it needs."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.graph.names import naming_store
from remem.core.graph.names.model import EditKind, EntityEdit, NamedEntity, NameRuling, Split
from remem.core.graph.names.spelling import (
    MovedMemories,
    entity_row,
    names_of,
    ruling_as_json,
    ruling_of,
    target_of,
)
from remem.core.language.names.forms import normalise
from remem.core.language.names.model import EntityType
from remem.core.text import shorten
from remem.core.time import new_id, now
from remem.core.transaction import Tx

KIND = "entity"
_SUMMARY_CHARS = 300


@dataclass(frozen=True, slots=True)
class Edited:
    """The entity as it is now, and the id that undoes the change."""

    entity: NamedEntity
    edit_id: UUID


@dataclass(frozen=True, slots=True)
class Renaming:
    """The name and spellings an entity gets, and the entities that are merged into it."""

    entity: NamedEntity
    name: str
    normalized: str
    type: EntityType
    spellings: Sequence[str] = ()
    merged: Sequence[NamedEntity] = ()


@dataclass(frozen=True, slots=True)
class NameChange:
    """`names` are those whose rulings may change."""

    project_id: UUID
    kind: EditKind
    summary: str
    entity_ids: list[UUID]
    names: Sequence[str]
    memories: Sequence[UUID] = field(default_factory=tuple)

    async def make(self, tx: Tx, naming: Renaming) -> Edited:
        before = await self._note(tx)
        entity, target = naming.entity, (naming.name, naming.normalized, naming.type)
        for other in naming.merged:
            memories = (await naming_store.mentioned_in(tx, [other.id])).get(other.id, [])
            await naming_store.link(tx, entity.id, memories)
            await naming_store.unlink(tx, other.id, memories)
            await naming_store.delete(tx, other.id)
        await naming_store.save(
            tx,
            self.project_id,
            entity_row(entity.id, target, [entity.name, *entity.aliases, *naming.spellings]),
        )
        retargeted = [
            ruling_of(old.name, target, old.memory_id)
            for old in before
            if old.target_normalized in self.names
        ]
        own = [ruling_of(name, target) for name in dict.fromkeys([*self.names, naming.normalized])]
        await naming_store.add_rulings(tx, self.project_id, [*retargeted, *own])
        return await self._edited(tx, entity.id)

    async def split(
        self,
        tx: Tx,
        entity: NamedEntity,
        new: tuple[UUID, str, str, EntityType],
        split: Split,
        moved: MovedMemories,
    ) -> Edited:
        await self._note(tx)
        id, target = new[0], new[1:]
        await naming_store.save(tx, self.project_id, entity_row(id, target, split.spellings))
        await naming_store.link(tx, id, [*moved.gone, *moved.both])
        await naming_store.unlink(tx, entity.id, moved.gone)
        kept = (entity.name, normalise(entity.name), entity.type)
        taken = {normalise(spelling) for spelling in split.spellings}
        left = [alias for alias in entity.aliases if normalise(alias) not in taken]
        await naming_store.save(tx, self.project_id, entity_row(entity.id, kept, left))
        own = [ruling_of(name, target) for name in {*taken, target[1]}]
        pins = [
            ruling_of(name, target, root) for root in moved.roots for name in names_of([entity])
        ]
        rulings = [ruling_of(kept[1], kept), *own, *pins]
        await naming_store.add_rulings(tx, self.project_id, rulings)
        return await self._edited(tx, id)

    async def _note(self, tx: Tx) -> list[NameRuling]:
        """Store what is there before; return the rulings."""
        entities = await naming_store.find_many(tx, self.entity_ids)
        mentions = await naming_store.mentioned_in(tx, self.entity_ids)
        about = (self.project_id, list(self.names), list(self.memories))
        rulings = await naming_store.rulings_about(tx, *about)
        before = {
            "entities": [
                {
                    **entity_row(entity.id, target_of(entity), entity.aliases),
                    "id": str(entity.id),
                    "memories": [str(id) for id in mentions.get(entity.id, [])],
                }
                for entity in entities
            ],
            "rulings": [ruling_as_json(ruling) for ruling in rulings],
            "names": list(self.names),
            "memories": [str(id) for id in self.memories],
        }
        edit = EntityEdit(
            id=new_id(),
            project_id=self.project_id,
            kind=self.kind,
            summary=shorten(self.summary, _SUMMARY_CHARS),
            entity_ids=self.entity_ids,
            before=before,
            undone_at=None,
            created_at=now(),
        )
        await naming_store.add_edit(tx, edit)
        return rulings

    async def _edited(self, tx: Tx, id: UUID) -> Edited:
        await naming_store.recount(tx, self.entity_ids)
        [edit] = await naming_store.edits(tx, 1)
        await record(tx, KIND, self.entity_ids[0], self.kind, {"change": str(edit.id)})
        [entity] = await naming_store.find_many(tx, [id])
        return Edited(entity, edit.id)


async def refuse_taken(
    tx: Tx, project_id: UUID, normalized: str, allowed: Collection[UUID]
) -> None:
    taken = set(await naming_store.find_named(tx, project_id, normalized)) - set(allowed)
    if taken:
        raise Conflict(
            "There is something of that name already; merge the two, or choose another name.",
            code="name_taken",
            details={"entity_id": str(min(taken))},
        )


async def require_entities(tx: Tx, ids: Sequence[UUID]) -> list[NamedEntity]:
    found = await naming_store.find_many(tx, ids)
    if missing := set(ids) - {entity.id for entity in found}:
        raise NotFound(KIND, next(iter(missing)))
    return found
