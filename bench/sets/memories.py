"""Inserts memories without comparing them with known ones, as an import does."""

from uuid import UUID

from remem.core.judgements import StatementContext
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.index_memory import embed, embedding_text, index_memory
from remem.core.memories.memory_store import insert
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id


async def put_memory(
    ports: Ports, scope: Scope, project_id: UUID, text: str, speaker: str | None = None
) -> Memory:
    id = new_id()
    values = {
        "id": id,
        "root_id": id,
        "project_id": project_id,
        "content": text,
        "speaker": speaker,
        "content_hash": fingerprint(text, StatementContext(speaker)) + id.hex[-6:],
    }
    async with ports.db.transaction(scope) as tx:
        memory = await insert(tx, values)
        await index_memory(ports, tx, memory, await embed(ports, scope, embedding_text(memory)))
    return memory
