"""Retire memories whose `valid_until` has passed."""

from remem.core.events.record import record
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_store
from remem.core.memories.index_memory import retire
from remem.core.memories.model import Memory
from remem.core.memories.versions.add import reload_locked
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.time import now

BATCH = 100


async def expire_memories(ports: Ports, scope: Scope) -> int:
    """Retire all expired memories and return their number. They stay as versions for `as_of`.

    Works in batches, one transaction per memory, so that no project is locked for long."""
    count = 0
    while True:
        async with ports.db.transaction(scope) as tx:
            expired = await memory_store.find_expired(tx, BATCH)
        if not expired:
            return count
        for memory in expired:
            count += await _expire(ports, scope, memory)


async def _expire(ports: Ports, scope: Scope, memory: Memory) -> bool:
    """Retire one memory; False when it was changed meanwhile."""
    async with ports.db.transaction(scope, turn=memory.project_id) as tx:
        await lock_project(tx, memory.project_id)
        current = await reload_locked(tx, memory)
        if current is None or not current.is_shown or not current.is_current:
            return False
        if current.valid_until is None or current.valid_until > now():
            return False
        await retire(ports, tx, current)
        await record(tx, MEMORY, current.id, "expire")
    return True
