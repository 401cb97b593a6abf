"""The cache: gives what was put while it lasts, never more than it has room for, never an error."""

import random
from collections.abc import Callable, Iterator

import pytest
import time_machine

from remem.adapters.cache.memory import ENTRY_BYTES, MemoryCache
from remem.core.ports import Cache

pytestmark = pytest.mark.anyio

ROOM_BYTES = 20_000


@pytest.fixture(params=[MemoryCache])
def make(request: pytest.FixtureRequest) -> Callable[[int], Cache]:
    return request.param


@pytest.fixture
def cache(make: Callable[[int], Cache]) -> Cache:
    return make(ROOM_BYTES)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[float], None]]:
    """Lets seconds pass at once."""
    passed = [0.0]
    with time_machine.travel(0, tick=False) as traveller:
        monkeypatch.setattr("remem.adapters.cache.memory.time.monotonic", lambda: passed[0])

        def let(seconds: float) -> None:
            passed[0] += seconds
            traveller.shift(seconds)

        yield let


async def test_what_was_put_is_given(cache: Cache) -> None:
    await cache.put("a", b"one", 60)
    await cache.put("b", b"\x00\xff", 60)
    assert await cache.get("a") == b"one"
    assert await cache.get("b") == b"\x00\xff"
    assert await cache.get("c") is None


async def test_an_empty_value_is_a_value(cache: Cache) -> None:
    await cache.put("a", b"", 60)
    assert await cache.get("a") == b""


async def test_putting_again_replaces(cache: Cache) -> None:
    await cache.put("a", b"one", 60)
    await cache.put("a", b"two", 60)
    assert await cache.get("a") == b"two"


async def test_it_lasts_as_long_as_was_said(cache: Cache, clock: Callable[[float], None]) -> None:
    await cache.put("short", b"one", 10)
    await cache.put("long", b"two", 300)
    clock(9.9)
    assert await cache.get("short") == b"one"
    clock(0.2)
    assert await cache.get("short") is None
    assert await cache.get("long") == b"two"
    clock(300)
    assert await cache.get("long") is None


async def test_putting_again_begins_its_time_anew(
    cache: Cache, clock: Callable[[float], None]
) -> None:
    await cache.put("a", b"one", 10)
    clock(9)
    await cache.put("a", b"two", 10)
    clock(9)
    assert await cache.get("a") == b"two"


@pytest.mark.parametrize("ttl_s", [0, -1, -1e300, float("-inf"), float("nan")])
async def test_what_is_over_already_is_not_kept(cache: Cache, ttl_s: float) -> None:
    await cache.put("a", b"old", 60)
    await cache.put("a", b"new", ttl_s)
    assert await cache.get("a") is None, "nor is what it was to replace"


async def kept(cache: Cache, keys: list[str]) -> list[str]:
    return [key for key in keys if await cache.get(key) is not None]


async def test_it_takes_no_more_room_than_it_has(cache: Cache) -> None:
    keys = [f"k{n}" for n in range(100)]
    for key in keys:
        await cache.put(key, bytes(1_000), 60)
    assert 5 <= len(await kept(cache, keys)) <= ROOM_BYTES // 1_000


@pytest.mark.parametrize("value", [b"", b"[]"])
async def test_small_values_take_room_as_well(cache: Cache, value: bytes) -> None:
    """Answers that found nothing are the smallest there are, and each has an entry."""
    keys = [f"k{n}" for n in range(2_000)]
    for key in keys:
        await cache.put(key, value, 60)
    assert len(await kept(cache, keys)) <= ROOM_BYTES // ENTRY_BYTES


async def test_a_value_that_has_no_room_is_not_kept_and_drives_nothing_out(cache: Cache) -> None:
    await cache.put("small", b"one", 60)
    await cache.put("big", bytes(ROOM_BYTES + 1), 60)
    assert await cache.get("big") is None
    assert await cache.get("small") == b"one"


async def test_the_least_used_goes_first(cache: Cache) -> None:
    await cache.put("used", bytes(5_000), 60)
    await cache.put("unused", bytes(5_000), 60)
    await cache.get("used")
    for n in range(2):
        await cache.put(f"new{n}", bytes(5_000), 60)
    assert await kept(cache, ["used", "unused", "new0", "new1"]) == ["used", "new0", "new1"]


async def test_room_is_given_back(cache: Cache, clock: Callable[[float], None]) -> None:
    """Through replacing, dropping and the passing of time, the count of what is taken is right."""
    dice = random.Random(7)
    for _ in range(2_000):
        key = f"k{dice.randrange(20)}"
        if dice.random() < 0.6:
            await cache.put(key, bytes(dice.randrange(3_000)), dice.choice([0, 5, 50]))
        await cache.get(key)
        clock(dice.random())
    clock(100)
    keys = [f"k{n}" for n in range(20)]
    assert await kept(cache, keys) == []
    for key in keys[:6]:
        await cache.put(key, bytes(3_000), 60)
    assert await kept(cache, keys) == keys[:6]


async def test_closing_forgets_and_may_be_done_twice(cache: Cache) -> None:
    await cache.put("a", b"one", 60)
    await cache.close()
    await cache.close()
    assert await cache.get("a") is None


@pytest.mark.parametrize("key", ["", "k" * 100_000, "ключ", "\x00", "a b\n"])
@pytest.mark.parametrize("ttl_s", [1e-9, 1e300, float("inf")])
async def test_nothing_makes_it_raise(cache: Cache, key: str, ttl_s: float) -> None:
    await cache.put(key, b"one", ttl_s)
    assert await cache.get(key) in (b"one", None)
