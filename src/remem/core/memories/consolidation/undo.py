"""List the actions of consolidation (merge, decay, promote, derive), and undo them."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.graph.link import delete_link
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_store
from remem.core.memories.consolidation import consolidation_store
from remem.core.memories.consolidation.model import Consolidation
from remem.core.memories.derive import undo_derivation
from remem.core.memories.index_memory import embed, embedding_text, index_memory, unindex_memory
from remem.core.memories.model import Memory
from remem.core.memories.versions import memory_version_store
from remem.core.memories.versions.add import newest, refuse_same
from remem.core.ports import ModelVector, Ports
from remem.core.projects.manage import lock_project
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import Tx


async def list_consolidations(
    ports: Ports,
    scope: Scope,
    action: str | None,
    project: str | UUID | None,
    before: UUID | None,
    limit: int,
) -> tuple[list[Consolidation], UUID | None]:
    """A page of actions, the newest first, and the cursor of the next page."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        rows = await consolidation_store.page(tx, action, projects, before, limit + 1)
    return rows[:limit], rows[limit - 1].id if len(rows) > limit else None


async def last_merge_of(ports: Ports, scope: Scope, memory_id: UUID) -> UUID:
    """The action that merged this memory into another one."""
    async with ports.db.transaction(scope) as tx:
        id = await consolidation_store.last_merge(tx, memory_id)
    if id is None:
        raise NotFound("action")
    return id


async def undo_consolidation(ports: Ports, scope: Scope, id: UUID) -> Consolidation:
    """Undo an action. A later change by a person stays; it is a conflict if both cannot be."""
    async with ports.db.transaction(scope) as tx:
        consolidation = await _find(tx, id)
        ids = [consolidation.memory_id, *_version_before(consolidation)]
        memories = [await memory_store.find(tx, id) for id in ids]
    vectors = {
        memory.id: await embed(ports, scope, embedding_text(memory))
        for memory in memories
        if memory and consolidation.action == "merge"
    }
    async with ports.db.transaction(scope, turn=consolidation.project_id) as tx:
        await lock_project(tx, consolidation.project_id)
        if not await consolidation_store.lock(tx, id):
            raise Conflict("It was undone already.", code="undone")
        undo = _UNDO[consolidation.action]
        await undo(ports, tx, consolidation, vectors)
        await consolidation_store.mark_undone(tx, id)
        data = {"action": consolidation.action, "action_id": str(id)}
        await record(tx, MEMORY, consolidation.memory_id, "consolidation_undo", data)
        return await consolidation_store.find(tx, id) or replace(consolidation, undone_at=now())


async def _find(tx: Tx, id: UUID) -> Consolidation:
    consolidation = await consolidation_store.find(tx, id)
    if consolidation is None:
        raise NotFound("action", id)
    return consolidation


def _version_before(consolidation: Consolidation) -> list[UUID]:
    """The id of the memory that the merge added a version to, if it did."""
    old = consolidation.before.get("version_of")
    return [UUID(old)] if old else []


async def _undo_merge(
    ports: Ports, tx: Tx, consolidation: Consolidation, vectors: dict[UUID, ModelVector | None]
) -> None:
    copy = await memory_store.require(tx, consolidation.memory_id)
    if copy.state != "superseded":
        raise Conflict("The memory was restored already.", code="restored")
    assert consolidation.into_id is not None
    into = await memory_store.require(tx, consolidation.into_id)
    await delete_link(tx, Link(MEMORY, copy.id, MEMORY, into.id, "merged_into"))
    for old_id in _version_before(consolidation):
        await _drop_version(ports, tx, into, old_id, vectors.get(old_id))
        await _restore_values(tx, old_id, consolidation.before["kept"])
    if not _version_before(consolidation):
        await _remove_merged_values(tx, into, consolidation)
    await _activate(ports, tx, copy, vectors.get(copy.id))
    await _restore_values(tx, copy.id, consolidation.before["copy"])


async def _remove_merged_values(tx: Tx, kept: Memory, consolidation: Consolidation) -> None:
    """Restore the kept memory's values, except those that were changed since the merge."""
    before, after = consolidation.before["kept"], consolidation.before["after"]
    for document_id in consolidation.before["documents"]:
        await delete_link(tx, Link(MEMORY, kept.id, "document", UUID(document_id), "derives"))
    now = {"tags": kept.tags, "confidence": kept.confidence, "evidence": kept.evidence}
    values: dict[str, Any] = {
        name: before[name] for name, value in now.items() if value == after[name]
    }
    values["access_count"] = before["access_count"] + kept.access_count - after["access_count"]
    if _moment(after["last_accessed_at"]) == kept.last_accessed_at:
        values["last_accessed_at"] = _moment(before["last_accessed_at"])
    if _moment(after["stated_at"]) == kept.stated_at:
        values["stated_at"] = _moment(consolidation.before["stated_at"])
    is_untouched = kept.updated_at == _moment(after["updated_at"])
    updated_at = _moment(before["updated_at"]) if is_untouched else kept.updated_at
    await consolidation_store.restore_columns(tx, kept.id, values, updated_at or kept.updated_at)


async def _drop_version(
    ports: Ports, tx: Tx, merged: Memory, old_id: UUID, vector: ModelVector | None
) -> None:
    """Delete the merged version, and make the one before it current again."""
    if not merged.is_shown or (await newest(tx, merged.root_id)).id != merged.id:
        raise Conflict("The merged memory was changed since; restore a version of it instead.")
    await unindex_memory(ports, tx, merged)
    await consolidation_store.release(tx, merged.id)
    await memory_version_store.delete_version(tx, merged.id)
    await _activate(ports, tx, await memory_store.require(tx, old_id), vector)


async def _activate(ports: Ports, tx: Tx, memory: Memory, vector: ModelVector | None) -> None:
    await refuse_same(tx, memory.project_id, memory.content_hash)
    values = {"state": "active", "is_current": True}
    await index_memory(ports, tx, await memory_store.change(tx, memory.id, values), vector)


async def _restore_values(tx: Tx, id: UUID, before: dict[str, Any]) -> None:
    values = {
        "valid_until": _moment(before["valid_until"]),
        "last_accessed_at": _moment(before["last_accessed_at"]),
    }
    updated_at = _moment(before["updated_at"])
    assert updated_at is not None
    await consolidation_store.restore_columns(tx, id, values, updated_at)


async def _undo_decay(
    ports: Ports, tx: Tx, consolidation: Consolidation, _: dict[UUID, ModelVector | None]
) -> None:
    memory = await memory_store.require(tx, consolidation.memory_id)
    if round(memory.confidence, 4) != round(consolidation.before["after"], 4):
        raise Conflict("Its confidence was changed since; edit it instead.", code="changed")
    await _restore_column(tx, consolidation, "confidence")


async def _undo_promote(
    ports: Ports, tx: Tx, consolidation: Consolidation, _: dict[UUID, ModelVector | None]
) -> None:
    if (await memory_store.require(tx, consolidation.memory_id)).quality != "good":
        raise Conflict("Its quality was changed since; set it instead.", code="changed")
    await _restore_column(tx, consolidation, "quality")


async def _undo_derive(
    ports: Ports, tx: Tx, consolidation: Consolidation, _: dict[UUID, ModelVector | None]
) -> None:
    """Undo an insight by deleting it, or a split by deleting its parts."""
    if "insight_of" not in consolidation.before:
        await undo_derivation(tx, consolidation.memory_id, consolidation.before)
        return
    memory = await memory_store.require(tx, consolidation.memory_id)
    if memory.context.get("review") == "accepted":
        raise Conflict("It was accepted since; delete it instead.", code="changed")
    if memory.is_shown:
        await unindex_memory(ports, tx, memory)
    await memory_version_store.set_deleted(tx, memory.root_id, deleted=True)


_UNDO = {
    "merge": _undo_merge,
    "decay": _undo_decay,
    "promote": _undo_promote,
    "derive": _undo_derive,
}


async def _restore_column(tx: Tx, consolidation: Consolidation, name: str) -> None:
    updated_at = _moment(consolidation.before["updated_at"])
    assert updated_at is not None
    await consolidation_store.restore_columns(
        tx, consolidation.memory_id, {name: consolidation.before[name]}, updated_at
    )


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
