"""Restore a deleted memory as it was, or make an old version the newest."""

from uuid import UUID

from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.forget import bring_back
from remem.core.memories.index_memory import embed, meaning
from remem.core.memories.model import Memory
from remem.core.memories.versions.add import reload_locked, succeed
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.time import now


async def restore_memory(ports: Ports, scope: Scope, id: UUID) -> Memory:
    """Give what is current afterwards."""
    async with ports.db.transaction(scope) as tx:
        memory = await store.find_any(tx, scope, id)
    if memory is None:
        raise NotFound("memory", id)
    if memory.deleted_at:
        return await bring_back(ports, scope, memory)
    return await _repeat(ports, scope, memory)


async def _repeat(ports: Ports, scope: Scope, memory: Memory) -> Memory:
    """Say an old version again. It is valid from now on; that it once ended is forgotten."""
    vector = await embed(ports, meaning(memory)) if not memory.is_current else None
    async with ports.db.transaction(scope) as tx:
        await lock_project(tx, scope, memory.project_id)
        old = await reload_locked(tx, scope, memory)
        if old is None or old.deleted_at:
            raise NotFound("memory", memory.id)
        if old.is_current:
            raise Conflict("This version is current already; there is nothing to restore.")
        over = old.valid_until is not None and old.valid_until <= now()
        values = {"valid_from": None, "valid_until": None if over else old.valid_until}
        made = await succeed(ports, tx, scope, old, values, vector)
        data = {"version": old.version, "of": str(old.id)}
        await record(tx, scope, MEMORY, made.id, "restore", data)
        return made
