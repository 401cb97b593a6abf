"""Memories by time, by id and by due date; and the search methods."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from remem.core.judgements import Category
from remem.core.memories import browse
from remem.core.memories.model import DueSpan, MemoryChoice
from remem.core.search.replaced import replacements_of
from remem.core.time import now
from remem.surfaces.rest.agent.shapes import (
    AgentMemory,
    AgentMemoryPage,
    Camel,
    CamelBody,
    memory_out,
    page_out,
    show_memories,
)
from remem.surfaces.rest.cursors import read_cursor
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.fields import InProject, PageLimit
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment

router = APIRouter(prefix="/api", tags=["agents: memories"], route_class=Guarded)


class IdsIn(CamelBody):
    ids: list[UUID] = Field(min_length=1, max_length=browse.BATCH_LIMIT)


class BatchOut(Camel):
    memories: list[AgentMemory]
    missing: list[UUID]
    unreadable: UnreadableItems


class DueOut(Camel):
    memories: list[AgentMemory]
    unreadable: UnreadableItems


class ProviderOut(Camel):
    id: str
    description: str
    model: str | None = None
    dimensions: int | None = None


class ProvidersOut(Camel):
    providers: list[ProviderOut]


@router.get("/memories/timeline", response_model=AgentMemoryPage)
async def timeline(
    ports: PortsDep,
    caller: Reader,
    project: InProject = None,
    category: Category | None = None,
    since: Annotated[Moment | None, Query(description="At this time or later.")] = None,
    until: Annotated[Moment | None, Query(description="Before this time.")] = None,
    as_of: Annotated[Moment | None, Query(description="What was valid at this time.")] = None,
    limit: PageLimit = 20,
    cursor: str | None = None,
) -> AgentMemoryPage:
    """List what happened, latest first, by `occurredAt` or the time of the save."""
    choice = MemoryChoice(project=project, category=category, since=since, until=until, as_of=as_of)
    page = await browse.timeline(ports, caller, choice, read_cursor(cursor), limit)
    outdated = () if as_of else page.memories
    return page_out(page, await replacements_of(ports, caller, outdated))


@router.post("/memories/batch-get", response_model=BatchOut)
async def batch_get(body: IdsIn, ports: PortsDep, caller: Reader) -> BatchOut:
    """Get several memories by id, in that order; `missing` lists the ids that do not exist."""
    existing, missing = await browse.get_memories(ports, caller, body.ids)
    replaced = await replacements_of(ports, caller, existing)
    memories, unreadable = show_memories(existing, replaced)
    return BatchOut(memories=memories, missing=missing, unreadable=unreadable)


@router.get("/memories/foresight/active", response_model=DueOut)
async def foresight(
    ports: PortsDep,
    caller: Reader,
    project: InProject = None,
    overdue: Annotated[bool, Query(description="Include overdue ones.")] = False,
    since: Annotated[
        Moment | None, Query(description="Due at this time or later, also if that is overdue.")
    ] = None,
    until: Annotated[Moment | None, Query(description="Due before this time.")] = None,
    limit: PageLimit = 20,
) -> DueOut:
    """List memories with a due date (`dueAt`), next first."""
    span = DueSpan(since or (None if overdue else now()), until)
    upcoming = await browse.upcoming(ports, caller, project, limit, span)
    memories, unreadable = show(upcoming, memory_out)
    return DueOut(memories=memories, unreadable=unreadable)


@router.get("/memories/providers", response_model=ProvidersOut)
async def providers(ports: PortsDep, caller: Reader) -> ProvidersOut:
    """List the search methods and models in use."""
    by_word = ProviderOut(id="text", description="Words, ranked by BM25.")
    by_meaning = ProviderOut.of(
        ports.embedder, id="vector", description="Meaning, ranked by vector similarity."
    )
    return ProvidersOut(providers=[by_word, by_meaning])
