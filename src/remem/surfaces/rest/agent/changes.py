"""Change a memory, read its history, forget it, restore it."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from remem.core.errors import Invalid
from remem.core.judgements import Category
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import erase_memory, forget_memory
from remem.core.memories.lifecycle import Verdict, give_feedback, review_memory, set_lifecycle
from remem.core.memories.merge import MAX_MEMORIES, merge_memories
from remem.core.memories.model import Quality, Review, State
from remem.core.memories.versions.history import get_history
from remem.core.memories.versions.restore import restore_memory
from remem.core.search.replaced import replacements_of
from remem.core.text import TITLE_LIMIT
from remem.surfaces.rest.agent.shapes import (
    AgentMemory,
    Camel,
    CamelBody,
    EventOut,
    event_out,
    memory_out,
    show_memories,
)
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import Tags
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment

router = APIRouter(prefix="/api", tags=["agents: memories"], route_class=Guarded)


class StatementChange(CamelBody):
    content: Annotated[str, Field(min_length=1)] | SkipJsonSchema[None] = Field(
        default=None, description="Creates a version."
    )
    title: str | None = Field(default=None, max_length=TITLE_LIMIT)
    category: Category | SkipJsonSchema[None] = None
    project: str | None = Field(default=None, description="Move it; an id, slug, path or name.")
    project_id: UUID | None = None
    tags: Tags | SkipJsonSchema[None] = None
    context: dict[str, Any] | SkipJsonSchema[None] = None
    confidence: Annotated[float, Field(ge=0, le=1)] | SkipJsonSchema[None] = None
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    occurred_at: Moment | None = None
    due_at: Moment | None = None


class LifecycleIn(CamelBody):
    state: State | None = None
    quality: Quality | None = None
    review: Review | None = Field(
        default=None, description="Your decision on an inferred memory; sets the other two."
    )


class FeedbackIn(CamelBody):
    type: Verdict


class MergeIn(CamelBody):
    ids: list[UUID] = Field(
        min_length=2, max_length=MAX_MEMORIES, description="Current memories of one project."
    )
    content: str | None = Field(
        default=None,
        min_length=1,
        description="The text of the merged memory; generated if absent.",
    )


class HistoryOut(Camel):
    versions: list[AgentMemory]
    events: list[EventOut]
    unreadable: UnreadableItems


class RestoredOut(Camel):
    id: UUID
    status: str
    memory: AgentMemory


@router.put("/memories/{id}", response_model=AgentMemory)
async def change(id: UUID, body: StatementChange, ports: PortsDep, caller: Writer) -> AgentMemory:
    """Change the fields that you send. New content creates a version with its own id."""
    values = body.model_dump(exclude_unset=True)
    project = values.pop("project_id", None) or values.pop("project", None)
    values.pop("project", None)
    edit = MemoryEdit(fields=frozenset(body.model_fields_set), project=project, **values)
    return memory_out(await edit_memory(ports, caller, id, edit))


@router.post("/memories/merge", response_model=AgentMemory)
async def merge(body: MergeIn, ports: PortsDep, caller: Writer) -> AgentMemory:
    """Merge several memories into one. The newest gets a version with the merged text; the others
    stay as history, and can be restored."""
    return memory_out(await merge_memories(ports, caller, body.ids, body.content))


@router.delete("/memories/{id}", status_code=204)
async def delete(
    id: UUID,
    ports: PortsDep,
    caller: Writer,
    hard: Annotated[bool, Query(description="Erase it permanently.")] = False,
) -> None:
    """Forget a memory with its versions. It can be restored, unless `hard` erases it."""
    await (erase_memory if hard else forget_memory)(ports, caller, id)


@router.get("/memories/{id}/history", response_model=HistoryOut)
async def history(id: UUID, ports: PortsDep, caller: Reader) -> HistoryOut:
    """List every version, oldest first, and their events."""
    memory_history = await get_history(ports, caller, id)
    replaced = await replacements_of(ports, caller, memory_history.versions)
    versions, bad_versions = show_memories(memory_history.versions, replaced)
    events, bad_events = show(memory_history.events, event_out)
    return HistoryOut(versions=versions, events=events, unreadable=[*bad_versions, *bad_events])


@router.post("/memories/{id}/lifecycle", response_model=AgentMemory)
async def lifecycle(id: UUID, body: LifecycleIn, ports: PortsDep, caller: Writer) -> AgentMemory:
    """Set `state`, `quality` or both, or accept or decline an inferred memory with `review`. Only
    active memories are found."""
    if body.review:
        _refuse_both(body)
        return memory_out(await review_memory(ports, caller, id, body.review))
    return memory_out(await set_lifecycle(ports, caller, id, body.state, body.quality))


def _refuse_both(body: LifecycleIn) -> None:
    if body.state or body.quality:
        raise Invalid("review", "sets state and quality itself; send it alone")


@router.post("/memories/{id}/feedback", response_model=AgentMemory)
async def feedback(id: UUID, body: FeedbackIn, ports: PortsDep, caller: Writer) -> AgentMemory:
    """Rate a memory: `helpful` makes its quality good, anything else bad."""
    return memory_out(await give_feedback(ports, caller, id, body.type))


@router.post("/memories/{id}/restore", response_model=RestoredOut)
async def restore(id: UUID, ports: PortsDep, caller: Writer) -> RestoredOut:
    """Restore a deleted memory, or make an old version the newest."""
    memory = await restore_memory(ports, caller, id)
    return RestoredOut(id=memory.id, status="restored", memory=memory_out(memory))
