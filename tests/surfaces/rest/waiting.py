"""Wait for a fact, never for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
DEADLINE_S = 60


def until(fact: Callable[[], T | None]) -> T:
    """Ask again and again until the answer is true; fail when it never is."""
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        if found := fact():
            return found
    raise AssertionError(f"still not so after {DEADLINE_S} s")
