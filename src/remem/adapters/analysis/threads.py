"""Analysis in a thread of this process, for single-user programs."""

import asyncio
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from remem.adapters.analysis.deadline import Deadline
from remem.core.errors import AnalysisStopped, RememError
from remem.core.ports import Answer

# A call also ends after this many times its limit in wall-clock time.
WALL_FACTOR = 12


class ThreadAnalysis:
    """See core.ports.Analysis. A call that times out is abandoned, but keeps running."""

    def __init__(self, deadline: Deadline | None = None) -> None:
        self._deadline = deadline or Deadline()

    async def run(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        cpu_s = self._deadline.seconds(arguments)
        clock = _ThreadClock()
        running = asyncio.ensure_future(asyncio.to_thread(clock.call, function, *arguments))
        try:
            return await _within(cpu_s, clock, running)
        except RememError:
            raise
        except Exception as error:
            message = f"The analysis failed ({type(error).__name__})."
            raise AnalysisStopped(message, code="failed") from error

    async def close(self) -> None:
        """Nothing to close: threads end with the process."""


async def _within(cpu_s: float, clock: "_ThreadClock", running: asyncio.Future[Answer]) -> Answer:
    """Wait until the call ends or has used its processor time: a busy machine is no reason to stop
    it, but a call that waits forever is."""
    last_s = time.monotonic() + WALL_FACTOR * cpu_s
    while (left_s := min(cpu_s - clock.used_s(), last_s - time.monotonic())) > 0:
        done, _ = await asyncio.wait([running], timeout=left_s)
        if done:
            return running.result()
    running.cancel()
    raise AnalysisStopped(f"The analysis took longer than {cpu_s:,.0f} s.", code="deadline")


class _ThreadClock:
    """The processor time of a call in a thread; elapsed time on systems that do not count it."""

    def __init__(self) -> None:
        self._now: Callable[[], float] = time.monotonic
        self._started_s: float | None = None

    def call(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        if clock_of := getattr(time, "pthread_getcpuclockid", None):
            self._now = partial(time.clock_gettime, clock_of(threading.get_ident()))
        self._started_s = self._now()
        return function(*arguments)

    def used_s(self) -> float:
        return 0.0 if self._started_s is None else self._now() - self._started_s
