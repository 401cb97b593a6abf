"""Re-embed everything in this process, while other processes use the same store."""

import asyncio
from collections.abc import Callable
from typing import Any

from remem.core.errors import Conflict
from remem.core.ports import Ports
from remem.core.upkeep.reembed import count_remaining, delete_other_models, start_reembedding
from remem.surfaces.worker.run import work

CHECK_S = 0.3
DRAIN_S = 20


async def reembed_everything(
    ports: Ports,
    concurrency: int,
    again: bool,
    prune: bool,
    progress: Callable[[int, int | None], None],
) -> dict[str, Any]:
    """Queue the jobs, work on them, and return when they are done."""
    tenants = await start_reembedding(ports, again)
    total, _ = await count_remaining(ports)
    working = asyncio.create_task(work(ports, concurrency))
    try:
        await _wait_until_done(ports, working, total, progress)
    finally:
        ports.queue.drain()
        await asyncio.wait([working], timeout=DRAIN_S)
        working.cancel()
    if prune:
        await delete_other_models(ports)
    return {"model": ports.embedder.model, "embedded": total, "tenants": tenants, "pruned": prune}


async def _wait_until_done(
    ports: Ports,
    working: asyncio.Task[None],
    total: int,
    progress: Callable[[int, int | None], None],
) -> None:
    while True:
        remaining, jobs = await count_remaining(ports)
        progress(total - remaining, total)
        if not remaining and not jobs:
            return
        if remaining and not jobs and await _is_stuck(ports):
            raise Conflict(
                f"{remaining} texts have no vector and no job is working on them: a job failed"
                " (`remem jobs --status failed`), or a server with another embedding model took it;"
                " restart that server and begin again."
            )
        if working.done():
            working.result()
        await asyncio.sleep(CHECK_S)


async def _is_stuck(ports: Ports) -> bool:
    """Whether texts remain without a job. Checked twice, because a job may end in between."""
    remaining, jobs = await count_remaining(ports)
    return bool(remaining and not jobs)
