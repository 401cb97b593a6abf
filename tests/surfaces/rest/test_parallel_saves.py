"""Many saves of one user at once, while another process holds the lock of their project."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import httpx2
import pytest

from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person, Server
from tests.tools.waiting import until_async

pytestmark = pytest.mark.anyio
SAVES = 60
PATIENCE_S = 10
LOCK = "SELECT FROM projects WHERE tenant_id = $1 FOR UPDATE"


def save_memory(http: httpx2.Client, number: int) -> httpx2.Response:
    content = f"The code of door number {number} is {4_000 + number}."
    return http.post("/api/memories", json={"content": content})


def save_document(http: httpx2.Client, number: int) -> httpx2.Response:
    return http.post("/v3/memory", json={"content": f"Note {number}: we met at the lake."})


@pytest.mark.parametrize("save", [save_memory, save_document])
async def test_parallel_saves_stop_nobody_else(
    server: Server, ports: Ports, person: Person, stranger: Person, save: Any
) -> None:
    assert save(person.http, SAVES).is_success
    scope = Scope(tenant_id=person.tenant_id, user_id=person.user_id)  # type: ignore[arg-type]
    limits = httpx2.Limits(max_connections=SAVES)
    headers = {"Authorization": f"Bearer {person.key}"}
    with (
        httpx2.Client(
            base_url=server.url, headers=headers, timeout=120, limits=limits, verify=False
        ) as http,
        ThreadPoolExecutor(SAVES) as threads,
    ):
        async with ports.db.transaction(scope) as tx:
            await tx.execute(LOCK)
            running = [threads.submit(partial(save, http, number)) for number in range(SAVES)]

            async def saves_wait() -> bool:
                query = "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted"
                return await tx.system.fetchval(query) >= 1

            await until_async(saves_wait)
            begin = time.monotonic()
            for _ in range(10):
                reply = stranger.http.get("/v3/documents", timeout=PATIENCE_S)
                assert reply.status_code == 200
                reply = stranger.http.post(
                    "/api/memories",
                    json={"content": f"Mara moved to Graz at {time.monotonic()}."},
                    timeout=PATIENCE_S,
                )
                assert reply.status_code == 201
            # The user's own reading goes on too.
            assert person.http.get("/v3/documents", timeout=PATIENCE_S).status_code == 200
            assert time.monotonic() < begin + PATIENCE_S
        assert [future.result().status_code for future in running] == [201] * SAVES
