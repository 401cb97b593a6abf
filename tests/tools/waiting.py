"""Wait for a fact, never for a time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
DEADLINE_S = 120
# Between two questions, so that what is waited for has the processor.
PAUSE_S = 0.02


def until(
    fact: Callable[[], T | None],
    *,
    deadline_s: float = DEADLINE_S,
    what: Callable[[], str] = str,
) -> T:
    """Ask again and again until the answer is true; fail when it never is, and say `what`."""
    deadline = time.monotonic() + deadline_s
    while time.monotonic() < deadline:
        if found := fact():
            return found
        time.sleep(PAUSE_S)
    raise AssertionError(f"still not so after {deadline_s} s {what()}")


async def until_so(fact: Callable[[], Awaitable[T | None]], deadline_s: float = DEADLINE_S) -> T:
    """The same for an answer that is awaited."""
    deadline = time.monotonic() + deadline_s
    while time.monotonic() < deadline:
        if found := await fact():
            return found
        await asyncio.sleep(PAUSE_S)
    raise AssertionError(f"still not so after {deadline_s} s")
