"""The memories that another embedding model has yet to embed."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.memories import memory_store
from remem.core.memories.index_memory import embedding_text
from remem.core.transaction import Tx
from remem.core.vector_models.model import EmbeddedText


async def memories_to_move(
    tx: Tx, model: str, after: UUID | None, limit: int
) -> list[EmbeddedText]:
    """The next shown memories that have a vector, but none of this model, by id."""
    return [
        EmbeddedText(memory.id, memory.project_id, embedding_text(memory), hash)
        for memory, hash in await memory_store.to_move(tx, model, after, limit)
    ]


async def lock_memories(
    tx: Tx, project_id: UUID, model: str, texts: Sequence[EmbeddedText]
) -> set[UUID]:
    """The memories that were not changed since; those that somebody is changing are left out."""
    hashes = [(text.id, text.hash) for text in texts]
    return await memory_store.lock_unchanged(tx, project_id, model, hashes)


async def mark_memories(tx: Tx, model: str, hashes: Sequence[tuple[UUID, str | None]]) -> None:
    for id, hash in hashes:
        await memory_store.mark_embedded(tx, id, model, hash)
