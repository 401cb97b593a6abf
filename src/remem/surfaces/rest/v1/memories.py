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
from remem.core.upkeep.forget import QUERY_LIMIT, THRESHOLD, THRESHOLD_MIN, forget_by_meaning
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import Tags
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show, show_one
from remem.surfaces.rest.shapes import Body, DateOut, Moment, Reply, address_of

router = APIRouter(prefix="/v1", tags=["memories"], route_class=Guarded)

# The fields of this dialect, and their names in the core.
_CORE_NAMES = {"memory_type": "category", "metadata": "context", "expires_at": "valid_until"}


class NodeReplacement(Reply):
    """The current memory that replaces another one, or what a chunk says."""

    id: UUID
    url: str = Field(description="Where it can be read.")
    content: str
    memory_type: str
    since: Moment


class NodeOut(Reply):
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
    due_at: Moment | None = Field(description="When it is due.")
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


class RelatedOut(Reply):
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
    container: str | None = Field(
        default=None, description="All containers if absent; `a.*` includes subcontainers."
    )
    dry_run: bool = Field(default=True, description="Only list what would be forgotten.")
    threshold: float = Field(default=THRESHOLD, ge=THRESHOLD_MIN, le=1)


class ForgottenLine(Reply):
    id: UUID
    content: str
    memory_type: str
    container: str
    similarity: float


class ForgottenOut(Reply):
    dry_run: bool
    memories: list[ForgottenLine]
    total: int
    forgotten: int
    more: bool
    unreadable: UnreadableItems


@router.post("/memories/forget", response_model=ForgottenOut)
async def forget(body: ForgetIn, ports: PortsDep, caller: Writer) -> ForgottenOut:
    """Forget memories about this, at most a hundred at a time. Unless `dry_run` is false, they are
    only listed."""
    result = await forget_by_meaning(
        ports, caller, body.query, body.container, body.threshold, dry_run=body.dry_run
    )
    memories, unreadable = show(
        result.memories, lambda pair: _forgotten(*pair), lambda pair: pair[0].id
    )
    return ForgottenOut.of(
        result,
        dry_run=body.dry_run,
        memories=memories,
        unreadable=unreadable,
        total=len(result.memories),
    )


@router.get("/memories/{id}", response_model=NodeOut)
async def read(id: UUID, ports: PortsDep, caller: Reader) -> NodeOut:
    """Get one memory; for an old one, `replaced_by` is the memory that is valid instead. The read
    is counted."""
    memory = await get_memory(ports, caller, id)
    replaced = await replacements_of(ports, caller, [memory])
    return show_one(memory, lambda memory: _out(memory, replaced.get(id)))


@router.patch("/memories/{id}", response_model=NodeOut)
async def change(id: UUID, body: NodeChange, ports: PortsDep, caller: Writer) -> NodeOut:
    """Change the fields that you send. New content creates a version with its own id."""
    values = {_CORE_NAMES.get(name, name): value for name, value in body.model_dump().items()}
    fields = frozenset(_CORE_NAMES.get(name, name) for name in body.model_fields_set)
    return _out(await edit_memory(ports, caller, id, MemoryEdit(fields=fields, **values)))


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
    links = await related_memories(ports, caller, id, depth, relation or ())
    shown, unreadable = show(links, _related, lambda related: related.memory.id)
    return RelatedList(id=id, related=shown, unreadable=unreadable)


def replacement_out(newer: Replacement) -> NodeReplacement:
    return NodeReplacement.of(newer, url=address_of("memory", newer.id), memory_type=newer.category)


def _out(memory: Memory, newer: Replacement | None = None) -> NodeOut:
    return NodeOut.of(
        memory,
        container=memory.project_ref,
        memory_type=memory.category,
        metadata=memory.context,
        confidence=round(memory.confidence, 6),
        is_latest=memory.is_current,
        replaced_by=replacement_out(newer) if newer else None,
        expires_at=memory.valid_until,
    )


def _forgotten(memory: Memory, cosine: float) -> ForgottenLine:
    return ForgottenLine.of(
        memory,
        memory_type=memory.category,
        container=memory.project_ref,
        similarity=round(cosine, 6),
    )


def _related(related: Related) -> RelatedOut:
    return RelatedOut.of(
        related.memory,
        memory_type=related.memory.category,
        is_latest=related.memory.is_current,
        relationship=related.link.relation,
        direction="out" if related.link.to_id == related.memory.id else "in",
        confidence=round(related.link.confidence, 6),
        depth=related.depth,
    )
