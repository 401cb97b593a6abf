"""The nightly run of a tenant: first the digests of its feeds, then evolution."""

from datetime import timedelta
from uuid import UUID

import structlog

from remem.core.evolution.jobs import evolution_job_store
from remem.core.evolution.jobs.run import run_evolution
from remem.core.feeds.collect import collect_digests
from remem.core.identity.everyone import every_tenant
from remem.core.jobs.enqueue import enqueue
from remem.core.jobs.read import has_open_job
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now

# The names of two jobs: the whole nightly run, and the continuation of its evolution.
NIGHTLY, EVOLVE = "nightly", "evolve"
# Lower than that of any job that people wait for.
PRIORITY = -30
# The most runs of one queue job; then it requeues itself, so that other jobs get a turn.
RUNS_LIMIT = 4
AFTER_LEASE = timedelta(seconds=1)

log = structlog.get_logger()


async def schedule_nightly(ports: Ports) -> int:
    """Queue the nightly job for every tenant that has none open."""
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            if not await has_open_job(tx, NIGHTLY, scope.tenant_id):
                await enqueue(ports, tx, NIGHTLY, scope.tenant_id, priority=PRIORITY)
                count += 1
    return count


async def run_nightly(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """Collect the digests first, so that evolution includes their entries. A failing feed does not
    stop the rest."""
    try:
        await collect_digests(ports, scope)
    except Exception as error:
        log.warning("digests_failed", error=type(error).__name__)
    await evolve_tenant(ports, scope, subject_id)


async def evolve_tenant(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """Run until nothing is left. Long work continues in another job, so that tenants take turns."""
    for _ in range(RUNS_LIMIT):
        run = await run_evolution(ports, scope)
        if not run.has_more:
            await _requeue_after_lease(ports, scope)
            return
    async with ports.db.transaction(scope) as tx:
        await enqueue(ports, tx, EVOLVE, scope.tenant_id, priority=PRIORITY)


async def _requeue_after_lease(ports: Ports, scope: Scope) -> None:
    """If another worker has a job, queue a check for when its lease ends: if that worker has died,
    its job is taken over then and not a day later."""
    moment = now()
    async with ports.db.transaction(scope) as tx:
        if ends_at := await evolution_job_store.leased_until(tx, moment):
            delay = ends_at - moment + AFTER_LEASE
            await enqueue(ports, tx, EVOLVE, scope.tenant_id, delay, PRIORITY)
