"""Wait for a condition, never for a fixed time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
DEADLINE_S = 120
# The pause between two checks, which leaves the CPU to the code that is waited for. Long waits are
# checked less often: noticing the end after another tenth of the time is soon enough.
PAUSE_S = 0.02
LONGEST_PAUSE_S = 0.1
PAUSES = 10


def until(
    condition: Callable[[], T | None],
    *,
    deadline_s: float = DEADLINE_S,
    what: Callable[[], str] = str,
) -> T:
    """Call `condition` until its result is true, and return it. Fail after the deadline, with the
    text of `what`."""
    start = time.monotonic()
    while time.monotonic() < start + deadline_s:
        if result := condition():
            return result
        time.sleep(_pause_s(start))
    raise AssertionError(f"still not so after {deadline_s} s {what()}")


async def until_async(
    condition: Callable[[], Awaitable[T | None]], deadline_s: float = DEADLINE_S
) -> T:
    """The same for an async condition."""
    start = time.monotonic()
    while time.monotonic() < start + deadline_s:
        if result := await condition():
            return result
        await asyncio.sleep(_pause_s(start))
    raise AssertionError(f"still not so after {deadline_s} s")


def _pause_s(start: float) -> float:
    return min(max((time.monotonic() - start) / PAUSES, PAUSE_S), LONGEST_PAUSE_S)
