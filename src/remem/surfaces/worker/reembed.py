"""Re-embed everything from this process, while other processes use the same store."""

import asyncio
from collections.abc import Callable
from typing import Any

from remem.core.errors import Conflict
from remem.core.ports import Ports
from remem.core.upkeep.reembed import begin_reembedding, keep_only_this_model, left_to_embed
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
    """Queue what is to do, work on it, and come back when it is done."""
    tenants = await begin_reembedding(ports, again)
    total, _ = await left_to_embed(ports)
    working = asyncio.create_task(work(ports, concurrency))
    try:
        await _until_done(ports, working, total, progress)
    finally:
        ports.queue.drain()
        await asyncio.wait([working], timeout=DRAIN_S)
        working.cancel()
    if prune:
        await keep_only_this_model(ports)
    return {"model": ports.embedder.model, "embedded": total, "tenants": tenants, "pruned": prune}


async def _until_done(
    ports: Ports,
    working: asyncio.Task[None],
    total: int,
    progress: Callable[[int, int | None], None],
) -> None:
    while True:
        left, jobs = await left_to_embed(ports)
        progress(total - left, total)
        if not left and not jobs:
            return
        if left and not jobs and await _is_stuck(ports):
            raise Conflict(
                f"{left} texts have no vector and no job is at them: a job failed (`remem jobs"
                " --status failed`), or a server with another embedding model took it; restart"
                " that server and begin again."
            )
        if working.done():
            working.result()
        await asyncio.sleep(CHECK_S)


async def _is_stuck(ports: Ports) -> bool:
    """Seen twice: a job may have begun and ended between the two counts."""
    left, jobs = await left_to_embed(ports)
    return bool(left and not jobs)
