"""A server killed while saving: everything it acknowledged is stored once and can be found."""

import base64
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest

from tests.conftest import Server, start_server, stop_server
from tests.surfaces.rest.people import call
from tests.surfaces.rest.test_uploads import pdf

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


# A save with an original, and everything killed when it is acknowledged


def in_base64(http: httpx2.Client, name: str, file: bytes) -> httpx2.Response:
    body = {"content": base64.b64encode(file).decode(), "content_type": "pdf"}
    return http.post("/v3/memory", json=body, params={"async": "true"})


def upload(http: httpx2.Client, name: str, file: bytes) -> httpx2.Response:
    return http.post("/v3/documents/upload", files={"file": (name, file)})


def container(http: httpx2.Client, name: str, file: bytes) -> httpx2.Response:
    body = {"file": base64.b64encode(file).decode(), "filename": name}
    return http.post("/v1/documents", json=body)


def kill_everything(server: Server) -> None:
    """Kill remem, PostgreSQL and all their processes. They are stopped first, so that none writes
    anything after another one has died."""
    postmaster = int((server.data_dir / "postgres/postmaster.pid").read_text().split()[0])
    roots = [psutil.Process(server.process.pid), psutil.Process(postmaster)]
    processes = {*roots, *(child for root in roots for child in root.children(recursive=True))}
    for signal_number in (signal.SIGSTOP, signal.SIGKILL):
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal_number)
    server.process.wait()
    psutil.wait_procs(processes, timeout=60)


def test_an_acknowledged_save_is_there_with_its_original_after_a_kill(data_dir: Path) -> None:
    files: dict[str, bytes] = {}
    for save in (in_base64, upload, container):
        server = start_server(data_dir)
        file = pdf(text_of(1_000 + len(files)))
        with call(server.url, server.owner_key) as http:
            reply = save(http, f"{save.__name__}.pdf", file)
            kill_everything(server)
        assert reply.status_code in (201, 202), reply.text
        files[reply.json()["id"]] = file

    restarted = start_server(data_dir)
    try:
        with call(restarted.url, restarted.owner_key) as http:
            for id, file in files.items():
                wait_until_done(http, id)
                original = http.get(f"/v3/documents/{id}/original")
                assert original.status_code == 200, original.text
                assert original.content == file
            assert len(list(every_title(http))) == len(files)
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
