"""Embed everything with the current model, while search keeps working."""

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
# After jobs that people wait for, before distilling.
PRIORITY = -1


async def reembed_tenant(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """Embed what lacks a vector of the current model; an interrupted run is resumed."""
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
    """A batch of memories without a vector of the current model."""
    return await _stale(ports, scope, "memories")


async def start_reembedding(ports: Ports, again: bool) -> int:
    """Queue the job for every tenant that needs it; return how many. `again` also re-embeds what
    has a vector of this model: the old vectors are used until each is replaced."""
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            if again:
                await store.mark_stale(tx, scope)
            if await store.needs_embedding(tx, scope, ports.embedder.model):
                await enqueue(ports, tx, scope, JOB, scope.tenant_id, priority=PRIORITY, large=True)
                count += 1
    return count


async def count_remaining(ports: Ports) -> tuple[int, int]:
    """The number of texts without a vector of the current model, and of jobs embedding them."""
    texts = jobs = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            texts += await store.count_stale(tx, scope, ports.embedder.model)
            jobs += await store.count_jobs(tx, scope, JOB)
    return texts, jobs


async def delete_other_models(ports: Ports) -> None:
    """Delete the vectors of every other model; call it once nothing lacks one of this model."""
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            await ports.vectors.keep_only(tx, scope, ports.embedder.model)
