"""Index the keys of words in texts that an older version saved, while search keeps working."""

from remem.core.db import retry_on_deadlock
from remem.core.documents.index_words import add_keys_of_chunks
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.index_imported import add_keys_of_memories
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.upkeep import upkeep_store

BATCH = 50


async def index_keys(ports: Ports, scope: Scope) -> int:
    """Index a batch of chunks and one of memories; return how many texts these are. An interrupted
    run is resumed after the last batch."""
    return sum([await _index_batch(ports, scope, kind) for kind in (CHUNK, MEMORY)])


@retry_on_deadlock
async def _index_batch(ports: Ports, scope: Scope, kind: str) -> int:
    async with ports.db.transaction(scope) as tx:
        done_until = await upkeep_store.keys_done_until(tx, kind)
        if done_until is None:
            return 0
        ids = await upkeep_store.next_texts(tx, kind, done_until, BATCH)
        if not ids:
            await upkeep_store.finish_keys(tx, kind)
            return 0
        add = add_keys_of_chunks if kind == CHUNK else add_keys_of_memories
        await add(tx, ids)
        await upkeep_store.note_keys(tx, kind, ids[-1])
        return len(ids)
