"""Two servers and two workers on one database; one of each is killed under load."""

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path

import httpx2
import pytest

from tests.conftest import Person, Server, new_person, start_server, stop_server
from tests.e2e.test_kill import Saver, check, kill_alone
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
