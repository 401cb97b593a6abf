"""Rename, merge and split entities. Extraction obeys it from then on; each change can be undone."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.errors import Conflict, Invalid
from remem.core.graph.names import naming_store
from remem.core.graph.names.change import (
    Edited,
    NameChange,
    Renaming,
    refuse_taken,
    require_entities,
)
from remem.core.graph.names.model import (
    MEMORIES_LIMIT,
    MERGE_LIMIT,
    EntityEdit,
    EntityMemory,
    NamedEntity,
    Split,
)
from remem.core.graph.names.spelling import checked_name, moved_memories, names_of
from remem.core.language.names.forms import normalise
from remem.core.language.names.model import EntityType
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transaction import Tx


async def rename_entity(ports: Ports, scope: Scope, id: UUID, name: str) -> Edited:
    """Give an entity another name; the old one means it from now on, too."""
    name, normalized = checked_name(name)
    project_id = (await _find(ports, scope, [id]))[0].project_id
    async with ports.db.transaction(scope, turn=project_id) as tx:
        entity = await _lock(tx, project_id, id)
        if name == entity.name:
            raise Invalid("name", "is its name already; send another one")
        await refuse_taken(tx, project_id, normalized, {id})
        names = list(dict.fromkeys([*names_of([entity]), normalized]))
        change = NameChange(project_id, "rename", f"{entity.name} → {name}", [id], names)
        return await change.make(tx, Renaming(entity, name, normalized, entity.type))


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
        kept, *merged = await require_entities(tx, [id, *others])
        names = names_of([kept, *merged])
        summary = f"{', '.join(entity.name for entity in merged)} → {kept.name}"
        change = NameChange(project_id, "merge", summary, [id, *others], names)
        spellings = [spelling for entity in merged for spelling in (entity.name, *entity.aliases)]
        naming = Renaming(kept, kept.name, normalise(kept.name), kept.type, spellings, merged)
        return await change.make(tx, naming)


async def split_entity(ports: Ports, scope: Scope, id: UUID, split: Split) -> Edited:
    """Make a new entity of some spellings of an entity, and of some memories that mention it. In
    those memories every spelling means the new one from now on, elsewhere only the given ones."""
    name, normalized = checked_name(split.name)
    if not split.spellings and not split.memory_ids:
        raise Invalid("spellings", "are missing; send spellings, memory_ids or both")
    if len(split.memory_ids) > MEMORIES_LIMIT:
        raise Invalid("memory_ids", f"send at most {MEMORIES_LIMIT} ids")
    project_id = (await _find(ports, scope, [id]))[0].project_id
    async with ports.db.transaction(scope, turn=project_id) as tx:
        entity = await _lock(tx, project_id, id)
        await refuse_taken(tx, project_id, normalized, set())
        memories = await naming_store.memories_of(tx, id)
        moved = moved_memories(entity, memories, split)
        if not moved.gone and not moved.both:
            raise Invalid("spellings", "are in no memory that mentions it; send others")
        if len(moved.gone) == len(memories):
            raise Conflict("Nothing would be left of it; rename it instead.", code="nothing_left")
        created = new_id()
        names = [*names_of([entity]), normalized, *map(normalise, split.spellings)]
        summary = f"{entity.name} → {entity.name}, {name}"
        change = NameChange(project_id, "split", summary, [id, created], names, moved.roots)
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
        [entity] = await require_entities(tx, [id])
        return entity, await naming_store.memories_of(tx, id, limit)


async def list_edits(ports: Ports, scope: Scope, limit: int) -> list[EntityEdit]:
    async with ports.db.transaction(scope) as tx:
        return await naming_store.edits(tx, limit)


async def _find(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> list[NamedEntity]:
    async with ports.db.transaction(scope) as tx:
        return await require_entities(tx, ids)


async def _lock(tx: Tx, project_id: UUID, id: UUID) -> NamedEntity:
    await lock_project(tx, project_id)
    return (await require_entities(tx, [id]))[0]
