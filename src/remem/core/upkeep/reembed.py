"""Embed everything with the current model, while search keeps working."""

import time
from collections.abc import Callable
from datetime import timedelta
from math import inf
from uuid import UUID

from remem.core.documents.reembed import reembed_document
from remem.core.errors import Unavailable, WorkRemains
from remem.core.events.record import record
from remem.core.identity.everyone import every_tenant
from remem.core.jobs.enqueue import enqueue
from remem.core.memories.process import embed_memory
from remem.core.ports import LocalModels, Ports
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import Tx
from remem.core.upkeep import upkeep_store
from remem.core.upkeep.move_model import PART_S, move_to_model, remove_other_models
from remem.core.vector_models import state
from remem.core.vector_models import state as vector_models
from remem.core.vector_models.current import current_embedder, current_names, embedder_for
from remem.core.vector_models.model import VectorModel

JOB = "reembed"
BATCH = 100
# After jobs that people wait for, before distilling.
PRIORITY = -1
# Searches that began before the switch still use the old vectors.
KEPT = timedelta(seconds=10)
# So long processes of an older version may go on saving with the model before.
ROLLING = timedelta(hours=1)


async def reembed_tenant(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """Embed what lacks a vector of the tenant's model, which may change; an interrupted run is
    resumed. With a model of this machine, raises WorkRemains when the time of one part is over."""
    is_local = isinstance(ports.embedder, LocalModels)
    ends_at = time.monotonic() + PART_S if is_local else inf
    known = await _vector_model(ports, scope)
    if known and known.moving_to:
        await move_to_model(ports, scope, known, ends_at)
        known = await _vector_model(ports, scope)
    await _embed_missing(ports, scope, ends_at)
    if known and known.moved_at:
        await _remove_old(ports, scope, known, now() - known.moved_at)


async def _remove_old(ports: Ports, scope: Scope, known: VectorModel, age: timedelta) -> None:
    """Remove the vectors of the model before, or let another job do it when it is time."""
    if age >= KEPT:
        await remove_other_models(ports, scope, known)
    async with ports.db.transaction(scope) as tx:
        if age < KEPT:
            wait = KEPT - age
            await enqueue(ports, tx, JOB, scope.tenant_id, delay=wait, priority=PRIORITY)
        elif age >= ROLLING:
            await vector_models.settle(tx)


async def _embed_missing(ports: Ports, scope: Scope, ends_at: float) -> None:
    while ids := await _stale(ports, scope, "documents"):
        for id in ids:
            await reembed_document(ports, scope, id)
            _check_time(ends_at)
    while ids := await _stale(ports, scope, "memories"):
        for id in ids:
            await embed_memory(ports, scope, id)
            _check_time(ends_at)


def _check_time(ends_at: float) -> None:
    if time.monotonic() >= ends_at:
        raise WorkRemains


async def _vector_model(ports: Ports, scope: Scope) -> VectorModel | None:
    """None for a model that is not of this machine: it takes no part in a move between those."""
    async with ports.db.transaction(scope) as tx:
        known = await vector_models.find(tx)
    if isinstance(ports.embedder, LocalModels):
        return known
    if known and known.moving_to:
        raise Unavailable(
            f"The vectors move to {known.moving_to}, and this process embeds with another provider;"
            " a server with that model goes on."
        )
    return None


async def _stale(ports: Ports, scope: Scope, kind: str) -> list[UUID]:
    async with ports.db.transaction(scope) as tx:
        names = await current_names(ports, tx)
        return await upkeep_store.stale(tx, kind, names, BATCH)


async def stale_memories(ports: Ports, scope: Scope) -> list[UUID]:
    """A batch of memories without a vector of the current model."""
    return await _stale(ports, scope, "memories")


async def start_reembedding(ports: Ports, again: bool) -> int:
    """Queue the job for every tenant that needs it; return how many. `again` also re-embeds what
    has a vector of this model: the old vectors are used until each is replaced."""
    count = 0
    async for scope in every_tenant(ports):
        await choose_model(ports, scope)
        async with ports.db.transaction(scope) as tx:
            if again:
                await upkeep_store.mark_stale(tx)
            if await upkeep_store.needs_embedding(tx, ports.embedder.model):
                await _queue(ports, tx)
                count += 1
    return count


async def request_reembedding(ports: Ports, scope: Scope) -> None:
    """Queue the job of one tenant, unless it waits or runs already."""
    async with ports.db.transaction(scope) as tx:
        if await upkeep_store.count_jobs(tx, JOB) == 0:
            await _queue(ports, tx)


async def start_moving(ports: Ports) -> None:
    """Choose the configured model for every tenant whose vectors belong to another one of this
    machine, and queue the jobs. A paid model, or one of another server, is never chosen here."""
    if not isinstance(ports.embedder, LocalModels):
        return
    async for scope in every_tenant(ports):
        if await choose_model(ports, scope):
            # Loaded now, so that no search waits for it.
            await (await embedder_for(ports, scope)).embed_query("warm")
        await _resume(ports, scope, lambda known: True)


async def resume_moving(ports: Ports) -> int:
    """Queue the job for every tenant that moves and has none; return how many move."""
    count = 0
    if not isinstance(ports.embedder, LocalModels):
        return count
    async for scope in every_tenant(ports):
        count += await _resume(ports, scope, _is_due)
    if not count:
        ports.embedder.release_others()
    return count


async def _resume(ports: Ports, scope: Scope, is_due: Callable[[VectorModel], bool]) -> bool:
    """Whether the tenant moves. If it is due, its job is queued unless there is one."""
    async with ports.db.transaction(scope) as tx:
        known = await vector_models.find(tx)
        if known is None or known.is_settled:
            return False
        if is_due(known) and await upkeep_store.lacks_reembedding(tx):
            await _queue(ports, tx)
    return True


def _is_due(known: VectorModel) -> bool:
    """Whether to move, or to remove once more what an older process saved with the model before."""
    if known.moving_to or known.moved_at is None:
        return True
    return now() - known.moved_at >= ROLLING


async def _queue(ports: Ports, tx: Tx) -> None:
    """A model of this machine works in the background; of the others, the large jobs of several
    tenants may wait for answers at once."""
    large = not isinstance(ports.embedder, LocalModels)
    await enqueue(ports, tx, JOB, tx.scope.tenant_id, priority=PRIORITY, large=large)


async def count_remaining(ports: Ports) -> tuple[int, int]:
    """The number of texts without a vector of the configured model, and of jobs embedding them."""
    texts = jobs = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            texts += await upkeep_store.count_stale(tx, ports.embedder.model)
            jobs += await upkeep_store.count_jobs(tx, JOB)
    return texts, jobs


async def delete_other_models(ports: Ports) -> None:
    """Delete the vectors of every other model; call it once nothing lacks one of this model."""
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            model = (await current_embedder(ports, tx)).model
            await ports.vectors.keep_only(tx, model)


# Decide which model of this machine a tenant's vectors move to: the configured one.


# How long to wait for saves that store vectors, and for the moment of a switch.
_WAIT_MS = 10_000


async def choose_model(ports: Ports, scope: Scope) -> bool:
    """Whether the vectors move from now on. Nothing changes for a tenant without vectors, and for
    one whose vectors belong to a model that is not of this machine. A configured model that is not
    of this machine ends a move."""
    async with ports.db.transaction(scope) as tx:
        known = await state.find(tx)
        if known and _changes(ports, known):
            known = await state.lock(tx, _WAIT_MS)
        if known is None or not _changes(ports, known):
            return known is not None and known.moving_to is not None
        chosen = ports.embedder.model
        moves = known.model != chosen and isinstance(ports.embedder, LocalModels)
        if moves:
            await state.set_target(tx, chosen)
            event, data = "vectors_moving", {"from": known.model, "model": chosen}
        else:
            await state.stay(tx)
            event, data = "vectors_stay", {"from": known.moving_to, "model": known.model}
        await record(tx, "tenant", scope.tenant_id, event, data)
    return moves


def _changes(ports: Ports, known: VectorModel) -> bool:
    models, chosen = ports.embedder, ports.embedder.model
    if chosen == (known.moving_to or known.model):
        return False
    if not isinstance(models, LocalModels):
        return known.moving_to is not None
    return known.model in models.local_models
