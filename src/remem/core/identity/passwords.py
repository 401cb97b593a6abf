"""Passwords: hashed by Argon2id on few threads of their own, and few may wait for one."""

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
# A hash takes 64 MB and every core for a moment, so that more at once would only slow the others.
THREADS = 2 if (os.cpu_count() or 1) > 2 else 1
WAITING_MOST = 16
_NICE = 5

_argon2 = PasswordHash.recommended()
Result = TypeVar("Result")


class PasswordPool:
    """Runs what is slow on purpose. Beyond `waiting` callers it refuses at once, so that no flood
    of sign-ins takes the memory, the processors or the threads that other requests need."""

    def __init__(self, threads: int = THREADS, waiting: int = WAITING_MOST) -> None:
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
        # Also when its caller has left: what was not begun by then is never begun.
        future.add_done_callback(self._leave)
        return await asyncio.wrap_future(future)

    def _leave(self, _: Future[Result]) -> None:
        with self._lock:
            self.pending -= 1


@cache
def pool() -> PasswordPool:
    return PasswordPool()


def _prepare_thread() -> None:
    """Give way to requests, where a thread can have a priority of its own. The hash for unknown
    accounts is made now, so that no later check takes longer because of it."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
    _hash_of_nobody()


async def hash_password(password: str, field: str = "password") -> str:
    check_password(password, field)
    return await pool().run(lambda: _argon2.hash(password))


def check_password(password: str, field: str) -> None:
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        raise Invalid(field, f"use {PASSWORD_MIN} to {PASSWORD_MAX:,} characters")


async def password_matches(password: str, hashed: str | None) -> bool:
    """Takes as long for an unknown account as for a known one, so that time tells nothing."""
    given = password[:PASSWORD_MAX]
    matches = await pool().run(lambda: _argon2.verify(given, hashed or _hash_of_nobody()))
    return matches and hashed is not None


@cache
def _hash_of_nobody() -> str:
    return _argon2.hash("nobody's password")
