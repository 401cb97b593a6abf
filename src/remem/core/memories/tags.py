"""Memories have the tags of the documents that say them, and follow when those change."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.memories import store
from remem.core.memories.documents import store as documents
from remem.core.memories.evidence import lock_evidence, places_of, resting_on
from remem.core.memories.model import DISTIL, Memory
from remem.core.scope import Scope
from remem.core.text import tags_without, unique_tags
from remem.core.validate import TAGS_LIMIT


async def add_tags(tx: Tx, scope: Scope, memory: Memory, tags: Sequence[str]) -> Memory:
    """Those of one more document that says it. What a person saved keeps the tags they gave."""
    if memory.source != DISTIL:
        return memory
    return await _set(tx, scope, memory, [*memory.tags, *tags])


async def follow_tags(
    tx: Tx,
    scope: Scope,
    document: tuple[UUID, UUID],
    before: Sequence[str],
    after: Sequence[str],
) -> None:
    """A document, (project, id), has other tags now. Tags that a person gave a memory stay, and so
    do those that another document of it has."""
    project_id, id = document
    memories = [one for one in await resting_on(tx, scope, id) if one.deleted_at is None]
    if memories:
        await lock_evidence(tx, scope, [project_id], [id])
    for memory in memories:
        others = [place.document_id for place in places_of(memory) if place.document_id != id]
        theirs = await documents.tags_of_documents(tx, scope, others) if others else set[str]()
        # A tag that is only written in another way now is written so in the memory too.
        gone = tags_without(set(before) - set(after), theirs)
        await _set(tx, scope, memory, [*tags_without(memory.tags, gone), *after])


async def _set(tx: Tx, scope: Scope, memory: Memory, tags: Sequence[str]) -> Memory:
    wanted = unique_tags(tags)[:TAGS_LIMIT]
    if wanted == memory.tags:
        return memory
    return await store.change(tx, scope, memory.id, {"tags": wanted})
