"""Run jobs until stopped."""

import asyncio
import os
import signal
from contextlib import suppress

from remem.core.connections.listen import listen_to_services
from remem.core.ports import Ports
from remem.surfaces.worker.clock import (
    analyze_until_done,
    complete_vector_copy,
    keep_time,
    schedule_connections,
)
from remem.surfaces.worker.jobs import BACKGROUND, handlers

NICENESS = 5


async def work(ports: Ports, concurrency: int) -> None:
    every = (
        keep_time,
        analyze_until_done,
        schedule_connections,
        listen_to_services,
        complete_vector_copy,
    )
    clocks = [asyncio.create_task(keep(ports)) for keep in every]
    try:
        await ports.queue.work(handlers(ports), concurrency=concurrency, background=BACKGROUND)
    finally:
        for clock in clocks:
            clock.cancel()
        await asyncio.wait(clocks)


def _lower_priority() -> None:
    """Where nobody may, or the system has no such thing, jobs run as they do otherwise."""
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)


async def work_until_signalled(ports: Ports, concurrency: int) -> None:
    """A first signal lets running jobs finish. Requests that other processes answer go first."""
    _lower_priority()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, ports.queue.drain)
    await work(ports, concurrency)
