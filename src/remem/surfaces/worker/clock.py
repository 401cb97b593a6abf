"""What is done by the clock: every worker keeps time, and one of them does the work."""

import asyncio
from collections.abc import Callable
from datetime import datetime

import structlog

from remem.core.connections.sync import schedule_syncs
from remem.core.evolution.clock.slots import DAILY, HOURLY
from remem.core.evolution.clock.tick import tick
from remem.core.evolution.nightly import schedule_nightly
from remem.core.identity.clients.register import forget_clients
from remem.core.identity.sweep import sweep_past
from remem.core.ports import Ports
from remem.core.time import now
from remem.core.upkeep.analyze import analyze_new_tables
from remem.core.upkeep.expire import schedule_forgetting
from remem.core.upkeep.index_vectors import complete_copy

EVERY_S = 60
FIRST_S = 30
ANALYZE_S = 2
SYNC_S = 60
COPY_S = 60

log = structlog.get_logger()


async def keep_time(ports: Ports, first_s: float = FIRST_S, every_s: float = EVERY_S) -> None:
    """Until cancelled. What fails is logged, and done by a later tick."""
    await asyncio.sleep(first_s)
    while True:
        await do_due(ports, now)
        await asyncio.sleep(every_s)


async def do_due(ports: Ports, clock: Callable[[], datetime]) -> list[str]:
    """Do what is due and nobody else does; gives the names of the schedules that were done."""
    done = []
    for schedule, work in ((HOURLY, _hourly), (DAILY, schedule_nightly)):
        try:
            if await tick(ports, schedule, work, clock()):
                done.append(schedule.name)
        except Exception as error:
            log.warning("clock_failed", schedule=schedule.name, error=type(error).__name__)
    return done


async def _hourly(ports: Ports) -> None:
    count = await schedule_forgetting(ports)
    log.info("forgetting_scheduled", tenants=count)
    await sweep_past(ports)
    await forget_clients(ports)


async def schedule_connections(ports: Ports, every_s: float = SYNC_S) -> None:
    """Until cancelled: every minute, a job for each connection that is due."""
    while True:
        await asyncio.sleep(every_s)
        try:
            if count := await schedule_syncs(ports):
                log.info("syncs_scheduled", connections=count)
        except Exception as error:
            log.warning("scheduling_failed", error=type(error).__name__)


async def complete_vector_copy(ports: Ports, every_s: float = COPY_S) -> None:
    """Until cancelled: what a process that died has not carried to an index outside PostgreSQL."""
    while ports.vector_copy:
        try:
            if count := await complete_copy(ports):
                log.info("vectors_to_index", tenants=count)
        except Exception as error:
            log.warning("vectors_not_indexed", error=type(error).__name__)
        await asyncio.sleep(every_s)


async def analyze_until_done(ports: Ports, every_s: float = ANALYZE_S) -> None:
    """While a store is new: from then on the database keeps them up by itself."""
    while True:
        try:
            if await analyze_new_tables(ports):
                return
        except Exception as error:
            log.warning("analyze_failed", error=type(error).__name__)
        await asyncio.sleep(every_s)
