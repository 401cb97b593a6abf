"""Save a memory that was kept elsewhere, once."""

from remem.core.memories import store
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope


async def import_memory(ports: Ports, scope: Scope, draft: MemoryDraft) -> bool:
    """False when it is here already: under its id, whatever became of it since, or as the same
    statement."""
    assert draft.id is not None
    async with ports.db.transaction(scope) as tx:
        if await store.find_any(tx, scope, draft.id):
            return False
    return (await save_memory(ports, scope, draft)).status != "duplicate"
