"""A server killed in the middle of saving: what it acknowledged is there, once, and found."""

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

# What is in danger is what is under way at the kill, and not how much was saved before.
SAVES = 60
KILL_AFTER = 16
CLIENTS = 8
DONE_WITHIN_S = 60


def text_of(number: int) -> str:
    return f"Locker {number} at the station opens with the word zq{number * 7919:x}."


class Saving:
    """Saves by several clients at once; remembers what was acknowledged."""

    def __init__(self, server: Server) -> None:
        self.acknowledged: dict[int, str] = {}
        self.enough = threading.Event()
        self.kill_after = KILL_AFTER
        headers = {"Authorization": f"Bearer {server.owner_key}"}
        self.http = httpx2.Client(base_url=server.url, headers=headers, timeout=30)

    def save(self, number: int) -> None:
        query = {"async": "true"} if number % 3 == 0 else {}
        try:
            reply = self.http.post("/v3/memory", json={"content": text_of(number)}, params=query)
        except httpx2.TransportError:
            return
        if reply.status_code in (201, 202):
            self.acknowledged[number] = reply.json()["id"]
        if len(self.acknowledged) >= self.kill_after:
            self.enough.set()


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
    saving = Saving(server)
    with ThreadPoolExecutor(CLIENTS) as clients:
        work = [clients.submit(saving.save, number) for number in range(SAVES)]
        assert saving.enough.wait(60)
        kill(server)
        for one in work:
            one.result()
    assert KILL_AFTER <= len(saving.acknowledged) < SAVES

    again = start_server(data_dir)
    try:
        check(again, saving.acknowledged)
    finally:
        stop_server(again)


def check(server: Server, acknowledged: dict[int, str]) -> None:
    headers = {"Authorization": f"Bearer {server.owner_key}"}
    with httpx2.Client(base_url=server.url, headers=headers, timeout=30) as http:
        for id in acknowledged.values():
            wait_until_done(http, id)
        titles = list(every_title(http))
        assert len(titles) == len(set(titles)), "something was stored twice"
        assert {text_of(number) for number in acknowledged} <= set(titles)
        for number, id in acknowledged.items():
            assert first(http, f"zq{number * 7919:x}")["document_id"] == id
            found = first(http, text_of(number))
            assert found["document_id"] == id
            assert found["chunks"][0]["explain"]["vector"] > 0.95


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
    asked = {"query": query, "limit": 1, "explain": True}
    return http.post("/v3/recall", json=asked).json()["results"][0]
