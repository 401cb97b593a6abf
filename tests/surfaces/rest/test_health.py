"""Health: alive whatever is down, ready only when everything is, and never at somebody's cost."""

import asyncio
import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import httpx2
import psutil
import pytest

from remem.adapters.circuit import FIRST_PAUSE_S, Circuit
from remem.adapters.embedding.openai import OpenAIEmbedder
from remem.core.errors import Unavailable
from remem.surfaces.rest import disk
from remem.surfaces.rest.disk import check_disk
from remem.surfaces.rest.health import _overall
from remem.surfaces.rest.readiness import FRESH_S, Readiness
from tests.conftest import Server, start_server, stop_server
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio


@contextmanager
def stopped_database(server: Server) -> Iterator[None]:
    """Every process of the server's PostgreSQL, stopped as by SIGSTOP."""
    postmasters = [
        process
        for process in psutil.process_iter(["name", "cmdline"])
        if str(server.data_dir) in " ".join(process.info["cmdline"] or [])
        and "postgres" in (process.info["name"] or "")
    ]
    assert postmasters
    database = {*postmasters, *(c for p in postmasters for c in p.children(recursive=True))}
    stopped = [process for process in database if process.pid != server.process.pid]
    for process in stopped:
        process.suspend()
    try:
        yield
    finally:
        for process in stopped:
            process.resume()


def test_a_database_that_stopped_is_told_and_the_process_lives(data_dir: Path) -> None:
    server = start_server(data_dir)
    try:
        with httpx2.Client(base_url=server.url, timeout=30) as http:
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
                        "embedding": "ok",
                        "disk": "ok",
                    }
                live = http.get("/health/live").json()
                assert (live["status"], live["checks"]) == ("ok", {})
            until(lambda: http.get("/health").status_code == 200)
    finally:
        stop_server(server)


# Checks


async def test_a_check_that_hangs_is_asked_once_however_many_ask() -> None:
    asked, go = 0, asyncio.Event()

    async def hang() -> None:
        nonlocal asked
        asked += 1
        await go.wait()

    async def well() -> None:
        return None

    readiness = Readiness({"hangs": hang, "well": well}, deadline_s=0.01)
    reports = await asyncio.gather(*(readiness.report() for _ in range(50)))
    assert reports == [{"hangs": "no answer", "well": "ok"}] * 50
    assert asked == 1
    go.set()
    readiness.close()


async def test_a_result_is_kept_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, now = 0, 100.0

    async def count() -> None:
        nonlocal asked
        asked += 1

    monkeypatch.setattr("remem.surfaces.rest.readiness.time.monotonic", lambda: now)
    readiness = Readiness({"counted": count})
    for _ in range(20):
        assert await readiness.report() == {"counted": "ok"}
    assert asked == 1
    now += FRESH_S
    await readiness.report()
    assert asked == 2


async def test_what_goes_wrong_is_told_in_a_word() -> None:
    async def down() -> NoReturn:
        raise Unavailable("The database at 10.0.0.7 has the password swordfish.")

    async def broken() -> NoReturn:
        raise RuntimeError("swordfish")

    found = await Readiness({"down": down, "broken": broken}).report()
    assert found == {"down": "unavailable", "broken": "RuntimeError"}


# The embedder


async def test_a_remote_embedder_is_never_called_to_see_whether_it_is_there() -> None:
    called = 0

    async def answer(request: httpx2.Request) -> httpx2.Response:
        nonlocal called
        called += 1
        return httpx2.Response(503)

    embedder = OpenAIEmbedder("http://127.0.0.1:9/v1", "key", "m", 2, waits_s=(0.0,))
    embedder._client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    await embedder.check()
    assert called == 0
    with pytest.raises(Unavailable):
        await embedder.embed_query("what is asked anyway")
    paid = called
    with pytest.raises(Unavailable):
        await embedder.check()
    assert called == paid
    await embedder.close()


async def test_a_query_during_a_pause_is_refused_at_once_and_tries_in_the_background() -> None:
    now, down, waiting = time.monotonic(), True, asyncio.Event()

    async def answer(request: httpx2.Request) -> httpx2.Response:
        if down:
            return httpx2.Response(503)
        await waiting.wait()
        return httpx2.Response(200, json={"data": [{"index": 0, "embedding": [1.0, 0.0]}]})

    embedder = OpenAIEmbedder("http://127.0.0.1:9/v1", "key", "m", 2, waits_s=(0.0,) * 3)
    embedder.circuit = Circuit("embedding", clock=lambda: now)
    embedder._client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    with pytest.raises(Unavailable):
        await embedder.embed(["a text"])
    assert embedder.circuit.state().state == "paused"
    down, now = False, now + FIRST_PAUSE_S
    for _ in range(2):
        with pytest.raises(Unavailable, match="paused"):
            await embedder.embed_query("while the trial waits for its answer")
    waiting.set()
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
def test_a_provider_that_is_down_degrades_and_the_store_decides(
    checks: dict[str, str], status: str
) -> None:
    assert _overall(checks) == status


# The disk


def test_a_disk_with_room_is_well(tmp_path: Path) -> None:
    assert check_disk([tmp_path], 1) is None
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_nearly_full_is_full(tmp_path: Path) -> None:
    assert check_disk([tmp_path], 2**62) == "full"


def test_a_disk_without_a_free_block_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list(os.statvfs(tmp_path))
    found[4] = 0  # f_bavail
    monkeypatch.setattr(disk.os, "statvfs", lambda _: os.statvfs_result(found))
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
def test_an_attempt_to_write_tells_what_figures_do_not(
    number: int, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any, **options: Any) -> NoReturn:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(disk.tempfile, "TemporaryFile", refuse)
    assert check_disk([tmp_path], 1) == state


def test_a_server_on_a_full_disk_says_so(data_dir: Path) -> None:
    server = start_server(data_dir, REMEM_MIN_FREE_BYTES=str(2**62))
    try:
        reply = httpx2.get(f"{server.url}/health")
        assert (reply.status_code, reply.json()["checks"]["disk"]) == (503, "full")
        assert httpx2.get(f"{server.url}/health/live").status_code == 200
    finally:
        stop_server(server)
