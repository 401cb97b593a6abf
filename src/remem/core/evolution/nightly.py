"""The nightly run of a tenant: what its feeds have that is new, then evolution."""

from datetime import timedelta
from uuid import UUID

import structlog

from remem.core.evolution.jobs import store
from remem.core.evolution.jobs.run import run_evolution
from remem.core.feeds.collect import collect_digests
from remem.core.identity.everyone import every_tenant
from remem.core.jobs.enqueue import enqueue
from remem.core.jobs.read import has_open_job
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now

# The whole of a night, and what is left of its evolution.
NIGHTLY, EVOLVE = "nightly", "evolve"
# Behind everything that somebody waits for.
PRIORITY = -30
# One job of the queue makes so many runs at most; then others get their turn, and it goes on.
RUNS_LIMIT = 4
AFTER_LEASE = timedelta(seconds=1)

log = structlog.get_logger()


async def schedule_nightly(ports: Ports) -> int:
    """Queue the job for every tenant that has none open."""
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            if not await has_open_job(tx, scope, NIGHTLY, scope.tenant_id):
                await enqueue(ports, tx, scope, NIGHTLY, scope.tenant_id, priority=PRIORITY)
                count += 1
    return count


async def run_nightly(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """Research digests and new projects first, so that evolution finds what they brought. A feed
    that fails keeps nothing else from being done."""
    try:
        await collect_digests(ports, scope)
    except Exception as error:
        log.warning("digests_failed", error=type(error).__name__)
    await evolve_tenant(ports, scope, subject_id)


async def evolve_tenant(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """Run until nothing is left; what takes long goes on in another job, so that tenants take
    turns."""
    for _ in range(RUNS_LIMIT):
        run = await run_evolution(ports, scope)
        if not run.left:
            await _look_again(ports, scope)
            return
    async with ports.db.transaction(scope) as tx:
        await enqueue(ports, tx, scope, EVOLVE, scope.tenant_id, priority=PRIORITY)


async def _look_again(ports: Ports, scope: Scope) -> None:
    """A job that another worker has is left to it. If that one has died, the job is taken over when
    its lease ends, and not a day later."""
    moment = now()
    async with ports.db.transaction(scope) as tx:
        if ends_at := await store.leased_until(tx, scope, moment):
            delay = ends_at - moment + AFTER_LEASE
            await enqueue(ports, tx, scope, EVOLVE, scope.tenant_id, delay, PRIORITY)
