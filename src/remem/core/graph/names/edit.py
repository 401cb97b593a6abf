"""Rename, merge and split entities. Extraction obeys it from then on; each change can be undone."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from uuid import UUID

from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.events.record import record
from remem.core.graph.merge import ALIASES_LIMIT
from remem.core.graph.names import naming_store
from remem.core.graph.names.model import (
    MEMORIES_LIMIT,
    MERGE_LIMIT,
    NAME_LIMIT,
    EditKind,
    EntityEdit,
    EntityMemory,
    NamedEntity,
    NameRuling,
    Split,
)
from remem.core.language.names.forms import normalise
from remem.core.language.names.model import EntityType
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.text import shorten
from remem.core.time import new_id, now
from remem.core.transaction import Tx
from remem.core.validate import check_text

KIND = "entity"
_SUMMARY_CHARS = 300


@dataclass(frozen=True, slots=True)
class Edited:
    """The entity as it is now, and the id that undoes the change."""

    entity: NamedEntity
    edit_id: UUID


async def rename_entity(ports: Ports, scope: Scope, id: UUID, name: str) -> Edited:
    """Give an entity another name; the old one means it from now on, too."""
    name, normalized = _checked_name(name)
    project_id = (await _find(ports, scope, [id]))[0].project_id
    async with ports.db.transaction(scope, turn=project_id) as tx:
        entity = await _lock(tx, project_id, id)
        if name == entity.name:
            raise Invalid("name", "is its name already; send another one")
        await _refuse_taken(tx, project_id, normalized, {id})
        names = list(dict.fromkeys([*_names_of([entity]), normalized]))
        change = _Change(project_id, "rename", f"{entity.name} → {name}", [id], names)
        return await change.make(tx, _Renaming(entity, name, normalized, entity.type))


async def merge_entities(ports: Ports, scope: Scope, id: UUID, others: Sequence[UUID]) -> Edited:
    """Merge entities into one of the same project, which keeps its name; all their names mean it
    from now on."""
    others = [other for other in dict.fromkeys(others) if other != id]
    if not 0 < len(others) <= MERGE_LIMIT:
        raise Invalid("entity_ids", f"send 1 to {MERGE_LIMIT} ids of other entities")
    found = await _find(ports, scope, [id, *others])
    project_id = found[0].project_id
    if any(entity.project_id != project_id for entity in found):
        raise Invalid("entity_ids", "are of several projects; merge those of one project")
    async with ports.db.transaction(scope, turn=project_id) as tx:
        await lock_project(tx, project_id)
        kept, *merged = await _require(tx, [id, *others])
        names = _names_of([kept, *merged])
        summary = f"{', '.join(entity.name for entity in merged)} → {kept.name}"
        change = _Change(project_id, "merge", summary, [id, *others], names)
        spellings = [spelling for entity in merged for spelling in (entity.name, *entity.aliases)]
        naming = _Renaming(kept, kept.name, normalise(kept.name), kept.type, spellings, merged)
        return await change.make(tx, naming)


async def split_entity(ports: Ports, scope: Scope, id: UUID, split: Split) -> Edited:
    """Make a new entity of some spellings of an entity, and of some memories that mention it. In
    those memories every spelling means the new one from now on, elsewhere only the given ones."""
    name, normalized = _checked_name(split.name)
    if not split.spellings and not split.memory_ids:
        raise Invalid("spellings", "are missing; send spellings, memory_ids or both")
    if len(split.memory_ids) > MEMORIES_LIMIT:
        raise Invalid("memory_ids", f"send at most {MEMORIES_LIMIT} ids")
    project_id = (await _find(ports, scope, [id]))[0].project_id
    async with ports.db.transaction(scope, turn=project_id) as tx:
        entity = await _lock(tx, project_id, id)
        await _refuse_taken(tx, project_id, normalized, set())
        memories = await naming_store.memories_of(tx, id)
        moved = _moved(entity, memories, split)
        if not moved.gone and not moved.both:
            raise Invalid("spellings", "are in no memory that mentions it; send others")
        if len(moved.gone) == len(memories):
            raise Conflict("Nothing would be left of it; rename it instead.", code="nothing_left")
        created = new_id()
        names = [*_names_of([entity]), normalized, *map(normalise, split.spellings)]
        summary = f"{entity.name} → {entity.name}, {name}"
        change = _Change(project_id, "split", summary, [id, created], names, moved.roots)
        type = split.type or entity.type
        return await change.split(tx, entity, (created, name, normalized, type), split, moved)


async def list_entities(
    ports: Ports,
    scope: Scope,
    project: str | UUID | None,
    words: str | None,
    type: EntityType | None,
    limit: int,
) -> list[NamedEntity]:
    """People and things, the most mentioned first."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        return await naming_store.search(tx, projects, words or None, type, limit)


async def get_entity(
    ports: Ports, scope: Scope, id: UUID, limit: int
) -> tuple[NamedEntity, list[EntityMemory]]:
    """An entity, and the newest memories that mention it."""
    async with ports.db.transaction(scope) as tx:
        [entity] = await _require(tx, [id])
        return entity, await naming_store.memories_of(tx, id, limit)


async def list_edits(ports: Ports, scope: Scope, limit: int) -> list[EntityEdit]:
    async with ports.db.transaction(scope) as tx:
        return await naming_store.edits(tx, limit)


async def undo_edit(ports: Ports, scope: Scope, id: UUID) -> list[NamedEntity]:
    """Restore the names and mentions from before a change. What was saved since keeps what it
    mentions."""
    async with ports.db.transaction(scope) as tx:
        edit = await naming_store.find_edit(tx, id)
    if edit is None:
        raise NotFound("change", id)
    async with ports.db.transaction(scope, turn=edit.project_id) as tx:
        await lock_project(tx, edit.project_id)
        edit = await naming_store.find_edit(tx, id)
        if edit is None or edit.undone_at:
            raise Conflict("This change was undone already.", code="undone")
        if await naming_store.has_later_edit(tx, edit):
            raise Conflict(
                "A later change is about the same; undo that one first.", code="changed_since"
            )
        await _restore(tx, edit)
        await naming_store.mark_undone(tx, id)
        await record(tx, KIND, edit.entity_ids[0], "undo", {"change": edit.kind})
        return await naming_store.find_many(tx, edit.entity_ids)


# A change, with what undoing it needs


@dataclass(frozen=True, slots=True)
class _Renaming:
    """The name and spellings an entity gets, and the entities that are merged into it."""

    entity: NamedEntity
    name: str
    normalized: str
    type: EntityType
    spellings: Sequence[str] = ()
    merged: Sequence[NamedEntity] = ()


@dataclass(frozen=True, slots=True)
class _Moved:
    """Memories that mention only the new entity from now on, or both; the roots of those that were
    chosen."""

    gone: list[UUID]
    both: list[UUID]
    roots: list[UUID]


@dataclass(frozen=True, slots=True)
class _Change:
    """`names` are those whose rulings may change."""

    project_id: UUID
    kind: EditKind
    summary: str
    entity_ids: list[UUID]
    names: Sequence[str]
    memories: Sequence[UUID] = field(default_factory=tuple)

    async def make(self, tx: Tx, naming: _Renaming) -> Edited:
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
            _row(entity.id, target, [entity.name, *entity.aliases, *naming.spellings]),
        )
        retargeted = [
            _ruling(old.name, target, old.memory_id)
            for old in before
            if old.target_normalized in self.names
        ]
        own = [_ruling(name, target) for name in dict.fromkeys([*self.names, naming.normalized])]
        await naming_store.add_rulings(tx, self.project_id, [*retargeted, *own])
        return await self._edited(tx, entity.id)

    async def split(
        self,
        tx: Tx,
        entity: NamedEntity,
        new: tuple[UUID, str, str, EntityType],
        split: Split,
        moved: _Moved,
    ) -> Edited:
        await self._note(tx)
        id, target = new[0], new[1:]
        await naming_store.save(tx, self.project_id, _row(id, target, split.spellings))
        await naming_store.link(tx, id, [*moved.gone, *moved.both])
        await naming_store.unlink(tx, entity.id, moved.gone)
        kept = (entity.name, normalise(entity.name), entity.type)
        taken = {normalise(spelling) for spelling in split.spellings}
        left = [alias for alias in entity.aliases if normalise(alias) not in taken]
        await naming_store.save(tx, self.project_id, _row(entity.id, kept, left))
        own = [_ruling(name, target) for name in {*taken, target[1]}]
        pins = [_ruling(name, target, root) for root in moved.roots for name in _names_of([entity])]
        rulings = [_ruling(kept[1], kept), *own, *pins]
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
                    **_row(entity.id, _target(entity), entity.aliases),
                    "id": str(entity.id),
                    "memories": [str(id) for id in mentions.get(entity.id, [])],
                }
                for entity in entities
            ],
            "rulings": [_as_json(ruling) for ruling in rulings],
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


async def _restore(tx: Tx, edit: EntityEdit) -> None:
    before = edit.before
    entities = [{**row, "id": UUID(row["id"])} for row in before["entities"]]
    for row in entities:
        await _refuse_taken(tx, edit.project_id, row["normalized"], set(edit.entity_ids))
    about = (edit.project_id, before["names"], [UUID(id) for id in before["memories"]])
    obeyed = await naming_store.rulings_about(tx, *about)
    await naming_store.delete_rulings(tx, edit.project_id, obeyed)
    rulings = [_from_json(ruling) for ruling in before["rulings"]]
    await naming_store.add_rulings(tx, edit.project_id, rulings)
    # One that lost all its mentions meanwhile and got new ones has another id.
    found = [
        await naming_store.find_named(tx, edit.project_id, name)
        for name in {ruling.target_normalized for ruling in obeyed}
    ]
    current_ids = {*edit.entity_ids, *(id for ids in found for id in ids)}
    mentions = await naming_store.mentioned_in(tx, list(current_ids))
    still = {memory for memories in mentions.values() for memory in memories}
    before_ids = {row["id"] for row in entities}
    noted = {UUID(memory) for row in entities for memory in row["memories"]}
    kept, *_ = edit.entity_ids
    # One name at a time: two entities may have exchanged theirs.
    for row in entities:
        unique = {**row, "name": str(row["id"]), "normalized": str(row["id"]), "aliases": []}
        await naming_store.save(tx, edit.project_id, unique)
    for row in entities:
        await naming_store.save(tx, edit.project_id, row)
        own = [UUID(memory) for memory in row["memories"]]
        since = [id for id in still - noted if row["id"] == kept]
        await naming_store.link(tx, row["id"], [*(id for id in own if id in still), *since])
    for row in entities:
        own = {UUID(memory) for memory in row["memories"]}
        others = [id for id in mentions.get(row["id"], []) if id in noted and id not in own]
        await naming_store.unlink(tx, row["id"], others)
    for id in sorted(current_ids - before_ids):
        await naming_store.unlink(tx, id, mentions.get(id, []))
    await naming_store.recount(tx, edit.entity_ids)


async def obey_names(tx: Tx) -> None:
    """Merge imported entities into those that people say they are."""
    for entity_id, project_id, ruling in await naming_store.disobedient(tx):
        target = (ruling.target_name, ruling.target_normalized, ruling.target_type)
        named = await naming_store.find_named(tx, project_id, ruling.target_normalized)
        kept = next((id for id in named if id != entity_id), None)
        if kept is None:
            await naming_store.save(tx, project_id, _row(entity_id, target, ()))
            continue
        memories = (await naming_store.mentioned_in(tx, [entity_id])).get(entity_id, [])
        await naming_store.link(tx, kept, memories)
        await naming_store.unlink(tx, entity_id, memories)


# Names


def _moved(entity: NamedEntity, memories: Sequence[EntityMemory], split: Split) -> _Moved:
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
    return _Moved(gone, both, list(dict.fromkeys(roots)))


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


def _checked_name(name: str) -> tuple[str, str]:
    name = " ".join(name.split())
    check_text("name", name, NAME_LIMIT, least=1)
    normalized = normalise(name)
    if not normalized:
        raise Invalid("name", "has no letters or digits; send a name")
    return name, normalized


def _names_of(entities: Iterable[NamedEntity]) -> list[str]:
    names = (
        normalise(spelling) for entity in entities for spelling in (entity.name, *entity.aliases)
    )
    return [name for name in dict.fromkeys(names) if name]


def _target(entity: NamedEntity) -> tuple[str, str, EntityType]:
    return entity.name, normalise(entity.name), entity.type


def _row(id: UUID, target: tuple[str, str, EntityType], spellings: Iterable[str]) -> dict[str, Any]:
    name, normalized, type = target
    aliases = [spelling for spelling in dict.fromkeys(spellings) if spelling != name]
    return {
        "id": id,
        "type": type,
        "name": name,
        "normalized": normalized,
        "aliases": aliases[:ALIASES_LIMIT],
    }


def _ruling(
    name: str, target: tuple[str, str, EntityType], memory_id: UUID | None = None
) -> NameRuling:
    return NameRuling(name, memory_id, *target)


def _as_json(ruling: NameRuling) -> dict[str, Any]:
    return {**asdict(ruling), "memory_id": ruling.memory_id and str(ruling.memory_id)}


def _from_json(values: dict[str, Any]) -> NameRuling:
    ruling = NameRuling(**values)
    return replace(ruling, memory_id=UUID(values["memory_id"])) if values["memory_id"] else ruling


async def _refuse_taken(
    tx: Tx, project_id: UUID, normalized: str, allowed: Collection[UUID]
) -> None:
    taken = set(await naming_store.find_named(tx, project_id, normalized)) - set(allowed)
    if taken:
        raise Conflict(
            "There is something of that name already; merge the two, or choose another name.",
            code="name_taken",
            details={"entity_id": str(min(taken))},
        )


async def _find(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> list[NamedEntity]:
    async with ports.db.transaction(scope) as tx:
        return await _require(tx, ids)


async def _lock(tx: Tx, project_id: UUID, id: UUID) -> NamedEntity:
    await lock_project(tx, project_id)
    return (await _require(tx, [id]))[0]


async def _require(tx: Tx, ids: Sequence[UUID]) -> list[NamedEntity]:
    found = await naming_store.find_many(tx, ids)
    if missing := set(ids) - {entity.id for entity in found}:
        raise NotFound(KIND, next(iter(missing)))
    return found
