"""Give inferred memories the tags of their documents, and update them when those change."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.memories import memory_document_store, memory_store
from remem.core.memories.evidence import memories_of_document, places_of
from remem.core.memories.model import DISTIL, Memory
from remem.core.text import tags_without, unique_tags
from remem.core.transaction import Tx
from remem.core.validate import TAGS_LIMIT


async def add_tags(tx: Tx, memory: Memory, tags: Sequence[str]) -> Memory:
    """Add the tags of another document that states the memory. A memory that a person saved keeps
    its own tags."""
    if memory.source != DISTIL:
        return memory
    return await _set_tags(tx, memory, [*memory.tags, *tags])


async def follow_tags(tx: Tx, id: UUID, before: Sequence[str], after: Sequence[str]) -> None:
    """Apply a change of the tags of a document to its memories.

    Tags that a person gave a memory stay, and so do those of its other documents. The caller has
    locked the evidence of the document."""
    memories = [
        memory for memory in await memories_of_document(tx, id) if memory.deleted_at is None
    ]
    for memory in memories:
        other_ids = [place.document_id for place in places_of(memory) if place.document_id != id]
        other_tags = (
            await memory_document_store.tags_of_documents(tx, other_ids)
            if other_ids
            else set[str]()
        )
        # A tag that changed only in spelling gets the new spelling in the memory too.
        removed = tags_without(set(before) - set(after), other_tags)
        await _set_tags(tx, memory, [*tags_without(memory.tags, removed), *after])


async def _set_tags(tx: Tx, memory: Memory, tags: Sequence[str]) -> Memory:
    wanted = unique_tags(tags)[:TAGS_LIMIT]
    if wanted == memory.tags:
        return memory
    return await memory_store.change(tx, memory.id, {"tags": wanted})
