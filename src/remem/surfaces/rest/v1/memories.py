"""Memories as the nodes of a graph."""

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from remem.core.graph.model import RelationName
from remem.core.judgements import Category
from remem.core.memories.browse import get_memory
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import forget_memory
from remem.core.memories.model import Memory
from remem.core.memories.related import DEPTH_LIMIT, Related, related_memories
from remem.core.search.model import Replacement
from remem.core.search.replaced import replacements_of
from remem.core.upkeep.forget import QUERY_LIMIT, THRESHOLD, THRESHOLD_MIN, forget_meant
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import Tags
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show, show_one
from remem.surfaces.rest.shapes import Body, DateOut, Moment, address_of, said

router = APIRouter(prefix="/v1", tags=["memories"], route_class=Guarded)

# This dialect's words for ours.
_OURS = {"memory_type": "category", "metadata": "context", "expires_at": "valid_until"}


class NodeReplacement(BaseModel):
    """The current memory that replaces another one, or what a chunk says."""

    id: UUID
    url: str = Field(description="Where this is read.")
    content: str
    memory_type: str
    since: Moment


class NodeOut(BaseModel):
    id: UUID
    container: str
    document_id: UUID | None
    content: str
    memory_type: str
    metadata: dict[str, Any]
    tags: list[str]
    confidence: float
    speaker: str | None
    said_at: Moment | None
    dates: list[DateOut]
    occurred_at: Moment | None = Field(description="When it happened.")
    due_at: Moment | None = Field(description="When it is to be done by.")
    is_latest: bool
    replaced_by: NodeReplacement | None = Field(
        default=None, description="Present if it is outdated: the memory that is valid instead."
    )
    expires_at: Moment | None
    created_at: Moment
    updated_at: Moment


class NodeChange(Body):
    content: Annotated[str, Field(min_length=1)] | SkipJsonSchema[None] = Field(
        default=None, description="Creates a version."
    )
    memory_type: Category | SkipJsonSchema[None] = None
    metadata: dict[str, Any] | SkipJsonSchema[None] = None
    tags: Tags | SkipJsonSchema[None] = None
    confidence: Annotated[float, Field(ge=0, le=1)] | SkipJsonSchema[None] = None
    expires_at: Moment | None = Field(default=None, description="null keeps it forever.")


class RelatedOut(BaseModel):
    id: UUID
    content: str
    memory_type: str
    is_latest: bool
    relationship: str
    direction: Literal["out", "in"]
    confidence: float
    depth: int


class RelatedList(BaseModel):
    id: UUID
    related: list[RelatedOut]
    unreadable: UnreadableItems


class ForgetIn(Body):
    query: str = Field(min_length=1, max_length=QUERY_LIMIT, description="What to forget.")
    container: str | None = Field(default=None, description="Everywhere if absent; `a.*` too.")
    dry_run: bool = Field(default=True, description="Only list what would go.")
    threshold: float = Field(default=THRESHOLD, ge=THRESHOLD_MIN, le=1)


class ForgottenLine(BaseModel):
    id: UUID
    content: str
    memory_type: str
    container: str
    similarity: float


class ForgottenOut(BaseModel):
    dry_run: bool
    memories: list[ForgottenLine]
    total: int
    forgotten: int
    more: bool
    unreadable: UnreadableItems


@router.post("/memories/forget", response_model=ForgottenOut)
async def forget(body: ForgetIn, ports: PortsDep, caller: Writer) -> ForgottenOut:
    """Forget memories about this, at most a hundred at once. Unless `dry_run` is false, it only
    lists them."""
    done = await forget_meant(
        ports, caller, body.query, body.container, body.threshold, dry_run=body.dry_run
    )
    memories, unreadable = show(
        done.memories, lambda pair: _forgotten(*pair), lambda pair: pair[0].id
    )
    return ForgottenOut(
        dry_run=body.dry_run,
        memories=memories,
        unreadable=unreadable,
        total=len(done.memories),
        forgotten=done.forgotten,
        more=done.more,
    )


@router.get("/memories/{id}", response_model=NodeOut)
async def read(id: UUID, ports: PortsDep, caller: Reader) -> NodeOut:
    """Get one memory; `replaced_by` is what is valid instead of an old one. The read is counted."""
    memory = await get_memory(ports, caller, id)
    replaced = await replacements_of(ports, caller, [memory])
    return show_one(memory, lambda memory: _out(memory, replaced.get(id)))


@router.patch("/memories/{id}", response_model=NodeOut)
async def change(id: UUID, body: NodeChange, ports: PortsDep, caller: Writer) -> NodeOut:
    """Change the fields that you send. New content creates a version with its own id."""
    given = {_OURS.get(name, name): value for name, value in body.model_dump().items()}
    fields = frozenset(_OURS.get(name, name) for name in body.model_fields_set)
    return _out(await edit_memory(ports, caller, id, MemoryEdit(fields=fields, **given)))


@router.delete("/memories/{id}", status_code=204)
async def delete(id: UUID, ports: PortsDep, caller: Writer) -> None:
    """Forget a memory with its versions; `POST /api/memories/{id}/restore` restores it."""
    await forget_memory(ports, caller, id)


@router.get("/memories/{id}/related", response_model=RelatedList)
async def related(
    id: UUID,
    ports: PortsDep,
    caller: Reader,
    depth: Annotated[int, Query(ge=1, le=DEPTH_LIMIT)] = 1,
    relation: Annotated[list[RelationName] | None, Query(description="Any of these.")] = None,
) -> RelatedList:
    """List the memories linked to a memory, nearest first, at most a hundred."""
    found = await related_memories(ports, caller, id, depth, relation or ())
    shown, unreadable = show(found, _related, lambda one: one.memory.id)
    return RelatedList(id=id, related=shown, unreadable=unreadable)


def replacement_out(newer: Replacement) -> NodeReplacement:
    return NodeReplacement(
        id=newer.id,
        url=address_of("memory", newer.id),
        content=newer.content,
        memory_type=newer.category,
        since=newer.since,
    )


def _out(memory: Memory, newer: Replacement | None = None) -> NodeOut:
    return NodeOut(
        id=memory.id,
        container=memory.project_slug,
        document_id=memory.document_id,
        content=memory.content,
        memory_type=memory.category,
        metadata=memory.context,
        tags=memory.tags,
        confidence=round(memory.confidence, 6),
        **said(memory),
        occurred_at=memory.occurred_at,
        due_at=memory.due_at,
        is_latest=memory.is_current,
        replaced_by=replacement_out(newer) if newer else None,
        expires_at=memory.valid_until,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
    )


def _forgotten(memory: Memory, cosine: float) -> ForgottenLine:
    return ForgottenLine(
        id=memory.id,
        content=memory.content,
        memory_type=memory.category,
        container=memory.project_slug,
        similarity=round(cosine, 6),
    )


def _related(one: Related) -> RelatedOut:
    return RelatedOut(
        id=one.memory.id,
        content=one.memory.content,
        memory_type=one.memory.category,
        is_latest=one.memory.is_current,
        relationship=one.link.relation,
        direction="out" if one.link.to_id == one.memory.id else "in",
        confidence=round(one.link.confidence, 6),
        depth=one.depth,
    )
