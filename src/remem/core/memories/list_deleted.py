"""List the memories that were forgotten and can be restored."""

from remem.core.memories import memory_page_store
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.scope import Scope


async def list_deleted_memories(ports: Ports, scope: Scope, limit: int) -> list[Memory]:
    """The current version of each forgotten memory, latest first."""
    async with ports.db.transaction(scope) as tx:
        return await memory_page_store.deleted(tx, limit)
