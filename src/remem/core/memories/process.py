"""Do later what a save left: embed a memory, and say what it is to those before it."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import NotFound, Unavailable
from remem.core.events.record import record
from remem.core.graph.link import join
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.model import Memory, Relation
from remem.core.memories.relate import (
    Opinion,
    Statement,
    ask_model,
    judge,
    keep_relations,
    replaced_by,
    told,
)
from remem.core.memories.show import keep_vector, meaning, retire
from remem.core.ports import Ports, Vector
from remem.core.projects.manage import hold
from remem.core.scope import Scope


async def embed_memory(ports: Ports, scope: Scope, id: UUID) -> None:
    """Give a memory its vector, if it is still there, shown and without."""
    memory, vector = await _prepared(ports, scope, id)
    if memory and vector is not None:
        async with ports.db.transaction(scope) as tx:
            await _keep_vector(ports, tx, scope, memory, vector)


async def relate_memory(ports: Ports, scope: Scope, id: UUID) -> None:
    """Embed a memory that was kept at once, then act on what it is to those before it."""
    memory, vector = await _prepared(ports, scope, id)
    if memory and vector is not None:
        statement = Statement(memory.content, vector, (memory.created_at, memory.id))
        opinion = await ask_model(ports, scope, memory.project_id, statement)
        async with ports.db.transaction(scope) as tx:
            kept = await _keep_vector(ports, tx, scope, memory, vector)
            if kept and kept.root_id == kept.id:
                await _relate(ports, tx, scope, kept, statement, opinion)


async def _prepared(ports: Ports, scope: Scope, id: UUID) -> tuple[Memory | None, Vector | None]:
    async with ports.db.transaction(scope) as tx:
        memory = await store.find(tx, scope, id)
    if memory is None or not memory.is_shown or memory.embedded_with == ports.embedder.model:
        return memory, None
    return memory, (await ports.embedder.embed([meaning(memory)]))[0]


async def _keep_vector(
    ports: Ports, tx: Tx, scope: Scope, memory: Memory, vector: Vector
) -> Memory | None:
    """None when it was hidden, replaced or erased meanwhile."""
    try:
        await hold(tx, scope, memory.project_id)
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
    statement: Statement,
    opinion: Opinion | None,
) -> None:
    """Those saved after it have related themselves to it already."""
    relations = await judge(ports, tx, scope, memory.project_id, statement, opinion)
    if not relations:
        return
    if relations[0].action == "noop":
        await _merge(ports, tx, scope, memory, relations)
        return
    replaced = await replaced_by(ports, tx, scope, relations)
    if replaced:
        before = replaced[0]
        values = {
            "root_id": before.root_id,
            "version": before.version + 1,
            "supersedes_id": before.id,
        }
        memory = await store.change(tx, scope, memory.id, values)
    await keep_relations(tx, scope, memory, relations, replaced)
    await record(tx, scope, MEMORY, memory.id, "relate", told(relations))


async def _merge(
    ports: Ports, tx: Tx, scope: Scope, memory: Memory, relations: Sequence[Relation]
) -> None:
    """It said nothing new: its id stays good and leads to the one that said it before."""
    await retire(ports, tx, scope, memory, ends=True)
    into = Link(MEMORY, memory.id, MEMORY, relations[0].target_id, "merged_into")
    await join(tx, scope, [into])
    await record(tx, scope, MEMORY, memory.id, "relate", told(relations))
