"""Texts that could stall the server are saved and found, and other requests are still answered."""

import contextlib
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from tests.conftest import Person, Server, start_server, stop_server
from tests.surfaces.rest.people import call
from tests.tools.forked_children import OWN_CHILDREN

CHARS = 9_900
STALLING = ["Aa ", "Mr. ", "a.", "A ", "in May ", "tomorrow ", "a-b", "\n", "```\n", "I have a "]


@pytest.mark.parametrize("pump", STALLING)
def test_a_repetitive_text_is_saved_and_found(person: Person, pump: str) -> None:
    content = f"zebrafish {pump * (CHARS // len(pump))} end"
    saved = person.post("/api/memories", {"content": content})
    assert saved.status_code in (200, 201), saved.text
    pids = person.http.get("/api/memories/search", params={"query": "zebrafish"}).json()
    assert [memory["id"] for memory in pids["memories"]] == [saved.json()["id"]]


def test_code_of_blank_lines_is_saved_and_found(person: Person) -> None:
    saved = person.save("x" + "\n" * 5_000 + "zebrafish", content_type="code")
    assert saved["status"] == "done"
    assert person.recall("zebrafish")


def test_a_repetitive_query_is_answered(person: Person) -> None:
    person.save("The zebrafish swims.")
    for pump in STALLING:
        query = ("zebrafish " + pump * CHARS)[:CHARS]
        reply = person.post("/v3/recall", {"query": query})
        assert reply.status_code in (200, 422), reply.text


def test_other_requests_are_answered_while_a_text_is_analysed(data_dir: Path) -> None:
    """A save waits for analysis in another process, which is stopped; health answers meanwhile.
    A job may use the stopped process, and the save another: then the attempt is repeated."""
    server = start_server(data_dir, **{OWN_CHILDREN: "true"})
    try:
        with call(server.url, server.owner_key) as owner:
            waited = [_waits_for_analysis(owner, server, attempt) for attempt in range(3)]
    finally:
        stop_server(server)
    assert any(waited), "analysis must run in another process"


def _waits_for_analysis(owner: httpx2.Client, server: Server, attempt: int) -> bool:
    owner.post("/api/memories", json={"content": f"Ann Smith lives at number {attempt}."})
    processes = _analysis_processes(server)
    assert processes, "a save must start one"
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool, httpx2.Client(base_url=server.url, timeout=60) as http:
        body = {"content": f"Bob Jones lives at number {attempt}."}
        saving = pool.submit(owner.post, "/api/memories", json=body)
        try:
            assert [http.get("/health").status_code for _ in range(20)] == [200] * 20
            waits = not saving.done()
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)
        assert saving.result().status_code == 201
    return waits


def _analysis_processes(server: Server) -> list[int]:
    pids = []
    for cmdline in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            line = cmdline.read_bytes().split(b"\0")
            of_server = b"--parent" in line and str(server.process.pid).encode() in line
            if b"remem.adapters.analysis.child" in line and of_server:
                pids.append(int(cmdline.parent.name))
    return pids
