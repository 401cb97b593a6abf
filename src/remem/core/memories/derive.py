"""Take a memory apart: the atomic facts in it, and what is due."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.errors import Conflict
from remem.core.events.record import record
from remem.core.graph.link import join
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.judgements import Fact
from remem.core.memories import store
from remem.core.memories.model import DERIVE, Memory, MemoryDraft
from remem.core.memories.rules.expiry import valid_until_of
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope

# A part of what somebody said is nearly as sure as the whole.
_SURE = 0.9


@dataclass(frozen=True, slots=True)
class Derived:
    """The memory as it is afterwards, the facts taken from it, and those of them that are due."""

    memory: Memory
    facts: tuple[Memory, ...]
    foresight: tuple[Memory, ...]


async def derive_memory(ports: Ports, scope: Scope, id: UUID) -> Derived:
    """Once more changes nothing. A memory that says one thing is its own fact, and learns when it
    is due."""
    memory = await _shown(ports, scope, id)
    facts = await ports.judge.derive(memory.content, memory.said_at)
    kept = [await _keep(ports, scope, memory, fact) for fact in facts] if len(facts) > 1 else []
    memory = await _note_times(ports, scope, memory, facts)
    made = tuple({one.id: one for one in kept if one.id != memory.id}.values())
    # The part that is due stands for the whole.
    due = tuple(one for one in made if one.due_at) or ((memory,) if memory.due_at else ())
    return Derived(memory, made, due)


async def _shown(ports: Ports, scope: Scope, id: UUID) -> Memory:
    async with ports.db.transaction(scope) as tx:
        memory = await store.require(tx, scope, id)
    if not memory.is_shown:
        raise Conflict("Only an active memory is taken apart; restore it first.", code="not_active")
    return memory


async def _keep(ports: Ports, scope: Scope, memory: Memory, fact: Fact) -> Memory:
    saved = await save_memory(ports, scope, _draft(memory, fact))
    async with ports.db.transaction(scope) as tx:
        link = Link(MEMORY, saved.memory.id, MEMORY, memory.id, "derives")
        if saved.memory.id != memory.id:
            await join(tx, scope, [link])
        if saved.status != "duplicate":
            details = {"from": str(memory.id)}
            await record(tx, scope, MEMORY, saved.memory.id, "derive", details)
    return saved.memory


async def _note_times(ports: Ports, scope: Scope, memory: Memory, facts: list[Fact]) -> Memory:
    """When it is due, where it says one thing, and until when it holds."""
    noted: dict[str, datetime | None] = {}
    if len(facts) == 1 and memory.due_at is None:
        noted["due_at"] = facts[0].due_at
    if memory.valid_until is None:
        said_at = memory.said_at or memory.created_at
        noted["valid_until"] = await analyse(ports, None, valid_until_of, memory.content, said_at)
    values = {name: moment for name, moment in noted.items() if moment}
    if not values:
        return memory
    async with ports.db.transaction(scope) as tx:
        await lock_project(tx, scope, memory.project_id)
        changed = await store.change(tx, scope, memory.id, values)
        await record(tx, scope, MEMORY, memory.id, "derive", {"fields": sorted(values)})
    return replace(memory, due_at=changed.due_at, valid_until=changed.valid_until)


def _draft(memory: Memory, fact: Fact) -> MemoryDraft:
    return MemoryDraft(
        content=fact.content,
        category=fact.category,
        project=memory.project_id,
        tags=memory.tags,
        context={"review": "pending"},
        confidence=round(memory.confidence * _SURE, 4),
        evidence={"memory_id": str(memory.id), "start": fact.start, "end": fact.end},
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        occurred_at=memory.occurred_at,
        due_at=fact.due_at,
        speaker=memory.speaker,
        said_at=memory.said_at,
        dates=fact.dates,
        source=DERIVE,
        stated_at=memory.stated_at,
        derived_from=memory.id,
    )
