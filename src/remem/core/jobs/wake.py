"""Run jobs that wait for an unavailable service as soon as it is back, not when they are due."""

import asyncio
from functools import partial

import structlog

from remem.core.ports import Queue
from remem.core.providers import WatchedCalls

log = structlog.get_logger()


class JobWaker:
    """Wakes waiting jobs. When a pause of calls is over, it starts one of them as a trial; when a
    call succeeds, it starts all of them."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._tasks: set[asyncio.Task[None]] = set()

    def watch(self, service: WatchedCalls) -> None:
        service.on_opened = partial(self._opened, service.provider)
        service.on_closed = partial(self._start, service.provider, None, 0.0)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _opened(self, name: str, pause_s: float) -> None:
        self._start(name, 1, pause_s)

    def _start(self, name: str, limit: int | None, after_s: float) -> None:
        task = asyncio.get_running_loop().create_task(self._wake(name, limit, after_s))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _wake(self, name: str, limit: int | None, after_s: float) -> None:
        await asyncio.sleep(after_s)
        try:
            woken = await self._queue.wake(name, limit)
        except Exception as error:
            # The jobs run a little later anyway, when they are due.
            log.warning("jobs_not_woken", service=name, error=type(error).__name__)
            return
        if woken:
            log.info("jobs_woken", service=name, count=woken)
