"""People and things: list, rename, merge and split them, and undo that."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from remem.core.graph.names.change import Edited
from remem.core.graph.names.edit import (
    get_entity,
    list_edits,
    list_entities,
    merge_entities,
    rename_entity,
    split_entity,
)
from remem.core.graph.names.model import (
    MEMORIES_LIMIT,
    MERGE_LIMIT,
    NAME_LIMIT,
    EditKind,
    EntityEdit,
    EntityMemory,
    NamedEntity,
    Split,
)
from remem.core.graph.names.undo import undo_edit
from remem.core.language.names.model import EntityType
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import Described
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Body, Moment, Reply

router = APIRouter(prefix="/v3", tags=["entities"], route_class=Guarded)

LIST_LIMIT = 500
EntityName = Annotated[str, Described(minLength=1, maxLength=NAME_LIMIT)]


class EntityRenameIn(Body):
    name: EntityName


class EntityMergeIn(Body):
    entity_ids: Annotated[list[UUID], Described(minItems=1, maxItems=MERGE_LIMIT)] = Field(
        description="Those that are merged into it, of the same project."
    )


class EntitySplitIn(Body):
    name: EntityName = Field(description="The name of the new entity.")
    type: EntityType | None = Field(default=None, description="That of the other if absent.")
    spellings: list[str] = Field(
        default_factory=list, description="Aliases that mean the new one from now on."
    )
    memory_ids: Annotated[list[UUID], Described(maxItems=MEMORIES_LIMIT)] = Field(
        default_factory=list, description="Memories that mention the new one, by any name."
    )


class EntityOut(Reply):
    id: UUID
    name: str
    type: EntityType
    aliases: list[str] = Field(description="Other spellings that mean it.")
    project: str
    project_id: UUID
    mention_count: int
    created_at: Moment


class MentioningMemory(Reply):
    id: UUID
    content: str


class EntityWithMemories(EntityOut):
    memories: list[MentioningMemory] = Field(description="The newest that mention it.")


class EntityChanged(EntityOut):
    change_id: UUID = Field(description="Undoes it.")


class EntityList(BaseModel):
    entities: list[EntityOut]
    unreadable: UnreadableItems


class EntityChangeOut(Reply):
    id: UUID
    kind: EditKind
    summary: str
    created_at: Moment
    undone_at: Moment | None


class EntityChangeList(BaseModel):
    changes: list[EntityChangeOut]
    unreadable: UnreadableItems


class EntitiesUndone(BaseModel):
    entities: list[EntityOut] = Field(description="As they are now.")


@router.get("/entities", response_model=EntityList)
async def list_all(
    ports: PortsDep,
    caller: Reader,
    query: Annotated[str | None, Query(description="A part of a name.", max_length=200)] = None,
    type: EntityType | None = None,
    project: Annotated[str | None, Query(description="A slug, path (`a.*`) or name.")] = None,
    limit: Annotated[int, Query(ge=1, le=LIST_LIMIT)] = 100,
) -> EntityList:
    """List the people and things that memories mention, the most mentioned first."""
    found = await list_entities(ports, caller, project, query, type, limit)
    entities, unreadable = show(found, entity_out)
    return EntityList(entities=entities, unreadable=unreadable)


@router.get("/entities/{id}", response_model=EntityWithMemories)
async def get(
    id: UUID,
    ports: PortsDep,
    caller: Reader,
    limit: Annotated[int, Query(ge=1, le=MEMORIES_LIMIT)] = 50,
) -> EntityWithMemories:
    """Get a person or thing, with the newest memories that mention it."""
    entity, memories = await get_entity(ports, caller, id, limit)
    return EntityWithMemories(
        **entity_out(entity).model_dump(), memories=[memory_out(memory) for memory in memories]
    )


@router.patch("/entities/{id}", response_model=EntityChanged)
async def rename(id: UUID, body: EntityRenameIn, ports: PortsDep, caller: Writer) -> EntityChanged:
    """Give it another name; the old one means it from now on, too."""
    return changed_out(await rename_entity(ports, caller, id, body.name))


@router.post("/entities/{id}/merge", response_model=EntityChanged)
async def merge(id: UUID, body: EntityMergeIn, ports: PortsDep, caller: Writer) -> EntityChanged:
    """Merge others into it. All their names mean it from now on, also when memories are extracted
    again or imported."""
    return changed_out(await merge_entities(ports, caller, id, body.entity_ids))


@router.post("/entities/{id}/split", status_code=201, response_model=EntityChanged)
async def split(id: UUID, body: EntitySplitIn, ports: PortsDep, caller: Writer) -> EntityChanged:
    """Make a new one of some of its aliases, or of some memories that mention it."""
    parts = Split(body.name, body.type, tuple(body.spellings), tuple(body.memory_ids))
    return changed_out(await split_entity(ports, caller, id, parts))


@router.get("/entity-changes", response_model=EntityChangeList)
async def changes(
    ports: PortsDep, caller: Reader, limit: Annotated[int, Query(ge=1, le=100)] = 20
) -> EntityChangeList:
    """List what was renamed, merged and split, the newest first."""
    shown, unreadable = show(await list_edits(ports, caller, limit), change_out)
    return EntityChangeList(changes=shown, unreadable=unreadable)


@router.post("/entity-changes/{id}/undo", response_model=EntitiesUndone)
async def undo(id: UUID, ports: PortsDep, caller: Writer) -> EntitiesUndone:
    """Undo a change: names and mentions are as before; what was saved since keeps what it
    mentions."""
    return EntitiesUndone(
        entities=[entity_out(item) for item in await undo_edit(ports, caller, id)]
    )


def entity_out(entity: NamedEntity) -> EntityOut:
    return EntityOut.of(entity, project=entity.project_ref)


def memory_out(memory: EntityMemory) -> MentioningMemory:
    return MentioningMemory.of(memory)


def changed_out(edited: Edited) -> EntityChanged:
    return EntityChanged(**entity_out(edited.entity).model_dump(), change_id=edited.edit_id)


def change_out(edit: EntityEdit) -> EntityChangeOut:
    return EntityChangeOut.of(edit)
