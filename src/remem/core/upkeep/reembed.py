"""Give everything a vector of the model in use, while searching goes on."""

from uuid import UUID

from remem.core.documents.reembed import reembed_document
from remem.core.identity.everyone import every_tenant
from remem.core.jobs.enqueue import enqueue
from remem.core.memories.process import embed_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.upkeep import store

JOB = "reembed"
BATCH = 100
# Behind what people wait for, before what is only distilled.
PRIORITY = -1


async def reembed_tenant(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """What lacks a vector of the model in use gets one; cut short, the next attempt goes on."""
    while ids := await _stale(ports, scope, "documents"):
        for id in ids:
            await reembed_document(ports, scope, id)
    while ids := await _stale(ports, scope, "memories"):
        for id in ids:
            await embed_memory(ports, scope, id)


async def _stale(ports: Ports, scope: Scope, kind: str) -> list[UUID]:
    async with ports.db.transaction(scope) as tx:
        return await store.stale(tx, scope, kind, ports.embedder.model, BATCH)


async def stale_memories(ports: Ports, scope: Scope) -> list[UUID]:
    """Some of the memories that lack a vector of the model in use."""
    return await _stale(ports, scope, "memories")


async def begin_reembedding(ports: Ports, again: bool) -> int:
    """Queue the job for every tenant that needs it. `again` embeds what has a vector of this model
    anew: the old ones are searched until each is replaced."""
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            if again:
                await store.mark_stale(tx, scope)
            if await store.needs_embedding(tx, scope, ports.embedder.model):
                await enqueue(ports, tx, scope, JOB, scope.tenant_id, priority=PRIORITY)
                count += 1
    return count


async def left_to_embed(ports: Ports) -> tuple[int, int]:
    """How many texts lack a vector of the model in use, and how many jobs are at it."""
    texts = jobs = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            texts += await store.count_stale(tx, scope, ports.embedder.model)
            jobs += await store.count_jobs(tx, scope, JOB)
    return texts, jobs


async def keep_only_this_model(ports: Ports) -> None:
    """Remove the vectors of every other model, once nothing lacks one of this."""
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            await ports.vectors.keep_only(tx, scope, ports.embedder.model)
