"""Take memories apart: the atomic facts in them, what is due, and until when they are valid.

The facts of a memory that says several things are its parts. A part is inside its memory: the
memory is what lists and searches give, and its parts are what is due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.analysis import analyse_each
from remem.core.db import Tx
from remem.core.errors import Conflict
from remem.core.events.record import record
from remem.core.graph.link import join
from remem.core.graph.model import Link
from remem.core.identity.plans import require_room
from remem.core.index.kinds import MEMORY
from remem.core.judgements import Fact, Saying
from remem.core.memories import store
from remem.core.memories.consolidation import store as actions
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.model import DERIVE, Memory
from remem.core.memories.parts import store as parts
from remem.core.memories.rules.expiry import valid_until_of
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.time import new_id

# A part of what somebody said is nearly as sure as the whole.
_SURE = 0.9


@dataclass(frozen=True, slots=True)
class Derived:
    """The memory as it is afterwards, its parts, and what of it is due; `made` is how many parts
    are new."""

    memory: Memory
    facts: tuple[Memory, ...] = ()
    foresight: tuple[Memory, ...] = ()
    made: int = 0


@dataclass(frozen=True, slots=True)
class _Found:
    facts: list[Fact]
    valid_until: datetime | None


async def derive_memory(ports: Ports, scope: Scope, id: UUID) -> Derived:
    """Once more changes nothing. A memory that says one thing is its own fact, and learns when it
    is due."""
    async with ports.db.transaction(scope) as tx:
        memory = await store.require(tx, scope, id)
    if not memory.is_shown:
        raise Conflict("Only an active memory is taken apart; restore it first.", code="not_active")
    [derived] = await derive_memories(ports, scope, [memory])
    return derived


async def derive_memories(ports: Ports, scope: Scope, memories: Sequence[Memory]) -> list[Derived]:
    """The same of several that are shown. Only those that say several things, or until when they
    are valid, are written to."""
    facts = await ports.judge.derive_each([(one.content, one.said_at) for one in memories])
    dated = [(one.content, one.said_at or one.created_at) for one in memories]
    ends = await analyse_each(ports, None, valid_until_of, dated)
    found = map(_Found, facts, ends)
    return [await _keep(ports, scope, *pair) for pair in zip(memories, found, strict=True)]


async def _keep(ports: Ports, scope: Scope, memory: Memory, found: _Found) -> Derived:
    times = _new_times(memory, found)
    if len(found.facts) < 2 and not times:
        return Derived(memory, foresight=(memory,) if memory.due_at else ())
    async with ports.db.transaction(scope) as tx:
        await lock_project(tx, scope, memory.project_id)
        now = await store.find(tx, scope, memory.id)
        if now is None or not now.is_shown or now.content_hash != memory.content_hash:
            raise Conflict(f"The memory {memory.id} was changed just now.", code="changed")
        known = await parts.parts_of(tx, scope, memory.id)
        made = await _add_parts(tx, scope, now, found.facts, known)
        after = await _note_times(tx, scope, now, times)
        if made or times:
            await _note_action(tx, scope, (now, after), made, times)
    facts = [one for one in (*known, *made) if one.deleted_at is None]
    # The part that is due stands for the whole.
    due = tuple(one for one in facts if one.due_at) or ((after,) if after.due_at else ())
    return Derived(after, tuple(facts), due, len(made))


def _new_times(memory: Memory, found: _Found) -> dict[str, datetime]:
    """When it is due, where it says one thing, and until when it is valid."""
    noted: dict[str, datetime | None] = {}
    if len(found.facts) == 1 and memory.due_at is None:
        noted["due_at"] = found.facts[0].due_at
    if memory.valid_until is None:
        noted["valid_until"] = found.valid_until
    return {name: moment for name, moment in noted.items() if moment}


async def _note_times(tx: Tx, scope: Scope, memory: Memory, times: dict[str, datetime]) -> Memory:
    if not times:
        return memory
    changed = await store.change(tx, scope, memory.id, dict(times))
    await record(tx, scope, MEMORY, memory.id, "derive", {"fields": sorted(times)})
    return changed


async def _add_parts(
    tx: Tx, scope: Scope, memory: Memory, facts: Sequence[Fact], known: Sequence[Memory]
) -> list[Memory]:
    """Those that are new; what somebody has deleted is not made again."""
    if len(facts) < 2:
        return []
    seen = {one.content_hash for one in known}
    drafts = {draft["content_hash"]: draft for draft in (_part(memory, fact) for fact in facts)}
    new = [draft for hash, draft in drafts.items() if hash not in seen]
    if not new:
        return []
    await require_room(tx, scope, len(new))
    made = [await store.insert(tx, scope, draft) for draft in new]
    await join(tx, scope, [Link(MEMORY, one.id, MEMORY, memory.id, "derives") for one in made])
    for one in made:
        await record(tx, scope, MEMORY, one.id, "derive", {"from": str(memory.id)})
    return made


async def _note_action(
    tx: Tx,
    scope: Scope,
    memory: tuple[Memory, Memory],
    made: Sequence[Memory],
    times: dict[str, datetime],
) -> None:
    """What undoing it needs."""
    then, now = memory
    before: dict[str, Any] = {
        "parts": [str(one.id) for one in made],
        "times": {name: moment.isoformat() for name, moment in times.items()},
        "updated_at": then.updated_at.isoformat(),
        "after_updated_at": now.updated_at.isoformat(),
    }
    await actions.insert(tx, scope, "derive", now.id, before)


def _part(memory: Memory, fact: Fact) -> dict[str, Any]:
    id = new_id()
    dates = [one.as_json() for one in fact.dates]
    return {
        "id": id,
        "root_id": id,
        "part_of": memory.id,
        "project_id": memory.project_id,
        "document_id": memory.document_id,
        "session_id": memory.session_id,
        "content": fact.content,
        "content_hash": fingerprint(fact.content, Saying(memory.speaker, dates)),
        "category": fact.category,
        "tags": memory.tags,
        "context": {"review": "pending"},
        "confidence": round(memory.confidence * _SURE, 4),
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


async def undo_derivation(tx: Tx, scope: Scope, id: UUID, before: dict[str, Any]) -> None:
    """Take the parts away, and what was noted of its times, unless that was changed since."""
    memory = await store.require(tx, scope, id)
    await parts.erase(tx, scope, [UUID(one) for one in before["parts"]])
    noted = {name: datetime.fromisoformat(moment) for name, moment in before["times"].items()}
    values = {name: None for name, moment in noted.items() if getattr(memory, name) == moment}
    is_untouched = memory.updated_at.isoformat() == before["after_updated_at"]
    updated_at = datetime.fromisoformat(before["updated_at"]) if is_untouched else memory.updated_at
    if values:
        await actions.put_back(tx, scope, id, values, updated_at)
