"""Hash and verify passwords with Argon2id, on a few threads of their own with a short queue."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from pwdlib import PasswordHash

from remem.core.errors import Invalid, Unavailable

PASSWORD_MIN, PASSWORD_MAX = 8, 1_000
# A hash takes 64 MB and every core for a moment, so more threads would only slow each other down.
THREADS = 2 if (os.cpu_count() or 1) > 2 else 1
MAX_WAITING = 16
_NICE = 5

_argon2 = PasswordHash.recommended()
Result = TypeVar("Result")


class PasswordPool:
    """Run deliberately slow work. With more than `waiting` callers in the queue, it refuses at
    once, so that a flood of sign-ins does not take the memory, processors and threads that other
    requests need."""

    def __init__(self, threads: int = THREADS, waiting: int = MAX_WAITING) -> None:
        self._executor = ThreadPoolExecutor(threads, "password", _prepare_thread)
        self._room = threads + waiting
        self._lock = threading.Lock()
        self.pending = 0

    async def run(self, work: Callable[[], Result]) -> Result:
        with self._lock:
            if self.pending >= self._room:
                raise Unavailable(
                    "Too many passwords are being checked now; try again shortly.", code="busy"
                )
            self.pending += 1
        future = self._executor.submit(work)
        # Also runs when the caller is cancelled: work that has not started then never starts.
        future.add_done_callback(self._leave)
        return await asyncio.wrap_future(future)

    def _leave(self, _: Future[Result]) -> None:
        with self._lock:
            self.pending -= 1


@cache
def pool() -> PasswordPool:
    return PasswordPool()


def _prepare_thread() -> None:
    """Lower the thread's priority, where threads have one. Compute the hash for unknown accounts
    now, so that no later check takes longer because of it."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
    _dummy_hash()


async def hash_password(password: str, field: str = "password") -> str:
    check_password(password, field)
    return await pool().run(lambda: _argon2.hash(password))


def check_password(password: str, field: str) -> None:
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        raise Invalid(field, f"use {PASSWORD_MIN} to {PASSWORD_MAX:,} characters")


async def password_matches(password: str, hashed: str | None) -> bool:
    """Verify a password. An unknown account takes as long, so that timing reveals nothing."""
    candidate = password[:PASSWORD_MAX]
    matches = await pool().run(lambda: _argon2.verify(candidate, hashed or _dummy_hash()))
    return matches and hashed is not None


@cache
def _dummy_hash() -> str:
    return _argon2.hash("nobody's password")
