"""Wait for a fact, never for a time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
DEADLINE_S = 120
# Between two questions, so that what is waited for has the processor. What takes long is asked less
# often: a tenth of the time is soon enough.
PAUSE_S = 0.02
LONGEST_PAUSE_S = 0.1
PAUSES = 10


def until(
    fact: Callable[[], T | None],
    *,
    deadline_s: float = DEADLINE_S,
    what: Callable[[], str] = str,
) -> T:
    """Ask again and again until the answer is true; fail when it never is, and say `what`."""
    began = time.monotonic()
    while time.monotonic() < began + deadline_s:
        if found := fact():
            return found
        time.sleep(_pause_s(began))
    raise AssertionError(f"still not so after {deadline_s} s {what()}")


async def until_so(fact: Callable[[], Awaitable[T | None]], deadline_s: float = DEADLINE_S) -> T:
    """The same for an answer that is awaited."""
    began = time.monotonic()
    while time.monotonic() < began + deadline_s:
        if found := await fact():
            return found
        await asyncio.sleep(_pause_s(began))
    raise AssertionError(f"still not so after {deadline_s} s")


def _pause_s(began: float) -> float:
    return min(max((time.monotonic() - began) / PAUSES, PAUSE_S), LONGEST_PAUSE_S)
