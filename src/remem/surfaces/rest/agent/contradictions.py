"""List pairs of memories that contradict each other, and say which one is true."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from remem.core.memories.browse import get_memory
from remem.core.memories.contradictions import (
    Contradiction,
    Truth,
    list_contradictions,
    settle,
)
from remem.surfaces.rest.agent.shapes import AgentMemory, Camel, CamelBody, memory_out
from remem.surfaces.rest.cursors import read_cursor, write_cursor
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import InProject, PageLimit
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show

router = APIRouter(prefix="/api", tags=["agents: memories"], route_class=Guarded)


class ContradictionOut(Camel):
    newer: AgentMemory
    older: AgentMemory
    confidence: float = Field(description="The probability that the newer replaces the older.")


class ContradictionsOut(Camel):
    contradictions: list[ContradictionOut]
    unreadable: UnreadableItems
    total: int
    next_cursor: str | None = Field(default=None, alias="next_cursor")


class SettleIn(CamelBody):
    newer_id: UUID
    older_id: UUID
    true: Truth = Field(
        description="Which one is true; the other is outdated from now on. `open` undoes it."
    )


class SettledOut(Camel):
    newer: AgentMemory
    older: AgentMemory


@router.get("/memories/contradictions", response_model=ContradictionsOut)
async def contradictions(
    ports: PortsDep,
    caller: Reader,
    project: InProject = None,
    limit: PageLimit = 20,
    cursor: str | None = None,
) -> ContradictionsOut:
    """List pairs of current memories of which the newer may replace the older, those found last
    first. A pair is listed for 30 days; until it is settled, both are true."""
    page = await list_contradictions(ports, caller, project, read_cursor(cursor), limit)
    shown, unreadable = show(page.contradictions, _out)
    return ContradictionsOut(
        contradictions=shown,
        unreadable=unreadable,
        total=page.total,
        next_cursor=write_cursor(page.next),
    )


@router.post("/memories/contradictions", response_model=SettledOut)
async def settle_pair(body: SettleIn, ports: PortsDep, caller: Writer) -> SettledOut:
    """Say which memory of a pair is true. The other one stays as history, and can be restored."""
    await settle(ports, caller, body.newer_id, body.older_id, body.true)
    newer, older = [await get_memory(ports, caller, id) for id in (body.newer_id, body.older_id)]
    return SettledOut(newer=memory_out(newer), older=memory_out(older))


def _out(pair: Contradiction) -> ContradictionOut:
    return ContradictionOut(
        newer=memory_out(pair.newer), older=memory_out(pair.older), confidence=pair.confidence
    )
