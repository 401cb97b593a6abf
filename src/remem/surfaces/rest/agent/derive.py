"""Take a memory apart into facts and foresight."""

from uuid import UUID

from fastapi import APIRouter

from remem.core.memories.derive import derive_memory
from remem.surfaces.rest.agent.shapes import AgentMemory, Camel, memory_out
from remem.surfaces.rest.deps import PortsDep, Writer
from remem.surfaces.rest.guard import Guarded

router = APIRouter(prefix="/api", tags=["agents: memories"], route_class=Guarded)


class DerivedOut(Camel):
    id: UUID
    facts: list[AgentMemory]
    foresight: list[AgentMemory]
    memory: AgentMemory


@router.post("/memories/{id}/derive", response_model=DerivedOut)
async def derive(id: UUID, ports: PortsDep, caller: Writer) -> DerivedOut:
    """Save the atomic facts of a memory as memories that derive from it, and note what is due by
    when. A memory that says one thing stays one; asked again, the same facts are answered."""
    derived = await derive_memory(ports, caller, id)
    return DerivedOut(
        id=derived.memory.id,
        facts=[memory_out(one) for one in derived.facts],
        foresight=[memory_out(one) for one in derived.foresight],
        memory=memory_out(derived.memory),
    )
