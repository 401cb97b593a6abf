"""Passwords are checked by a small pool of threads with a short queue."""

import asyncio
import subprocess
import sys
import threading

import pytest

from remem.core.errors import Unavailable
from remem.core.identity import passwords
from remem.core.identity.passwords import PasswordPool, hash_password, password_matches, pool

pytestmark = pytest.mark.anyio


class BlockedWork:
    """Work that blocks until it is released, and counts how many calls run at the same time."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.running = self.max_running = 0
        self._lock = threading.Lock()

    def __call__(self) -> str:
        with self._lock:
            self.running += 1
            self.max_running = max(self.max_running, self.running)
        self.released.wait(60)
        with self._lock:
            self.running -= 1
        return "done"


async def until_pending(pool: PasswordPool, count: int) -> None:
    while pool.pending != count:
        await asyncio.sleep(0)


async def test_a_flood_is_refused_at_once_and_blocks_no_other_threads() -> None:
    small, blocked = PasswordPool(threads=2, waiting=3), BlockedWork()
    flood = [asyncio.create_task(small.run(blocked)) for _ in range(30)]
    await until_pending(small, 5)
    # The default thread pool is free, although this one is full.
    assert await asyncio.gather(*(asyncio.to_thread(int, "7") for _ in range(64))) == [7] * 64
    refused = [task for task in flood if task.done()]
    assert len(refused) == 25
    for task in refused:
        error = task.exception()
        assert isinstance(error, Unavailable) and error.code == "busy"
    while blocked.running < 2:
        await asyncio.sleep(0)
    blocked.released.set()
    assert [await task for task in flood if task not in refused] == ["done"] * 5
    assert blocked.max_running == 2
    await until_pending(small, 0)
    assert await small.run(lambda: "again") == "again"


async def test_a_cancelled_check_leaves_the_queue() -> None:
    small, blocked = PasswordPool(threads=1, waiting=1), BlockedWork()
    first, second = (asyncio.create_task(small.run(blocked)) for _ in range(2))
    await until_pending(small, 2)
    second.cancel()
    await until_pending(small, 1)
    third = asyncio.create_task(small.run(blocked))
    await until_pending(small, 2)
    blocked.released.set()
    assert [await first, await third] == ["done", "done"]


async def test_hashing_and_checking_both_go_through_the_pool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hashed = await hash_password("correct horse")
    monkeypatch.setattr(pool(), "_room", 0)
    for work in (
        hash_password("correct horse"),
        password_matches("correct horse", hashed),
        password_matches("correct horse", None),
    ):
        with pytest.raises(Unavailable):
            await work


async def test_an_unknown_account_is_checked_against_a_hash_of_the_same_cost() -> None:
    """The hash contains the cost parameters of Argon2: memory, passes and lanes."""
    known = (await hash_password("correct horse")).split("$")
    unknown = passwords._dummy_hash().split("$")
    assert known[1:4] == unknown[1:4]
    assert len(known[5]) == len(unknown[5])


def test_a_hash_costs_what_rfc_9106_recommends() -> None:
    """64 MiB, three passes, four lanes; in a separate process, since tests use cheaper hashes."""
    program = "from remem.core.identity.passwords import _dummy_hash as h; print(h())"
    hashed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert hashed.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
