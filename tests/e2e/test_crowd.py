"""Many idle connections: the server still answers those who send requests."""

import shutil
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from remem.core.time import new_id
from tests.conftest import Server, start_server, stop_server
from tests.tools.folders import new_folder

DESCRIPTORS = 400
CLIENTS = 40


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    folder = new_folder()
    running = start_server(folder, descriptors=DESCRIPTORS, REMEM_DISTIL="false")
    yield running
    stop_server(running)
    shutil.rmtree(folder, ignore_errors=True)


def save(server: Server) -> int:
    headers = {"Authorization": f"Bearer {server.owner_key}"}
    body = {"content": f"Note {new_id()}."}
    return httpx2.post(
        f"{server.url}/v3/memory", json=body, headers=headers, timeout=60
    ).status_code


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"POST /v3/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 9000\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_more_connections_than_descriptors(data: bytes, server: Server) -> None:
    parts = urlsplit(server.url)
    with ExitStack() as stack:
        for _ in range(DESCRIPTORS + 100):
            client = stack.enter_context(socket.create_connection((parts.hostname, parts.port), 60))
            client.settimeout(60)
            try:
                client.sendall(data)
            except OSError:
                continue
        with httpx2.Client(base_url=server.url, timeout=60) as http:
            # With half-sent bodies, all connections may be in use for a moment.
            replies = [http.get("/health/live").status_code]
            while replies[-1] == 503:
                replies.append(http.get("/health/live").status_code)
        assert replies[-1] == 200
        assert save(server) == 201
    descriptors = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
    assert descriptors < DESCRIPTORS


def test_a_flood_of_passwords_leaves_room_for_a_save(server: Server) -> None:
    def guess(_: int) -> int:
        body = {"email": f"{new_id()}@example.org", "password": "a wrong guess"}
        reply = httpx2.post(f"{server.url}/v3/auth/login", json=body, timeout=60)
        if reply.status_code == 503:
            assert reply.json()["code"] == "busy" and reply.headers["Retry-After"]
        return reply.status_code

    with ThreadPoolExecutor(CLIENTS) as crowd:
        guesses = [crowd.submit(guess, number) for number in range(2 * CLIENTS)]
        assert save(server) == 201
        statuses = [future.result() for future in guesses]
    assert set(statuses) <= {401, 503}
    assert 401 in statuses and 503 in statuses


def test_a_body_without_a_credential_must_be_small(server: Server) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for path in ("/v3/auth/login", "/v3/auth/register", "/oauth/token", "/oauth/register"):
        reply = httpx2.post(f"{server.url}{path}", content=b"x" * 20_001, headers=form, timeout=60)
        assert reply.status_code == 413
