"""Pauses that begin short and grow, with a word to the log when they add up."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import structlog

log = structlog.get_logger()
T = TypeVar("T")

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.02, 0.25
FIRST_WORD_S, NEXT_WORD_S = 3.0, 10.0


class Waiting:
    """One wait; it is logged after three seconds."""

    def __init__(self, longest_pause_s: float = LONGEST_PAUSE_S) -> None:
        self._longest_pause_s = longest_pause_s
        self._began = time.monotonic()
        self._pause_s = FIRST_PAUSE_S
        self._word_due_s = FIRST_WORD_S

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self._began

    async def pause(self, event: str) -> None:
        if self.elapsed_s >= self._word_due_s:
            log.info(event, elapsed_s=round(self.elapsed_s))
            self._word_due_s += NEXT_WORD_S
        await asyncio.sleep(self._pause_s)
        self._pause_s = min(self._pause_s * 1.3, self._longest_pause_s)


async def to_the_end(work: Callable[[], T]) -> T:
    """Run blocking work in a thread. A cancellation waits for it: threads cannot be stopped, and
    the lock that guards the work must not be let go before it is done."""
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        if not task.cancelled():
            # Retrieved, or its traceback would be printed.
            task.exception()
        raise
