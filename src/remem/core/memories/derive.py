"""Split memories into atomic facts, and find their due dates and when they expire.

The facts of a memory that says several things become its parts. Lists and searches return the
memory, not its parts; the list of what is due returns the parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.analysis import analyse_each
from remem.core.errors import Conflict, LimitExceeded
from remem.core.events.record import record
from remem.core.graph.link import add_links
from remem.core.graph.model import Link
from remem.core.identity.plans import require_room
from remem.core.index.kinds import MEMORY
from remem.core.judgements import Fact, StatementContext
from remem.core.memories import memory_store, part_store
from remem.core.memories.consolidation import consolidation_store
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.model import DERIVE, Memory
from remem.core.memories.rules.expiry import valid_until_of
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transaction import Tx

# The confidence of a part, as a share of the memory's.
_PART_CONFIDENCE = 0.9


@dataclass(frozen=True, slots=True)
class Derived:
    """The memory after the split, its parts, and those with a due date; `new_count` is the number
    of new parts."""

    memory: Memory
    facts: tuple[Memory, ...] = ()
    foresight: tuple[Memory, ...] = ()
    new_count: int = 0


@dataclass(frozen=True, slots=True)
class _Analysis:
    facts: list[Fact]
    valid_until: datetime | None


async def derive_memory(ports: Ports, scope: Scope, id: UUID) -> Derived:
    """Split a memory. Idempotent. A memory that says one thing gets a due date and no parts."""
    async with ports.db.transaction(scope) as tx:
        memory = await memory_store.require(tx, id)
    if not memory.is_shown:
        raise Conflict("Only an active memory can be split; restore it first.", code="not_active")
    [derived] = await derive_memories(ports, scope, [memory])
    return derived


async def derive_memories(ports: Ports, scope: Scope, memories: Sequence[Memory]) -> list[Derived]:
    """Split several shown memories. Only those with several facts or new times are changed."""
    facts = await ports.judge.derive_each([(memory.content, memory.said_at) for memory in memories])
    dated = [(memory.content, memory.said_at or memory.created_at) for memory in memories]
    expiries = await analyse_each(ports, None, valid_until_of, dated)
    analyses = map(_Analysis, facts, expiries)
    return [await _store(ports, scope, *pair) for pair in zip(memories, analyses, strict=True)]


async def undone_splits(tx: Tx, ids: Sequence[UUID]) -> set[UUID]:
    """Those memories that somebody put together again."""
    return await consolidation_store.undone_of(tx, "derive", ids)


async def split_when_saved(tx: Tx, memory: Memory, facts: Sequence[Fact]) -> None:
    """Add the parts of a new memory that is due at several times, so that each is listed at once.

    If the plan has no room for them, the nightly job adds them when there is."""
    try:
        new_parts = await _add_parts(tx, memory, facts, ())
    except LimitExceeded:
        return
    if new_parts:
        await _record_action(tx, (memory, memory), new_parts, {})


async def _store(ports: Ports, scope: Scope, memory: Memory, analysis: _Analysis) -> Derived:
    times = _new_times(memory, analysis)
    if len(analysis.facts) < 2 and not times:
        return Derived(memory, foresight=(memory,) if memory.due_at else ())
    async with ports.db.transaction(scope, turn=memory.project_id) as tx:
        await lock_project(tx, memory.project_id)
        now = await memory_store.find(tx, memory.id)
        if now is None or not now.is_shown or now.content_hash != memory.content_hash:
            raise Conflict(f"The memory {memory.id} was changed just now.", code="changed")
        known_parts = await part_store.parts_of(tx, memory.id)
        # A model words the facts differently each time: what is split already stays so.
        is_split = bool(known_parts) and ports.judge.asks_model
        facts = [] if is_split else analysis.facts
        new_parts = await _add_parts(tx, now, facts, known_parts)
        after = await _set_times(tx, now, times)
        if new_parts or times:
            await _record_action(tx, (now, after), new_parts, times)
    facts = [part for part in (*known_parts, *new_parts) if part.deleted_at is None]
    # If a part is due, the list of what is due has the part instead of the memory.
    due = tuple(part for part in facts if part.due_at) or ((after,) if after.due_at else ())
    return Derived(after, tuple(facts), due, len(new_parts))


def _new_times(memory: Memory, analysis: _Analysis) -> dict[str, datetime]:
    """The due date of a memory with one fact, and when it expires; only times it lacks."""
    times: dict[str, datetime | None] = {}
    if len(analysis.facts) == 1 and memory.due_at is None:
        times["due_at"] = analysis.facts[0].due_at
    if memory.valid_until is None:
        times["valid_until"] = analysis.valid_until
    return {name: moment for name, moment in times.items() if moment}


async def _set_times(tx: Tx, memory: Memory, times: dict[str, datetime]) -> Memory:
    if not times:
        return memory
    changed = await memory_store.change(tx, memory.id, dict(times))
    await record(tx, MEMORY, memory.id, "derive", {"fields": sorted(times)})
    return changed


async def _add_parts(
    tx: Tx, memory: Memory, facts: Sequence[Fact], known: Sequence[Memory]
) -> list[Memory]:
    """Insert the new parts; those that somebody deleted are not created again."""
    if len(facts) < 2:
        return []
    seen = {part.content_hash for part in known}
    drafts = {
        draft["content_hash"]: draft for draft in (_part_values(memory, fact) for fact in facts)
    }
    new = [
        draft
        for hash, draft in drafts.items()
        if hash not in seen and not await _is_due_already(tx, memory, draft)
    ]
    if not new:
        return []
    await require_room(tx, len(new))
    added = [await memory_store.insert(tx, draft) for draft in new]
    await add_links(tx, [Link(MEMORY, part.id, MEMORY, memory.id, "derives") for part in added])
    for part in added:
        await record(tx, MEMORY, part.id, "derive", {"from": str(memory.id)})
    return added


async def _is_due_already(tx: Tx, memory: Memory, part: dict[str, Any]) -> bool:
    """Whether another memory says it and is due then, so that it is listed once."""
    if part["due_at"] is None:
        return False
    place = (memory.project_id, part["content"], part["due_at"])
    same = await part_store.find_due(tx, *place, is_part=False)
    return same is not None and same.id != memory.id


async def _record_action(
    tx: Tx, memory: tuple[Memory, Memory], new_parts: Sequence[Memory], times: dict[str, datetime]
) -> None:
    """Record what is needed to undo the split."""
    memory_before, memory_after = memory
    before: dict[str, Any] = {
        "parts": [str(part.id) for part in new_parts],
        "times": {name: moment.isoformat() for name, moment in times.items()},
        "updated_at": memory_before.updated_at.isoformat(),
        "after_updated_at": memory_after.updated_at.isoformat(),
    }
    await consolidation_store.insert(tx, "derive", memory_after.id, before)


def _part_values(memory: Memory, fact: Fact) -> dict[str, Any]:
    id = new_id()
    dates = [date.as_json() for date in fact.dates]
    return {
        "id": id,
        "root_id": id,
        "part_of": memory.id,
        "project_id": memory.project_id,
        "document_id": memory.document_id,
        "session_id": memory.session_id,
        "content": fact.content,
        "content_hash": fingerprint(fact.content, StatementContext(memory.speaker, dates)),
        "category": fact.category,
        "tags": memory.tags,
        "context": {"review": "pending"},
        "confidence": round(memory.confidence * _PART_CONFIDENCE, 4),
        "evidence": {"memory_id": str(memory.id), "start": fact.start, "end": fact.end},
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
        "due_at": fact.due_at,
        "speaker": memory.speaker,
        "said_at": memory.said_at,
        "dates": dates,
        "source": DERIVE,
        "stated_at": memory.stated_at,
    }


async def undo_derivation(tx: Tx, id: UUID, before: dict[str, Any]) -> None:
    """Delete the parts, and reset the times that were set unless they were changed since."""
    memory = await memory_store.require(tx, id)
    await part_store.erase(tx, [UUID(part_id) for part_id in before["parts"]])
    times = {name: datetime.fromisoformat(moment) for name, moment in before["times"].items()}
    values = {name: None for name, moment in times.items() if getattr(memory, name) == moment}
    is_untouched = memory.updated_at.isoformat() == before["after_updated_at"]
    updated_at = datetime.fromisoformat(before["updated_at"]) if is_untouched else memory.updated_at
    if values:
        await consolidation_store.restore_columns(tx, id, values, updated_at)
