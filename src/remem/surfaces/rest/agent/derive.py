"""Split a memory into facts and foresight."""

from uuid import UUID

from fastapi import APIRouter

from remem.core.memories.derive import derive_memory
from remem.surfaces.rest.agent.shapes import AgentMemory, Camel, memory_out
from remem.surfaces.rest.deps import PortsDep, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show, show_one

router = APIRouter(prefix="/api", tags=["agents: memories"], route_class=Guarded)


class DerivedOut(Camel):
    id: UUID
    facts: list[AgentMemory]
    foresight: list[AgentMemory]
    memory: AgentMemory
    unreadable: UnreadableItems


@router.post("/memories/{id}/derive", response_model=DerivedOut)
async def derive(id: UUID, ports: PortsDep, caller: Writer) -> DerivedOut:
    """Save the atomic facts of a memory as memories that derive from it, with due dates. A memory
    with a single fact is not split; a repeated call returns the same facts."""
    derived = await derive_memory(ports, caller, id)
    facts, bad_facts = show(derived.facts, memory_out)
    foresight, bad_foresight = show(derived.foresight, memory_out)
    return DerivedOut(
        id=derived.memory.id,
        facts=facts,
        foresight=foresight,
        memory=show_one(derived.memory, memory_out),
        unreadable=[*bad_facts, *bad_foresight],
    )
