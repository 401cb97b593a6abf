"""Two servers and two workers on one database; one of each is killed under load."""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path

import asyncpg
import httpx2
import pytest

from remem.adapters.database.embedded import EmbeddedPostgres
from remem.migrations.apply import migrate
from tests.conftest import Person, Server, new_person, start_server, stop_server
from tests.e2e.test_kill import Saver, check, kill_alone
from tests.surfaces.rest.test_live import events
from tests.tools.preloaded import remem_process

SAVES = 24
# The default limit is 100 requests in a minute.
PARALLEL = 80
PATIENCE_S = 10


def test_acknowledged_saves_survive_and_are_stored_once(data_dir: Path) -> None:
    shared = {"REMEM_DISTIL": "false"}
    servers = [start_server(data_dir, REMEM_WORKER="false", **shared) for _ in range(2)]
    settings = {"REMEM_DATA_DIR": str(data_dir), "REMEM_LOG_LEVEL": "error"}
    env = {**os.environ, **settings, **shared}
    workers = [remem_process("worker", env=env) for _ in range(2)]
    killed, surviving = (Saver(server) for server in servers)
    killed.kill_after = 10
    with ThreadPoolExecutor(4) as clients:
        futures = [clients.submit(killed.save, number) for number in range(SAVES)]
        futures += [clients.submit(surviving.save, number) for number in range(SAVES, 2 * SAVES)]
        assert killed.reached.wait(60)
        kill_alone(servers[0])
        workers[0].kill()
        for future in futures:
            future.result()
    try:
        assert len(surviving.acknowledged) == SAVES, "the other server answered every request"
        check(servers[1], killed.acknowledged | surviving.acknowledged)
    finally:
        stop_server(servers[1])
        for worker in workers:
            worker.terminate()
            worker.wait(timeout=60)


def save_memory(http: httpx2.Client, number: int) -> httpx2.Response:
    content = f"The code of door number {number} is {4_000 + number}."
    return http.post("/api/memories", json={"content": content})


def save_document(http: httpx2.Client, number: int) -> httpx2.Response:
    content = f"Note {number}: we met at the lake, and the code of door {number} is 4711."
    return http.post("/v3/memory", json={"content": content})


def save_versions(http: httpx2.Client, number: int) -> httpx2.Response:
    body = {"content": f"Timetable {number}", "source_url": "https://example.org/timetable"}
    return http.post("/v3/memory", json=body)


@pytest.mark.parametrize("save", [save_memory, save_document, save_versions])
def test_parallel_saves_to_two_servers_stop_nobody_else(
    data_dir: Path, save: Callable[[httpx2.Client, int], httpx2.Response]
) -> None:
    servers = [start_server(data_dir, REMEM_DISTIL="false") for _ in range(2)]
    user, other = (new_person(servers[0]) for _ in range(2))
    clients = [client(server, user) for server in servers]
    try:
        with ThreadPoolExecutor(PARALLEL) as threads:
            saves = [
                threads.submit(save, clients[number % 2], number) for number in range(PARALLEL)
            ]
            use_until_done(servers, other, saves)
        replies = [future.result() for future in saves]
        assert {reply.status_code for reply in replies} == {201}
        assert len({reply.json()["id"] for reply in replies}) == PARALLEL
    finally:
        for closed in (*clients, user.http, other.http):
            closed.close()
        for server in servers:
            stop_server(server)


OLDER_SCHEMA = 30


async def make_older_store(data_dir: Path) -> None:
    database = EmbeddedPostgres(data_dir)
    connection = await asyncpg.connect(await database.start())
    try:
        await migrate(connection, OLDER_SCHEMA)
    finally:
        await connection.close()
        await database.stop()


def test_servers_that_start_at_once_share_an_older_store(data_dir: Path) -> None:
    asyncio.run(make_older_store(data_dir))
    with ThreadPoolExecutor(PARALLEL) as threads:
        servers = list(threads.map(start_server, [data_dir] * 3))
        user = new_person(servers[0])
        clients = [client(server, user) for server in servers]
        try:
            with clients[1].stream("GET", "/v3/live?seconds=60") as stream:
                saves = [
                    threads.submit(save_document, clients[number % 3], number // 3)
                    for number in range(12)
                ]
                ids = {save.result().json()["id"] for save in saves}
                assert len(ids) == 4, "a text that is saved by several servers is one document"
                unseen = set(ids)
                for _, data in events(stream):
                    unseen.discard(data["id"])
                    if not unseen:
                        break
            assert not unseen, "a server streams what the others save"
            memory = clients[0].post("/api/memories", json={"content": "Mara lives in Lyon."})
            path = f"/api/memories/{memory.json()['id']}"
            edits = [
                threads.submit(clients[number % 3].put, path, json={"content": f"Now {number}."})
                for number in range(9)
            ]
            codes = sorted(edit.result().status_code for edit in edits)
            assert codes == [200, *[409] * 8], "one of several edits of a version succeeds"
        finally:
            for closed in (*clients, user.http):
                closed.close()
            for server in servers:
                stop_server(server)


def client(server: Server, person: Person) -> httpx2.Client:
    limits = httpx2.Limits(max_connections=PARALLEL)
    headers = {"Authorization": f"Bearer {person.key}"}
    return httpx2.Client(base_url=server.url, headers=headers, timeout=120, limits=limits)


def use_until_done(
    servers: list[Server], person: Person, saves: list[Future[httpx2.Response]]
) -> None:
    """Save, search and list on both servers until the saves of the other user have ended."""
    with client(servers[0], person) as first, client(servers[1], person) as second:
        for number in count():
            for http in (first, second):
                begin = time.monotonic()
                query = {"query": "Where does Mara live?"}
                replies = [
                    http.post("/api/memories", json={"content": f"Mara has key {number}."}),
                    http.get("/api/memories/search", params=query),
                    http.get("/v3/documents"),
                ]
                assert all(reply.status_code in (200, 201) for reply in replies), replies
                assert time.monotonic() < begin + PATIENCE_S
            if all(save.done() for save in saves):
                return
