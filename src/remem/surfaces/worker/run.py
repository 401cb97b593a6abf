"""Run jobs until stopped."""

import asyncio
import os
import signal
from contextlib import suppress

from remem.core.connections.listen import listen_to_services
from remem.core.ports import Ports
from remem.surfaces.worker.clock import (
    analyze_until_done,
    back_up_nightly,
    complete_vector_copy,
    index_headers,
    index_word_keys,
    move_vectors,
    repair_at_start,
    resume_at_the_limit,
    run_clock,
    schedule_connections,
    send_due,
)
from remem.surfaces.worker.jobs import BACKGROUND, handlers

NICENESS = 5


async def work(ports: Ports, concurrency: int) -> None:
    tasks = (
        run_clock,
        back_up_nightly,
        analyze_until_done,
        schedule_connections,
        send_due,
        listen_to_services,
        complete_vector_copy,
        repair_at_start,
        index_headers,
        move_vectors,
        index_word_keys,
        resume_at_the_limit,
    )
    running = [asyncio.create_task(start(ports)) for start in tasks]
    try:
        await ports.queue.work(handlers(ports), concurrency=concurrency, background=BACKGROUND)
    finally:
        for task in running:
            task.cancel()
        await asyncio.wait(running)


def _lower_priority() -> None:
    """Lower the priority, if the system supports and allows it."""
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)


async def work_until_signalled(ports: Ports, concurrency: int) -> None:
    """Work until a signal; the first one lets running jobs finish. Requests take precedence."""
    _lower_priority()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, ports.queue.drain)
    await work(ports, concurrency)
