"""Passwords are checked by few threads of their own, and few wait for them."""

import asyncio
import subprocess
import sys
import threading

import pytest

from remem.core.errors import Unavailable
from remem.core.identity import passwords
from remem.core.identity.passwords import PasswordPool, hash_password, password_matches, pool

pytestmark = pytest.mark.anyio


class Held:
    """Work that runs until it is let go, and counts how much of it runs at once."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.running = self.most = 0
        self._lock = threading.Lock()

    def __call__(self) -> str:
        with self._lock:
            self.running += 1
            self.most = max(self.most, self.running)
        self.go.wait(60)
        with self._lock:
            self.running -= 1
        return "done"


async def until_pending(pool: PasswordPool, count: int) -> None:
    while pool.pending != count:
        await asyncio.sleep(0)


async def test_a_flood_is_refused_at_once_and_holds_no_thread_of_others() -> None:
    small, held = PasswordPool(threads=2, waiting=3), Held()
    flood = [asyncio.create_task(small.run(held)) for _ in range(30)]
    await until_pending(small, 5)
    # What everything else runs on is free, although every place here is taken.
    assert await asyncio.gather(*(asyncio.to_thread(int, "7") for _ in range(64))) == [7] * 64
    refused = [task for task in flood if task.done()]
    assert len(refused) == 25
    for task in refused:
        error = task.exception()
        assert isinstance(error, Unavailable) and error.code == "busy"
    while held.running < 2:
        await asyncio.sleep(0)
    held.go.set()
    assert [await task for task in flood if task not in refused] == ["done"] * 5
    assert held.most == 2
    await until_pending(small, 0)
    assert await small.run(lambda: "again") == "again"


async def test_who_leaves_the_queue_makes_room_in_it() -> None:
    small, held = PasswordPool(threads=1, waiting=1), Held()
    first, second = (asyncio.create_task(small.run(held)) for _ in range(2))
    await until_pending(small, 2)
    second.cancel()
    await until_pending(small, 1)
    third = asyncio.create_task(small.run(held))
    await until_pending(small, 2)
    held.go.set()
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
    """What Argon2 has to do stands in the hash: memory, passes and lanes."""
    known = (await hash_password("correct horse")).split("$")
    unknown = passwords._dummy_hash().split("$")
    assert known[1:4] == unknown[1:4]
    assert len(known[5]) == len(unknown[5])


def test_a_hash_costs_what_rfc_9106_recommends() -> None:
    """64 MiB, three passes, four lanes; in a process of its own, since tests hash for less."""
    program = "from remem.core.identity.passwords import _dummy_hash as h; print(h())"
    hashed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert hashed.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
