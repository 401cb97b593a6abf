"""Import a memory of another product, once."""

from remem.core.memories import memory_store
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope


async def import_memory(ports: Ports, scope: Scope, draft: MemoryDraft) -> bool:
    """Save the memory; False when its id is known, even if it was deleted since, or another memory
    says the same."""
    assert draft.id is not None
    async with ports.db.transaction(scope) as tx:
        if await memory_store.find_any(tx, draft.id):
            return False
    return (await save_memory(ports, scope, draft)).status != "duplicate"
