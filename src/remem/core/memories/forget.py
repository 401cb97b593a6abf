"""Delete a memory: softly, so that it can be restored, or permanently."""

from dataclasses import replace
from uuid import UUID

from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.graph.entities import unlink_entities
from remem.core.identity.plans import require_room, resume_waiting_jobs
from remem.core.index.kinds import MEMORY
from remem.core.index.write import unindex
from remem.core.memories import erasure_store, memory_store
from remem.core.memories.index_memory import embed, embedding_text, index_memory, unindex_memory
from remem.core.memories.model import Memory
from remem.core.memories.versions import memory_version_store
from remem.core.memories.versions.add import newest, refuse_same, reload_locked
from remem.core.ports import ModelVector, Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.transaction import Tx


async def forget_memory(ports: Ports, scope: Scope, id: UUID) -> None:
    """Delete a memory softly: hide it with all its versions at once."""
    async with ports.db.transaction(scope) as tx:
        memory = await _lock_memory(tx, id)
        if memory.deleted_at:
            raise NotFound("memory", id)
        last = await newest(tx, memory.root_id)
        if last.is_shown:
            await unindex_memory(ports, tx, last)
        count = await memory_version_store.set_deleted(tx, memory.root_id, deleted=True)
        for root_id in await erasure_store.merged_roots(tx, memory.root_id, derived=False):
            await memory_version_store.set_deleted(tx, root_id, deleted=True)
        await record(tx, MEMORY, id, "delete", {"versions": count})
        await resume_waiting_jobs(ports, tx)


async def erase_memory(ports: Ports, scope: Scope, id: UUID) -> None:
    """Erase a memory with every version, link, vector and posting, and everything that was merged
    into it or inferred from it. Also erases soft-deleted memories, and rows that restoring a
    deleted document would bring back.

    The audit trail keeps only that these ids were erased."""
    async with ports.db.transaction(scope) as tx:
        memory = await _find_in_chain(tx, id)
        if memory:
            erased = await _erase_chains(ports, tx, memory)
        else:
            erased = await _erase_deleted(tx, id)
        for erased_id in erased:
            await record(tx, MEMORY, erased_id, "erase")
        await resume_waiting_jobs(ports, tx)


async def _find_in_chain(tx: Tx, id: UUID) -> Memory | None:
    """The memory, locked; if it was deleted with its document, the last version that stayed."""
    deleted = await erasure_store.find_deleted(tx, id)
    if deleted is None:
        return await _lock_memory(tx, id)
    # Restoring its document locks the project too.
    await lock_project(tx, deleted["project_id"])
    chain = await memory_version_store.chain(tx, deleted["root_id"])
    return await _lock_memory(tx, chain[-1].id) if chain else None


async def _erase_deleted(tx: Tx, id: UUID) -> list[UUID]:
    """Erase a memory that was stored only to be restored with its document."""
    deleted = await erasure_store.find_deleted(tx, id)
    return await erasure_store.erase_deleted(tx, [deleted["root_id"]]) if deleted else []


async def _erase_chains(ports: Ports, tx: Tx, memory: Memory) -> list[UUID]:
    merged = await erasure_store.merged_roots(tx, memory.root_id, derived=True)
    root_ids = [memory.root_id, *merged]
    versions = [
        version for root_id in root_ids for version in await memory_version_store.chain(tx, root_id)
    ]
    for version in versions:
        await unlink_entities(tx, version.id)
    for project_id in sorted({version.project_id for version in versions}):
        ids = [version.id for version in versions if version.project_id == project_id]
        await unindex(ports, tx, MEMORY, project_id, ids)
    await erasure_store.erase(tx, root_ids)
    deleted = await erasure_store.erase_deleted(tx, root_ids)
    return list(dict.fromkeys([version.id for version in versions] + deleted))


async def bring_back(ports: Ports, scope: Scope, memory: Memory) -> Memory:
    """Undo a soft deletion: restore the chain, and index its current version again."""
    async with ports.db.transaction(scope) as tx:
        chain = await memory_version_store.chain(tx, memory.root_id)
    current = next((version for version in chain if version.is_current), None)
    vector = await embed(ports, scope, embedding_text(current)) if current else None
    async with ports.db.transaction(scope, turn=memory.project_id) as tx:
        await lock_project(tx, memory.project_id)
        now = await reload_locked(tx, memory)
        if now is None:
            raise NotFound("memory", memory.id)
        if now.deleted_at:
            if current:
                await require_room(tx)
            await _undelete(ports, tx, memory.root_id, current, vector)
            await record(tx, MEMORY, memory.id, "restore", {"undeleted": len(chain)})
        restored = await memory_store.find(tx, current.id if current else memory.id)
    assert restored is not None
    return restored


async def _undelete(
    ports: Ports, tx: Tx, root_id: UUID, current: Memory | None, vector: ModelVector | None
) -> None:
    is_shown = current is not None and current.state == "active"
    if current and is_shown:
        await refuse_same(tx, current.project_id, current.content_hash)
    await memory_version_store.set_deleted(tx, root_id, deleted=False)
    for merged_root_id in await erasure_store.merged_roots(tx, root_id, derived=False):
        await memory_version_store.set_deleted(tx, merged_root_id, deleted=False)
    if current and is_shown:
        await index_memory(ports, tx, replace(current, embedded_with=None), vector)


async def _lock_memory(tx: Tx, id: UUID) -> Memory:
    """The memory, with its project locked until the transaction ends."""
    memory = await memory_store.find_any(tx, id)
    if memory:
        await lock_project(tx, memory.project_id)
        memory = await reload_locked(tx, memory)
    if memory is None:
        raise NotFound("memory", id)
    return memory
