"""Wait with growing pauses, and log long waits; run blocking work to completion."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import structlog

log = structlog.get_logger()
T = TypeVar("T")

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.02, 0.25
FIRST_LOG_S, LOG_INTERVAL_S = 3.0, 10.0


class Waiting:
    """One wait, logged after three seconds and every ten seconds from then on."""

    def __init__(self, longest_pause_s: float = LONGEST_PAUSE_S) -> None:
        self._longest_pause_s = longest_pause_s
        self._began = time.monotonic()
        self._pause_s = FIRST_PAUSE_S
        self._next_log_s = FIRST_LOG_S

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self._began

    async def pause(self, event: str) -> None:
        if self.elapsed_s >= self._next_log_s:
            log.info(event, elapsed_s=round(self.elapsed_s))
            self._next_log_s += LOG_INTERVAL_S
        await asyncio.sleep(self._pause_s)
        self._pause_s = min(self._pause_s * 1.3, self._longest_pause_s)


async def run_to_completion(work: Callable[[], T]) -> T:
    """Run blocking work in a thread. Cancellation waits until it is done: threads cannot be
    stopped, and the lock that protects the work must not be released earlier."""
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        if not task.cancelled():
            # Mark the exception as retrieved, so that asyncio does not log it.
            task.exception()
        raise
