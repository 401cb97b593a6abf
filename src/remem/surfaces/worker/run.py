"""Run jobs until stopped."""

import asyncio
import signal

from remem.core.ports import Ports
from remem.surfaces.worker.clock import analyze_until_done, keep_time, schedule_connections
from remem.surfaces.worker.jobs import handlers


async def work(ports: Ports, concurrency: int) -> None:
    every = (keep_time, analyze_until_done, schedule_connections)
    clocks = [asyncio.create_task(keep(ports)) for keep in every]
    try:
        await ports.queue.work(handlers(ports), concurrency=concurrency)
    finally:
        for clock in clocks:
            clock.cancel()
        await asyncio.wait(clocks)


async def work_until_signalled(ports: Ports, concurrency: int) -> None:
    """A first signal lets running jobs finish."""
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, ports.queue.drain)
    await work(ports, concurrency)
