"""Health: live whatever is down, ready only when all is up, without paid calls to providers."""

import asyncio
import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import httpx2
import psutil
import pytest

from remem.adapters.circuit import FIRST_PAUSE_S, Circuit
from remem.adapters.embedding.openai import OpenAIEmbedder
from remem.core.errors import Unavailable
from remem.surfaces.rest import readiness
from remem.surfaces.rest.health import _overall
from remem.surfaces.rest.readiness import FRESH_S, Readiness, check_disk
from tests.conftest import Server, start_server, stop_server
from tests.tools.external import EMBEDDED
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio


@contextmanager
def stopped_database(server: Server) -> Iterator[None]:
    """Suspend every process of the server's PostgreSQL, as SIGSTOP does."""
    postmasters = [
        process
        for process in psutil.process_iter(["name", "cmdline"])
        if str(server.data_dir) in " ".join(process.info["cmdline"] or [])
        and "postgres" in (process.info["name"] or "")
    ]
    assert postmasters
    stopped = [process for process in postmasters if process.pid != server.process.pid]
    try:
        # A suspended postmaster starts no more processes; those it has may end meanwhile.
        _suspend(stopped)
        stopped += [child for process in stopped for child in process.children(recursive=True)]
        _suspend(stopped)
        yield
    finally:
        for process in stopped:
            with suppress(psutil.NoSuchProcess):
                process.resume()


def _suspend(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.suspend()


def test_a_stopped_database_is_reported_and_the_process_stays_live(data_dir: Path) -> None:
    server = start_server(data_dir, **EMBEDDED)
    try:
        with httpx2.Client(base_url=server.url, timeout=120) as http:
            until(lambda: http.get("/health").status_code == 200)
            with stopped_database(server):
                until(lambda: http.get("/health").status_code == 503)
                for path in ("/health", "/health/ready"):
                    reply = http.get(path)
                    assert reply.status_code == 503
                    assert reply.json()["status"] == "unavailable"
                    assert reply.json()["checks"] == {
                        "database": "no answer",
                        "queue": "no answer",
                        "backups": "no answer",
                        "embedding": "ok",
                        "disk": "ok",
                    }
                live = http.get("/health/live").json()
                assert (live["status"], live["checks"]) == ("ok", {})
            until(lambda: http.get("/health").status_code == 200)
    finally:
        stop_server(server)


# Checks


async def test_a_hanging_check_runs_once_for_concurrent_requests() -> None:
    calls, release = 0, asyncio.Event()

    async def hang() -> None:
        nonlocal calls
        calls += 1
        await release.wait()

    async def succeed() -> None:
        return None

    readiness = Readiness({"hangs": hang, "well": succeed}, deadline_s=0.01)
    reports = await asyncio.gather(*(readiness.report() for _ in range(50)))
    assert reports == [{"hangs": "no answer", "well": "ok"}] * 50
    assert calls == 1
    release.set()
    readiness.close()


async def test_a_result_is_cached_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, now = 0, 100.0

    async def count() -> None:
        nonlocal calls
        calls += 1

    monkeypatch.setattr("remem.surfaces.rest.readiness.time.monotonic", lambda: now)
    readiness = Readiness({"counted": count})
    for _ in range(20):
        assert await readiness.report() == {"counted": "ok"}
    assert calls == 1
    now += FRESH_S
    await readiness.report()
    assert calls == 2


async def test_a_failure_is_reported_without_its_message() -> None:
    async def down() -> NoReturn:
        raise Unavailable("The database at 10.0.0.7 has the password swordfish.")

    async def broken() -> NoReturn:
        raise RuntimeError("swordfish")

    report = await Readiness({"down": down, "broken": broken}).report()
    assert report == {"down": "unavailable", "broken": "RuntimeError"}


# The embedder


async def test_a_health_check_never_calls_a_remote_embedder() -> None:
    requests = 0

    async def answer(request: httpx2.Request) -> httpx2.Response:
        nonlocal requests
        requests += 1
        return httpx2.Response(503)

    embedder = OpenAIEmbedder("http://127.0.0.1:9/v1", "key", "m", 2, waits_s=(0.0,))
    embedder._client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    await embedder.check()
    assert requests == 0
    with pytest.raises(Unavailable):
        await embedder.embed_query("what is asked anyway")
    requests_before = requests
    with pytest.raises(Unavailable):
        await embedder.check()
    assert requests == requests_before
    await embedder.close()


async def test_a_query_during_a_pause_is_refused_and_retried_in_the_background() -> None:
    now, is_down, release = time.monotonic(), True, asyncio.Event()

    async def answer(request: httpx2.Request) -> httpx2.Response:
        if is_down:
            return httpx2.Response(503)
        await release.wait()
        return httpx2.Response(200, json={"data": [{"index": 0, "embedding": [1.0, 0.0]}]})

    embedder = OpenAIEmbedder("http://127.0.0.1:9/v1", "key", "m", 2, waits_s=(0.0,) * 3)
    embedder.circuit = Circuit("embedding", clock=lambda: now)
    embedder._client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    with pytest.raises(Unavailable):
        await embedder.embed(["a text"])
    assert embedder.circuit.state().state == "paused"
    is_down, now = False, now + FIRST_PAUSE_S
    for _ in range(2):
        with pytest.raises(Unavailable, match="paused"):
            await embedder.embed_query("while the trial waits for its answer")
    release.set()
    assert embedder._trial
    await embedder._trial
    assert (await embedder.embed_query("again")).tolist() == [1.0, 0.0]
    await embedder.close()


@pytest.mark.parametrize(
    ("checks", "status"),
    [
        ({"database": "ok", "embedding": "ok"}, "ok"),
        ({"database": "ok", "embedding": "paused"}, "degraded"),
        ({"database": "ok", "llm": "failing"}, "degraded"),
        ({"database": "no answer", "embedding": "paused"}, "unavailable"),
        ({"database": "ok", "disk": "full"}, "unavailable"),
        ({"database": "ok", "embedding": "cannot_start"}, "unavailable"),
    ],
)
def test_a_provider_that_is_down_degrades_and_a_store_that_is_down_is_unavailable(
    checks: dict[str, str], status: str
) -> None:
    assert _overall(checks) == status


async def test_a_paused_provider_says_when_it_is_called_again() -> None:
    now = 1_000.0
    embedder = OpenAIEmbedder("http://127.0.0.1:9/v1", "key", "m", 2, waits_s=())
    embedder.circuit = Circuit("embedding", clock=lambda: now)
    readiness = Readiness({}, providers={"embedding": embedder})
    assert readiness.retry_in_s() == {}
    for _ in range(4):
        embedder.circuit.fail("status 500")
    now += 4
    assert readiness.retry_in_s() == {"embedding": round(FIRST_PAUSE_S - 4)}
    now += FIRST_PAUSE_S
    assert readiness.retry_in_s() == {}
    await embedder.close()


# The disk


def test_a_disk_with_free_space_is_ok(tmp_path: Path) -> None:
    assert check_disk([tmp_path], 1) is None
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_nearly_full_is_full(tmp_path: Path) -> None:
    assert check_disk([tmp_path], 2**62) == "full"


def test_a_disk_without_a_free_block_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stats = list(os.statvfs(tmp_path))
    stats[4] = 0  # f_bavail
    monkeypatch.setattr(readiness.os, "statvfs", lambda _: os.statvfs_result(stats))
    assert check_disk([tmp_path], 1) == "full"


@pytest.mark.parametrize(
    ("number", "state"),
    [
        (errno.ENOSPC, "full"),
        (errno.EDQUOT, "full"),
        (errno.EROFS, "read_only"),
        (errno.EIO, "OSError"),
    ],
)
def test_a_failed_write_is_reported(
    number: int, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any, **options: Any) -> NoReturn:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(readiness.tempfile, "TemporaryFile", refuse)
    assert check_disk([tmp_path], 1) == state


def test_a_server_on_a_full_disk_says_so(data_dir: Path) -> None:
    server = start_server(data_dir, REMEM_MIN_FREE_BYTES=str(2**62))
    try:
        reply = httpx2.get(f"{server.url}/health")
        assert (reply.status_code, reply.json()["checks"]["disk"]) == (503, "full")
        assert httpx2.get(f"{server.url}/health/live").status_code == 200
    finally:
        stop_server(server)
