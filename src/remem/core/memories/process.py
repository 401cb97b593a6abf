"""Do later what a save left: embed a memory, and say what it is to the others."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.embedding import embed_each
from remem.core.errors import NotFound, Unavailable
from remem.core.events.record import record
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.index_memory import keep_vector, meaning, retire
from remem.core.memories.kept_values import given_for, kept_values
from remem.core.memories.merge import merge_into
from remem.core.memories.model import Memory
from remem.core.memories.relate import (
    Judgement,
    NewStatement,
    RelatedAhead,
    ask_model,
    describe_relations,
    judge,
    keep_relations,
    replaced_by,
)
from remem.core.memories.versions import store as version_store
from remem.core.memories.versions.add import fill_slot, make_slot
from remem.core.ports import Ports, Vector
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope


async def embed_memory(ports: Ports, scope: Scope, id: UUID) -> None:
    """Give a memory its vector, if it is still there, shown and without."""
    memory, vector = await _prepared(ports, scope, id)
    if memory and vector is not None:
        async with ports.db.transaction(scope) as tx:
            await _keep_vector(ports, tx, scope, memory, vector)


async def embed_memories(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> None:
    """The same for several, in one batch of the model."""
    async with ports.db.transaction(scope) as tx:
        found = await store.find_many(tx, scope, ids)
    model = ports.embedder.model
    stale = [one for one in found if one.is_shown and one.embedded_with != model]
    if not stale:
        return
    for memory, vector in await _embed(ports, scope, stale):
        async with ports.db.transaction(scope) as tx:
            await _keep_vector(ports, tx, scope, memory, vector)


async def relate_memory(ports: Ports, scope: Scope, id: UUID) -> None:
    """Embed a memory that was kept at once, then act on what it is to the others."""
    memory, vector = await _prepared(ports, scope, id)
    if memory and vector is not None:
        statement = NewStatement(memory.content, vector, memory.stated_at, memory.id, memory.saying)
        ahead = await ask_model(ports, scope, memory.project_id, statement)
        async with ports.db.transaction(scope) as tx:
            kept = await _keep_vector(ports, tx, scope, memory, vector)
            if kept:
                await _relate(ports, tx, scope, kept, statement, ahead)


async def _prepared(ports: Ports, scope: Scope, id: UUID) -> tuple[Memory | None, Vector | None]:
    async with ports.db.transaction(scope) as tx:
        memory = await store.find(tx, scope, id)
    if memory is None or not memory.is_shown or memory.embedded_with == ports.embedder.model:
        return memory, None
    embedded = await _embed(ports, scope, [memory])
    return memory, embedded[0][1] if embedded else None


async def _embed(
    ports: Ports, scope: Scope, memories: Sequence[Memory]
) -> list[tuple[Memory, Vector]]:
    """Those that the model refuses are recorded with its reason, and found by word."""
    embedded = await embed_each(ports.embedder, [meaning(memory) for memory in memories])
    for place, why in embedded.refused.items():
        await _keep_refused(ports, scope, memories[place], why)
    return [(memories[place], vector) for place, vector in embedded.vectors.items()]


async def _keep_refused(ports: Ports, scope: Scope, memory: Memory, why: str) -> None:
    """It is not sent again until its text or the model changes."""
    async with ports.db.transaction(scope) as tx:
        await lock_project(tx, scope, memory.project_id)
        now = await store.find(tx, scope, memory.id)
        if now is None or meaning(now) != meaning(memory):
            return
        await ports.vectors.remove(tx, scope, MEMORY, [memory.id])
        await store.mark_embedded(tx, scope, memory.id, ports.embedder.model, None)
        await record(tx, scope, MEMORY, memory.id, "embedding_refused", {"reason": why})


async def _keep_vector(
    ports: Ports, tx: Tx, scope: Scope, memory: Memory, vector: Vector
) -> Memory | None:
    """None when it was hidden, replaced or erased meanwhile."""
    try:
        await lock_project(tx, scope, memory.project_id)
    except NotFound:
        return None
    now = await store.find(tx, scope, memory.id)
    if now is None or not now.is_shown or now.project_id != memory.project_id:
        return None
    if not await keep_vector(ports, tx, scope, now, vector):
        raise Unavailable("The vector index does not answer; this is tried again.")
    return now


async def _relate(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    memory: Memory,
    statement: NewStatement,
    ahead: RelatedAhead | None,
) -> None:
    judgement = await judge(ports, tx, scope, memory.project_id, statement, ahead)
    if judgement.duplicate_of:
        await _merge(ports, tx, scope, memory, judgement)
        return
    replaced = await replaced_by(ports, tx, scope, judgement.relations)
    if judgement.replaced_by:
        await _put_below(ports, tx, scope, memory, judgement.replaced_by[0].target_id)
    elif replaced:
        await _put_above(tx, scope, memory, replaced[0])
    if judgement.relations or judgement.replaced_by:
        await keep_relations(tx, scope, memory, judgement, replaced)
        await record(
            tx, scope, MEMORY, memory.id, "relate", describe_relations(judgement.relations)
        )


async def _put_above(tx: Tx, scope: Scope, memory: Memory, old: Memory) -> None:
    """It goes on from what it replaces, and keeps what was not given for it."""
    values = await kept_values(tx, scope, old, memory.content, await given_for(tx, scope, memory))
    if await _is_alone(tx, scope, memory):
        values |= {
            "root_id": old.root_id,
            "version": old.version + 1,
            "supersedes_id": old.id,
        }
    await store.change(tx, scope, memory.id, values)


async def _put_below(ports: Ports, tx: Tx, scope: Scope, memory: Memory, later_id: UUID) -> None:
    """It was replaced before anybody could tell: it is a version of what was said after it."""
    await retire(ports, tx, scope, memory)
    later = await store.find(tx, scope, later_id)
    if later is None or not await _is_alone(tx, scope, memory):
        return
    slot = await make_slot(tx, scope, later.root_id, memory.stated_at)
    placed = await store.change(tx, scope, memory.id, slot.values)
    await fill_slot(tx, scope, slot, placed)


async def _is_alone(tx: Tx, scope: Scope, memory: Memory) -> bool:
    """A chain of several members stays as it is; a link leads from one to the other."""
    return (
        memory.root_id == memory.id and len(await version_store.chain(tx, scope, memory.id, 2)) == 1
    )


async def _merge(ports: Ports, tx: Tx, scope: Scope, memory: Memory, judgement: Judgement) -> None:
    """It said nothing new: its id stays good and leads to the one that says it."""
    assert judgement.duplicate_of is not None
    await version_store.restate(tx, scope, judgement.duplicate_of, memory.stated_at)
    kept = await store.require(tx, scope, judgement.duplicate_of)
    await merge_into(ports, tx, scope, memory, kept)
    await record(tx, scope, MEMORY, memory.id, "relate", describe_relations(judgement.relations))
