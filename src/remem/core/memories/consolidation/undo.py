"""List what was merged, decayed, promoted and derived, and undo any of it."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.graph.link import unjoin
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.consolidation import store as actions
from remem.core.memories.consolidation.model import Consolidation
from remem.core.memories.derive import undo_derivation
from remem.core.memories.index_memory import embed, index_memory, meaning, unindex_memory
from remem.core.memories.model import Memory
from remem.core.memories.versions import store as version_store
from remem.core.memories.versions.add import newest, refuse_same
from remem.core.ports import Ports, Vector
from remem.core.projects.manage import lock_project
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.time import now


async def list_consolidations(
    ports: Ports,
    scope: Scope,
    action: str | None,
    project: str | UUID | None,
    before: UUID | None,
    limit: int,
) -> tuple[list[Consolidation], UUID | None]:
    """A page, the newest first, and where the next one begins."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, scope, project)
        found = await actions.page(tx, scope, action, projects, before, limit + 1)
    return found[:limit], found[limit - 1].id if len(found) > limit else None


async def undo_consolidation(ports: Ports, scope: Scope, id: UUID) -> Consolidation:
    """Put everything back as it was. What a person changed since stays, and is a conflict where
    both cannot be."""
    async with ports.db.transaction(scope) as tx:
        done = await _find(tx, scope, id)
        ids = [done.memory_id, *_version_before(done)]
        memories = [await store.find(tx, scope, id) for id in ids]
    vectors = {
        memory.id: await embed(ports, meaning(memory))
        for memory in memories
        if memory and done.action == "merge"
    }
    async with ports.db.transaction(scope) as tx:
        await lock_project(tx, scope, done.project_id)
        if not await actions.lock(tx, scope, id):
            raise Conflict("It was undone already.", code="undone")
        undo = _UNDO[done.action]
        await undo(ports, tx, scope, done, vectors)
        await actions.mark_undone(tx, scope, id)
        data = {"action": done.action, "action_id": str(id)}
        await record(tx, scope, MEMORY, done.memory_id, "consolidation_undo", data)
        return await actions.find(tx, scope, id) or replace(done, undone_at=now())


async def _find(tx: Tx, scope: Scope, id: UUID) -> Consolidation:
    done = await actions.find(tx, scope, id)
    if done is None:
        raise NotFound("action", id)
    return done


def _version_before(done: Consolidation) -> list[UUID]:
    """The memory that got a version with the words of both, if it did."""
    old = done.before.get("version_of")
    return [UUID(old)] if old else []


async def _unmerge(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    done: Consolidation,
    vectors: dict[UUID, Vector | None],
) -> None:
    copy = await store.require(tx, scope, done.memory_id)
    if copy.state != "superseded":
        raise Conflict("The memory was restored already.", code="restored")
    assert done.into_id is not None
    into = await store.require(tx, scope, done.into_id)
    await unjoin(tx, scope, Link(MEMORY, copy.id, MEMORY, into.id, "merged_into"))
    for old_id in _version_before(done):
        await _drop_version(ports, tx, scope, into, old_id, vectors.get(old_id))
        await _put_back(tx, scope, old_id, done.before["kept"])
    if not _version_before(done):
        await _take_out(tx, scope, into, done)
    await _wake(ports, tx, scope, copy, vectors.get(copy.id))
    await _put_back(tx, scope, copy.id, done.before["copy"])


async def _take_out(tx: Tx, scope: Scope, kept: Memory, done: Consolidation) -> None:
    """Take from the kept one what the copy gave it, but not what it got since."""
    before, after = done.before["kept"], done.before["after"]
    for document_id in done.before["documents"]:
        await unjoin(tx, scope, Link(MEMORY, kept.id, "document", UUID(document_id), "derives"))
    now = {"tags": kept.tags, "confidence": kept.confidence, "evidence": kept.evidence}
    values: dict[str, Any] = {
        name: before[name] for name, value in now.items() if value == after[name]
    }
    values["access_count"] = before["access_count"] + kept.access_count - after["access_count"]
    if _moment(after["last_accessed_at"]) == kept.last_accessed_at:
        values["last_accessed_at"] = _moment(before["last_accessed_at"])
    if _moment(after["stated_at"]) == kept.stated_at:
        values["stated_at"] = _moment(done.before["stated_at"])
    is_untouched = kept.updated_at == _moment(after["updated_at"])
    updated_at = _moment(before["updated_at"]) if is_untouched else kept.updated_at
    await actions.put_back(tx, scope, kept.id, values, updated_at or kept.updated_at)


async def _drop_version(
    ports: Ports, tx: Tx, scope: Scope, made: Memory, old_id: UUID, vector: Vector | None
) -> None:
    """Remove the version that said both, and let the one before it be current again."""
    if not made.is_shown or (await newest(tx, scope, made.root_id)).id != made.id:
        raise Conflict("The merged memory was changed since; restore a version of it instead.")
    await unindex_memory(ports, tx, scope, made)
    await actions.release(tx, scope, made.id)
    await version_store.erase_one(tx, scope, made.id)
    await _wake(ports, tx, scope, await store.require(tx, scope, old_id), vector)


async def _wake(ports: Ports, tx: Tx, scope: Scope, memory: Memory, vector: Vector | None) -> None:
    await refuse_same(tx, scope, memory.project_id, memory.content_hash)
    awake = {"state": "active", "is_current": True}
    await index_memory(ports, tx, scope, await store.change(tx, scope, memory.id, awake), vector)


async def _put_back(tx: Tx, scope: Scope, id: UUID, before: dict[str, Any]) -> None:
    values = {
        "valid_until": _moment(before["valid_until"]),
        "last_accessed_at": _moment(before["last_accessed_at"]),
    }
    updated_at = _moment(before["updated_at"])
    assert updated_at is not None
    await actions.put_back(tx, scope, id, values, updated_at)


async def _raise_again(
    ports: Ports, tx: Tx, scope: Scope, done: Consolidation, _: dict[UUID, Vector | None]
) -> None:
    memory = await store.require(tx, scope, done.memory_id)
    if round(memory.confidence, 4) != round(done.before["after"], 4):
        raise Conflict("Its confidence was changed since; edit it instead.", code="changed")
    await _restore_column(tx, scope, done, "confidence")


async def _demote(
    ports: Ports, tx: Tx, scope: Scope, done: Consolidation, _: dict[UUID, Vector | None]
) -> None:
    if (await store.require(tx, scope, done.memory_id)).quality != "good":
        raise Conflict("Its quality was changed since; set it instead.", code="changed")
    await _restore_column(tx, scope, done, "quality")


async def _underive(
    ports: Ports, tx: Tx, scope: Scope, done: Consolidation, _: dict[UUID, Vector | None]
) -> None:
    """What was concluded is deleted; what was taken apart is whole again."""
    if "insight_of" not in done.before:
        await undo_derivation(tx, scope, done.memory_id, done.before)
        return
    memory = await store.require(tx, scope, done.memory_id)
    if memory.context.get("review") == "accepted":
        raise Conflict("It was accepted since; delete it instead.", code="changed")
    if memory.is_shown:
        await unindex_memory(ports, tx, scope, memory)
    await version_store.set_deleted(tx, scope, memory.root_id, deleted=True)


_UNDO = {"merge": _unmerge, "decay": _raise_again, "promote": _demote, "derive": _underive}


async def _restore_column(tx: Tx, scope: Scope, done: Consolidation, name: str) -> None:
    updated_at = _moment(done.before["updated_at"])
    assert updated_at is not None
    await actions.put_back(tx, scope, done.memory_id, {name: done.before[name]}, updated_at)


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
