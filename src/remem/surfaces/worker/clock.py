"""Scheduled tasks: every worker runs the clock, and one of them does the work."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from remem.core.connections.sync import schedule_syncs
from remem.core.deliveries.send import schedule_deliveries
from remem.core.documents.index_words import reindex_waiting
from remem.core.documents.repair import repair_originals
from remem.core.evolution.clock.slots import BACKUP, DAILY, HOURLY
from remem.core.evolution.clock.tick import tick
from remem.core.evolution.nightly import schedule_nightly
from remem.core.identity.clients.register import delete_unused_clients
from remem.core.identity.everyone import every_tenant
from remem.core.identity.plans import resume_everywhere
from remem.core.identity.sweep import sweep_expired
from remem.core.ports import Ports
from remem.core.time import now
from remem.core.upkeep.analyze import analyze_new_tables
from remem.core.upkeep.expire import schedule_forgetting
from remem.core.upkeep.index_keys import index_keys
from remem.core.upkeep.index_vectors import complete_copy
from remem.core.upkeep.reembed import resume_moving, start_moving

INTERVAL_S = 60
# Longer than a backup of a large store takes.
BACKUP_LEASE = timedelta(hours=6)
FIRST_DELAY_S = 30
ANALYZE_S = 2
SYNC_S = 60
DELIVERY_S = 30
COPY_S = 60
MOVE_S = 60
INDEX_S = 60
ROOM_S = 60

log = structlog.get_logger()


async def run_clock(
    ports: Ports, first_delay_s: float = FIRST_DELAY_S, interval_s: float = INTERVAL_S
) -> None:
    """Run due schedules until cancelled. A failure is logged and retried by a later tick."""
    await asyncio.sleep(first_delay_s)
    while True:
        await run_due(ports, now)
        await asyncio.sleep(interval_s)


async def run_due(ports: Ports, clock: Callable[[], datetime]) -> list[str]:
    """Run schedules that are due and that no other worker runs; return their names."""
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
    await sweep_expired(ports)
    await delete_unused_clients(ports)


async def back_up_nightly(ports: Ports, interval_s: float = INTERVAL_S) -> None:
    """Make the backup that is due, until cancelled. A failed one is made again hours later."""
    while ports.back_up:
        await asyncio.sleep(interval_s)
        try:
            await tick(ports, BACKUP, _back_up, now(), BACKUP_LEASE)
        except Exception as error:
            log.warning("backup_failed", error=str(error))


async def _back_up(ports: Ports) -> None:
    if ports.back_up:
        await ports.back_up()


async def schedule_connections(ports: Ports, interval_s: float = SYNC_S) -> None:
    """Queue a job for each connection that is due, every minute until cancelled."""
    while True:
        await asyncio.sleep(interval_s)
        try:
            if count := await schedule_syncs(ports):
                log.info("syncs_scheduled", connections=count)
        except Exception as error:
            log.warning("scheduling_failed", error=type(error).__name__)


async def send_due(ports: Ports, interval_s: float = DELIVERY_S) -> None:
    """Queue the morning pages that are due, until cancelled."""
    while True:
        await asyncio.sleep(interval_s)
        try:
            if count := await schedule_deliveries(ports):
                log.info("deliveries_scheduled", messages=count)
        except Exception as error:
            log.warning("deliveries_not_scheduled", error=type(error).__name__)


async def index_headers(ports: Ports, interval_s: float = INDEX_S) -> None:
    """Index the tags and authors of documents that an older version saved, until all are."""
    while True:
        try:
            async for scope in every_tenant(ports):
                while count := await reindex_waiting(ports, scope):
                    log.info("headers_indexed", documents=count)
            return
        except Exception as error:
            log.warning("headers_not_indexed", error=type(error).__name__)
        await asyncio.sleep(interval_s)


async def move_vectors(ports: Ports, interval_s: float = MOVE_S) -> None:
    """Move the vectors of other models of this machine to the configured one, until all have."""
    is_started = False
    while True:
        try:
            if not is_started:
                await start_moving(ports)
                is_started = True
            count = await resume_moving(ports)
            if not count:
                return
            log.info("vectors_to_move", tenants=count)
        except Exception as error:
            log.warning("vectors_not_moved", error=type(error).__name__)
        await asyncio.sleep(interval_s)


async def index_word_keys(ports: Ports, interval_s: float = INDEX_S) -> None:
    """Index the keys of words in texts that an older version saved, until all are."""
    while True:
        try:
            async for scope in every_tenant(ports):
                while count := await index_keys(ports, scope):
                    log.info("keys_indexed", texts=count)
            return
        except Exception as error:
            log.warning("keys_not_indexed", error=type(error).__name__)
        await asyncio.sleep(interval_s)


async def complete_vector_copy(ports: Ports, interval_s: float = COPY_S) -> None:
    """Copy vectors that a dead process did not copy to the external index, until cancelled."""
    while ports.vector_copy:
        try:
            if count := await complete_copy(ports):
                log.info("vectors_to_index", tenants=count)
        except Exception as error:
            log.warning("vectors_not_indexed", error=type(error).__name__)
        await asyncio.sleep(interval_s)


async def resume_at_the_limit(ports: Ports, interval_s: float = ROOM_S) -> None:
    """Resume jobs that wait for room in a plan, every minute until cancelled."""
    while True:
        await asyncio.sleep(interval_s)
        try:
            if count := await resume_everywhere(ports):
                log.info("jobs_resumed", jobs=count)
        except Exception as error:
            log.warning("jobs_not_resumed", error=type(error).__name__)


async def repair_at_start(ports: Ports, interval_s: float = INTERVAL_S) -> None:
    """Repair once what a crash left incomplete."""
    while True:
        try:
            if count := await repair_originals(ports):
                log.info("originals_repaired", documents=count)
            return
        except Exception as error:
            log.warning("repair_failed", error=type(error).__name__)
        await asyncio.sleep(interval_s)


async def analyze_until_done(ports: Ports, interval_s: float = ANALYZE_S) -> None:
    """Analyze new tables until all are done; afterwards autovacuum does it."""
    while True:
        try:
            if await analyze_new_tables(ports):
                return
        except Exception as error:
            log.warning("analyze_failed", error=type(error).__name__)
        await asyncio.sleep(interval_s)
