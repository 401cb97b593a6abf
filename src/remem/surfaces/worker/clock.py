"""What is done by the clock: beside the queue, in every worker, safe with many of them."""

import asyncio

import structlog

from remem.core.identity.clients.register import forget_clients
from remem.core.identity.sweep import sweep_past
from remem.core.ports import Ports
from remem.core.upkeep.analyze import analyze_new_tables
from remem.core.upkeep.expire import schedule_forgetting

EVERY_S = 3_600
FIRST_S = 30
ANALYZE_S = 2

log = structlog.get_logger()


async def keep_time(ports: Ports, first_s: float = FIRST_S, every_s: float = EVERY_S) -> None:
    """Until cancelled. An hour that fails is told and made up for by the next."""
    await asyncio.sleep(first_s)
    while True:
        try:
            count = await schedule_forgetting(ports)
            log.info("forgetting_scheduled", tenants=count)
            await sweep_past(ports)
            await forget_clients(ports)
        except Exception as error:
            log.warning("clock_failed", error=type(error).__name__)
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
