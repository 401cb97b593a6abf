"""Change the state or quality of a memory, and update the indexes accordingly."""

from typing import Any, Literal, TypeAlias
from uuid import UUID

from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.events.record import record
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_store
from remem.core.memories.index_memory import (
    embed,
    embedding_text,
    index_memory,
    retire,
    unindex_memory,
)
from remem.core.memories.model import Memory, Quality, Review, State
from remem.core.memories.versions.add import newest, refuse_part, refuse_same, reload_locked
from remem.core.ports import ModelVector, Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import Tx

_REVIEWED: dict[Review, str] = {"accept": "accepted", "decline": "declined"}
Verdict: TypeAlias = Literal["helpful", "not_helpful", "outdated", "wrong"]


async def review_memory(ports: Ports, scope: Scope, id: UUID, review: Review) -> Memory:
    """Accept or decline an inferred memory. An accepted one counts as stated by a person; a
    declined one is hidden and not inferred again."""
    state: State = "active" if review == "accept" else "quarantined"
    await set_lifecycle(ports, scope, id, state, "good" if review == "accept" else "bad")
    async with ports.db.transaction(scope) as tx:
        memory = await memory_store.require(tx, id)
        before = await _lock_memory(tx, memory)
        context = {**before.context, "review": _REVIEWED[review]}
        await record(tx, MEMORY, id, "review", {"review": context["review"]})
        return await memory_store.change(tx, id, {"context": context})


async def set_lifecycle(
    ports: Ports, scope: Scope, id: UUID, state: State | None, quality: Quality | None
) -> Memory:
    """Set the state or quality: `active` is searched, `quarantined` is stored and never found,
    `superseded` is no longer valid."""
    if state is None and quality is None:
        raise Invalid("state", "is missing; send state, quality or both, or a review")
    async with ports.db.transaction(scope) as tx:
        memory = await memory_store.require(tx, id)
    activates = state == "active" and not memory.is_shown
    vector = await embed(ports, scope, embedding_text(memory)) if activates else None
    async with ports.db.transaction(scope, turn=memory.project_id) as tx:
        before = await _lock_memory(tx, memory)
        if state and state != before.state:
            refuse_part(before)
            await _set_state(ports, tx, before, state, vector)
        values = {"quality": quality} if quality else {}
        after = await memory_store.change(tx, id, values)
        await record(tx, MEMORY, id, "lifecycle", _difference(before, after))
        return after


async def give_feedback(ports: Ports, scope: Scope, id: UUID, verdict: Verdict) -> Memory:
    """Set the quality of a memory by a user's feedback."""
    async with ports.db.transaction(scope) as tx:
        memory = await memory_store.require(tx, id)
        await _lock_memory(tx, memory)
        quality = "good" if verdict == "helpful" else "bad"
        after = await memory_store.change(tx, id, {"quality": quality})
        await record(tx, MEMORY, id, "feedback", {"type": verdict, "quality": quality})
        return after


async def _lock_memory(tx: Tx, memory: Memory) -> Memory:
    await lock_project(tx, memory.project_id)
    now = await reload_locked(tx, memory)
    if now is None or now.deleted_at:
        raise NotFound("memory", memory.id)
    return now


async def _set_state(
    ports: Ports, tx: Tx, memory: Memory, state: State, vector: ModelVector | None
) -> None:
    match state:
        case "superseded":
            await retire(ports, tx, memory, ends=True)
        case "quarantined":
            _refuse_old_version(memory)
            await unindex_memory(ports, tx, memory)
            values = {"state": state, "embedded_with": None, "embedded_hash": None}
            await memory_store.change(tx, memory.id, values)
        case "active":
            await _activate(ports, tx, memory, vector)


def _refuse_old_version(memory: Memory) -> None:
    if not memory.is_current:
        raise Conflict(
            "This is an old version; change the state of the current one.", code="old_version"
        )


async def _activate(ports: Ports, tx: Tx, memory: Memory, vector: ModelVector | None) -> None:
    """Activate the last version of a chain; an older one must be restored instead."""
    if (await newest(tx, memory.root_id)).id != memory.id:
        raise Conflict("A newer version took its place; restore this one.", code="old_version")
    await refuse_same(tx, memory.project_id, memory.content_hash)
    is_expired = memory.valid_until is not None and memory.valid_until <= now()
    ends = {"valid_until": None} if is_expired and not memory.is_current else {}
    values = {"state": "active", "is_current": True, **ends}
    await index_memory(ports, tx, await memory_store.change(tx, memory.id, values), vector)


def _difference(before: Memory, after: Memory) -> dict[str, Any]:
    return {
        name: [getattr(before, name), getattr(after, name)]
        for name in ("state", "quality")
        if getattr(before, name) != getattr(after, name)
    }
