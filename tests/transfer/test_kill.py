"""A server is killed during an import: the next one resumes it, and everything is imported once."""

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from remem.core.time import new_id
from tests.conftest import Server, new_person, start_server, stop_server
from tests.surfaces.rest.people import call
from tests.tools.waiting import until
from tests.transfer.stores import export_lines, with_footer

EVENTS = 4_000
DOCUMENTS = 20


def kill(server: Server) -> None:
    server.process.kill()
    server.process.wait()


@pytest.fixture(scope="module")
def lines(server: Server) -> list[str]:
    """An export with so many events that the server can be killed during its import."""
    person = new_person(server)
    with person.http:
        for number in range(DOCUMENTS):
            person.save(f"Buoy {number} swings at zq{number * 7919:x}.")
        lines = export_lines(person)
    index, event = next((n, line) for n, line in enumerate(lines) if '"kind":"event"' in line)
    row = json.loads(event)["row"]
    copies = (
        json.dumps({"kind": "event", "row": {**row, "id": str(new_id())}}) + "\n"
        for _ in range(EVENTS)
    )
    return with_footer([*lines[:index], *copies, *lines[index:]])


@pytest.mark.parametrize("stage", ["checking", "loading"])
def test_an_import_resumes_after_a_kill(data_dir: Path, lines: list[str], stage: str) -> None:
    first = start_server(data_dir)
    with call(first.url, first.owner_key) as http:
        reply = http.post("/v3/import", content="".join(lines).encode())
        id = reply.json()["job_id"]
        job = until(lambda: _reached_stage(http, id, stage))
    kill(first)
    assert job["stage"] == stage and 1_000 < job["done"] < len(lines)
    second = start_server(data_dir)
    try:
        with call(second.url, second.owner_key) as http:
            finished_job = until(lambda: _finished(http, id))
            assert (finished_job["status"], finished_job["problems"]) == ("completed", []), (
                finished_job
            )
            assert finished_job["attempts"] > 1
            assert finished_job["counts"]["event"]["imported"] == len(event_ids(lines)) > EVENTS
            assert finished_job["counts"]["document"]["imported"] == DOCUMENTS
            results = http.post("/v3/recall", json={"query": f"zq{12 * 7919:x}"}).json()["results"]
            assert results[0]["title"].startswith("Buoy 12 ")
            exported = http.get("/v3/export").text.splitlines()
            events = [line for line in exported if '"event"' in line[:20]]
            assert event_ids(lines) <= event_ids(events)
            assert len(event_ids(events)) == len(events)
    finally:
        stop_server(second)


def event_ids(lines: list[str]) -> set[str]:
    rows = [json.loads(line) for line in lines if '"event"' in line[:20]]
    return {line["row"]["id"] for line in rows}


def _reached_stage(http: httpx2.Client, id: str, stage: str) -> dict[str, Any] | None:
    job = http.get(f"/v3/jobs/{id}").json()
    assert job["status"] not in ("completed", "failed"), job
    return job if job["stage"] == stage and job["done"] > 1_000 else None


def _finished(http: httpx2.Client, id: str) -> dict[str, Any] | None:
    job = http.get(f"/v3/jobs/{id}").json()
    return job if job["status"] in ("completed", "failed") else None
