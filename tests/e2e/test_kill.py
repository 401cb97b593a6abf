"""A server killed while saving: everything it acknowledged is stored once and can be found."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.conftest import Server, start_server, stop_server

# Only requests in progress at the kill are at risk, so saving more before it proves nothing.
SAVES = 60
KILL_AFTER = 16
CLIENTS = 8
DONE_WITHIN_S = 120


def text_of(number: int) -> str:
    return f"Locker {number} at the station opens with the word zq{number * 7919:x}."


class Saver:
    """Saves from several threads and records what was acknowledged."""

    def __init__(self, server: Server) -> None:
        self.acknowledged: dict[int, str] = {}
        self.reached = threading.Event()
        self.kill_after = KILL_AFTER
        headers = {"Authorization": f"Bearer {server.owner_key}"}
        self.http = httpx2.Client(base_url=server.url, headers=headers, timeout=120)

    def save(self, number: int) -> None:
        query = {"async": "true"} if number % 3 == 0 else {}
        try:
            reply = self.http.post("/v3/memory", json={"content": text_of(number)}, params=query)
        except httpx2.TransportError:
            return
        if reply.status_code in (201, 202):
            self.acknowledged[number] = reply.json()["id"]
        if len(self.acknowledged) >= self.kill_after:
            self.reached.set()


def kill_with_database(server: Server) -> None:
    postmaster = int((server.data_dir / "postgres/postmaster.pid").read_text().split()[0])
    server.process.kill()
    os.kill(postmaster, signal.SIGKILL)
    server.process.wait()


def kill_alone(server: Server) -> None:
    server.process.kill()
    server.process.wait()


@pytest.mark.parametrize("kill", [kill_alone, kill_with_database])
def test_every_acknowledged_save_survives(data_dir: Path, kill) -> None:
    server = start_server(data_dir)
    saver = Saver(server)
    with ThreadPoolExecutor(CLIENTS) as clients:
        futures = [clients.submit(saver.save, number) for number in range(SAVES)]
        assert saver.reached.wait(60)
        kill(server)
        for future in futures:
            future.result()
    assert KILL_AFTER <= len(saver.acknowledged) < SAVES

    restarted = start_server(data_dir)
    try:
        check(restarted, saver.acknowledged)
    finally:
        stop_server(restarted)


def check(server: Server, acknowledged: dict[int, str]) -> None:
    headers = {"Authorization": f"Bearer {server.owner_key}"}
    with httpx2.Client(base_url=server.url, headers=headers, timeout=120) as http:
        for id in acknowledged.values():
            wait_until_done(http, id)
        titles = list(every_title(http))
        assert len(titles) == len(set(titles)), "something was stored twice"
        assert {text_of(number) for number in acknowledged} <= set(titles)
        for number, id in acknowledged.items():
            assert first(http, f"zq{number * 7919:x}")["document_id"] == id
            result = first(http, text_of(number))
            assert result["document_id"] == id
            assert result["chunks"][0]["explain"]["vector"] > 0.95


def wait_until_done(http: httpx2.Client, id: str) -> None:
    deadline = time.monotonic() + DONE_WITHIN_S
    while http.get(f"/v3/documents/{id}").json()["status"] != "done":
        assert time.monotonic() < deadline, f"{id} was never finished"
        time.sleep(0.02)


def every_title(http: httpx2.Client):
    cursor = None
    while True:
        page = http.get("/v3/documents", params={"limit": 100, "cursor": cursor or ""}).json()
        yield from (document["title"] for document in page["documents"])
        cursor = page["next_cursor"]
        if not cursor:
            return


def first(http: httpx2.Client, query: str) -> dict[str, Any]:
    body = {"query": query, "limit": 1, "explain": True}
    return http.post("/v3/recall", json=body).json()["results"][0]
