"""The jobs that finish a save: embed a memory, and relate it to the others."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.embedding import embed_each
from remem.core.errors import NotFound, Unavailable
from remem.core.events.record import record
from remem.core.index.kinds import MEMORY
from remem.core.judgements import calls_off
from remem.core.memories import memory_store
from remem.core.memories.carried_values import carried_values, fields_given_for
from remem.core.memories.index_memory import embedding_text, retire, store_vector
from remem.core.memories.merge import merge_into
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.relate import (
    Judgement,
    NewStatement,
    RelatedAhead,
    describe_relations,
    judge,
    relate_with_model,
    retire_replaced,
    store_relations,
)
from remem.core.memories.versions import memory_version_store
from remem.core.memories.versions.add import fill_slot, make_slot
from remem.core.ports import ModelVector, Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_names, embedder_for


async def embed_memory(ports: Ports, scope: Scope, id: UUID) -> None:
    """Embed a memory, if it is still shown and has no vector of the current model."""
    memory, vector = await _embed_one(ports, scope, id)
    if memory and vector:
        async with ports.db.transaction(scope, turn=memory.project_id) as tx:
            await _store_vector(ports, tx, memory, vector)


async def embed_memories(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> None:
    """Embed several memories in one batch."""
    async with ports.db.transaction(scope) as tx:
        memories = await memory_store.find_many(tx, ids)
        names = await current_names(ports, tx)
    stale = [memory for memory in memories if memory.is_shown and memory.embedded_with not in names]
    if not stale:
        return
    for memory, vector in await _embed(ports, scope, stale):
        async with ports.db.transaction(scope, turn=memory.project_id) as tx:
            await _store_vector(ports, tx, memory, vector)


async def relate_memory(ports: Ports, scope: Scope, id: UUID) -> None:
    """Embed a memory whose save was deferred, then relate it to the others."""
    memory, vector = await _embed_one(ports, scope, id)
    if memory and vector:
        statement = NewStatement(
            memory.content, vector, memory.stated_at, memory.id, memory.statement_context
        )
        ahead = await relate_with_model(ports, scope, memory.project_id, statement)
        async with ports.db.transaction(scope, turn=memory.project_id) as tx:
            embedded = await _store_vector(ports, tx, memory, vector)
            if embedded:
                await _apply_relations(ports, tx, embedded, statement, ahead)


async def _embed_one(
    ports: Ports, scope: Scope, id: UUID
) -> tuple[Memory | None, ModelVector | None]:
    async with ports.db.transaction(scope) as tx:
        memory = await memory_store.find(tx, id)
        names = await current_names(ports, tx)
    if memory is None or not memory.is_shown or memory.embedded_with in names:
        return memory, None
    embedded = await _embed(ports, scope, [memory])
    return memory, embedded[0][1] if embedded else None


async def _embed(
    ports: Ports, scope: Scope, memories: Sequence[Memory]
) -> list[tuple[Memory, ModelVector]]:
    """Embed memories; those the model refuses are recorded with its reason, and found by word."""
    embedder = await embedder_for(ports, scope)
    model = embedder.model
    embedded = await embed_each(embedder, [embedding_text(memory) for memory in memories])
    for position, reason in embedded.refused.items():
        await _record_refusal(ports, scope, memories[position], model, reason)
    return [
        (memories[position], ModelVector(model, vector))
        for position, vector in embedded.vectors.items()
    ]


async def _record_refusal(
    ports: Ports, scope: Scope, memory: Memory, model: str, reason: str
) -> None:
    """Record why the model refuses a memory; it is not sent again until its text or the model
    changes."""
    async with ports.db.transaction(scope, turn=memory.project_id) as tx:
        await lock_project(tx, memory.project_id)
        now = await memory_store.find(tx, memory.id)
        if now is None or embedding_text(now) != embedding_text(memory):
            return
        await ports.vectors.remove(tx, MEMORY, [memory.id])
        await memory_store.mark_embedded(tx, memory.id, model, None)
        await record(tx, MEMORY, memory.id, "embedding_refused", {"reason": reason})


async def _store_vector(ports: Ports, tx: Tx, memory: Memory, vector: ModelVector) -> Memory | None:
    """Lock the project and store the vector; None when the memory was hidden, replaced or erased
    meanwhile."""
    try:
        await lock_project(tx, memory.project_id)
    except NotFound:
        return None
    now = await memory_store.find(tx, memory.id)
    if now is None or not now.is_shown or now.project_id != memory.project_id:
        return None
    if not await store_vector(ports, tx, now, vector):
        raise Unavailable("The vector cannot be stored now; this is tried again.")
    return now


async def _apply_relations(
    ports: Ports, tx: Tx, memory: Memory, statement: NewStatement, ahead: RelatedAhead
) -> None:
    judgement = await judge(ports, tx, memory.project_id, statement, ahead)
    if judgement.duplicate_of:
        await _merge(ports, tx, memory, judgement)
        return
    replaced = await retire_replaced(ports, tx, judgement.relations)
    if judgement.replaced_by:
        await _insert_below(ports, tx, memory, judgement.replaced_by[0].target_id)
    elif replaced:
        await _insert_above(tx, memory, replaced[0], judgement)
    if judgement.relations or judgement.replaced_by:
        await store_relations(tx, memory, judgement, replaced)
        await record(tx, MEMORY, memory.id, "relate", describe_relations(judgement.relations))


async def _insert_above(tx: Tx, memory: Memory, old: Memory, judgement: Judgement) -> None:
    """Make a memory the next version of the one it replaces, with the values it carries over."""
    given = await fields_given_for(tx, memory)
    values = await carried_values(tx, old, memory.content, given)
    is_own_day = memory.source != DISTIL and "due_at" in given
    if calls_off(judgement.relations) and not is_own_day:
        values["due_at"] = None
    if await _is_only_version(tx, memory):
        values |= {
            "root_id": old.root_id,
            "version": old.version + 1,
            "supersedes_id": old.id,
        }
    await memory_store.change(tx, memory.id, values)


async def _insert_below(ports: Ports, tx: Tx, memory: Memory, later_id: UUID) -> None:
    """Make a memory an older version of the one that was stated later and replaces it."""
    await retire(ports, tx, memory)
    later = await memory_store.find(tx, later_id)
    if later is None or not await _is_only_version(tx, memory):
        return
    slot = await make_slot(tx, later.root_id, memory.stated_at)
    placed = await memory_store.change(tx, memory.id, slot.values)
    await fill_slot(tx, slot, placed)


async def _is_only_version(tx: Tx, memory: Memory) -> bool:
    """Whether the memory is a chain of its own. Longer chains are only linked, not joined."""
    return (
        memory.root_id == memory.id and len(await memory_version_store.chain(tx, memory.id, 2)) == 1
    )


async def _merge(ports: Ports, tx: Tx, memory: Memory, judgement: Judgement) -> None:
    """Merge a memory into the one that it duplicates; its id stays valid and leads there."""
    assert judgement.duplicate_of is not None
    await memory_version_store.restate(tx, judgement.duplicate_of, memory.stated_at)
    kept = await memory_store.require(tx, judgement.duplicate_of)
    await merge_into(ports, tx, memory, kept)
    await record(tx, MEMORY, memory.id, "relate", describe_relations(judgement.relations))
