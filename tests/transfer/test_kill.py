"""A server killed in the middle of an import: the next one goes on, and all of it is there once."""

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from remem.core.time import new_id
from tests.conftest import Server, start_server, stop_server
from tests.surfaces.rest.people import call
from tests.tools.waiting import until
from tests.transfer.stores import sealed

EVENTS = 8_000
DOCUMENTS = 20


def kill(server: Server) -> None:
    server.process.kill()
    server.process.wait()


def large_file(http: httpx2.Client) -> list[str]:
    """An export with so many events that there is time to die."""
    for number in range(DOCUMENTS):
        http.post("/v3/memory", json={"content": f"Buoy {number} swings at zq{number * 7919:x}."})
    lines = http.get("/v3/export").text.splitlines(keepends=True)
    place, event = next((n, one) for n, one in enumerate(lines) if '"kind":"event"' in one)
    row = json.loads(event)["row"]
    more = (
        json.dumps({"kind": "event", "row": {**row, "id": str(new_id())}}) + "\n"
        for _ in range(EVENTS)
    )
    return sealed([*lines[:place], *more, *lines[place:]])


@pytest.mark.parametrize("stage", ["checking", "loading"])
def test_an_import_goes_on_after_a_kill(data_dir: Path, stage: str) -> None:
    server = start_server(data_dir)
    with call(server.url, server.owner_key) as http:
        lines = large_file(http)
        for one in http.get("/v3/documents", params={"limit": 100}).json()["documents"]:
            http.delete(f"/v3/documents/{one['id']}")
        reply = http.post("/v3/import", content="".join(lines).encode())
        id = reply.json()["job_id"]
        job = until(lambda: _has_come_to(http, id, stage))
    kill(server)
    assert job["stage"] == stage and 1_000 < job["done"] < len(lines)
    again = start_server(data_dir)
    try:
        with call(again.url, again.owner_key) as http:
            done = until(lambda: _over(http, id))
            assert (done["status"], done["problems"]) == ("completed", []), done
            assert done["attempts"] > 1
            assert done["counts"]["event"]["imported"] == EVENTS
            assert done["counts"]["document"]["imported"] == DOCUMENTS
            found = http.post("/v3/recall", json={"query": f"zq{12 * 7919:x}"}).json()["results"]
            assert found[0]["title"].startswith("Buoy 12 ")
            after = http.get("/v3/export").text.splitlines()
            events = [line for line in after if '"event"' in line[:20]]
            assert event_ids(lines) <= event_ids(events)
            assert len(event_ids(events)) == len(events)
    finally:
        stop_server(again)


def event_ids(lines: list[str]) -> set[str]:
    rows = [json.loads(line) for line in lines if '"event"' in line[:20]]
    return {line["row"]["id"] for line in rows}


def _has_come_to(http: httpx2.Client, id: str, stage: str) -> dict[str, Any] | None:
    job = http.get(f"/v3/jobs/{id}").json()
    assert job["status"] not in ("completed", "failed"), job
    return job if job["stage"] == stage and job["done"] > 1_000 else None


def _over(http: httpx2.Client, id: str) -> dict[str, Any] | None:
    job = http.get(f"/v3/jobs/{id}").json()
    return job if job["status"] in ("completed", "failed") else None
