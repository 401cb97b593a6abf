"""Restore a deleted memory, or make an old version current again."""

from uuid import UUID

from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_store
from remem.core.memories.forget import bring_back
from remem.core.memories.index_memory import embed, embedding_text
from remem.core.memories.model import Memory
from remem.core.memories.versions.add import reload_locked, succeed
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.time import now


async def restore_memory(ports: Ports, scope: Scope, id: UUID) -> Memory:
    """Restore a memory; returns the one that is current afterwards."""
    async with ports.db.transaction(scope) as tx:
        memory = await memory_store.find_any(tx, id)
    if memory is None:
        raise NotFound("memory", id)
    if memory.deleted_at:
        return await bring_back(ports, scope, memory)
    return await _repeat_version(ports, scope, memory)


async def _repeat_version(ports: Ports, scope: Scope, memory: Memory) -> Memory:
    """Repeat an old version as a new one, valid from now on; an end in the past is dropped."""
    vector = await embed(ports, scope, embedding_text(memory)) if not memory.is_current else None
    async with ports.db.transaction(scope, turn=memory.project_id) as tx:
        await lock_project(tx, memory.project_id)
        old = await reload_locked(tx, memory)
        if old is None or old.deleted_at:
            raise NotFound("memory", memory.id)
        if old.is_current:
            raise Conflict("This version is current already; there is nothing to restore.")
        is_expired = old.valid_until is not None and old.valid_until <= now()
        values = {"valid_from": None, "valid_until": None if is_expired else old.valid_until}
        restored = await succeed(ports, tx, old, values, vector)
        data = {"version": old.version, "of": str(old.id)}
        await record(tx, MEMORY, restored.id, "restore", data)
        return restored
