"""What only a connection brought is found in no way at all after it was removed and erased."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person, Server
from tests.core.memories import settled_jobs
from tests.surfaces.mcp.conftest import over_http
from tests.surfaces.rest.read_paths import readings
from tests.surfaces.rest.rows import rows_of
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

WORD, SHARED = "Zorquimble", "Zorbatteam"
QUESTION = "What is the name of my boat?"
# Each with arguments that find what is there.
TOOLS: dict[str, dict[str, Any]] = {
    "recall": {"query": QUESTION},
    "search": {"query": QUESTION},
    "memory-graph": {},
    "search_memory": {"query": QUESTION},
    "memories.search_index": {"query": QUESTION},
    "memories.list": {},
    "memories.timeline": {},
    "agent.ask": {"question": QUESTION},
}


@pytest.fixture
def folder(server: Server, person: Person) -> Path:
    place = server.folders / person.user_id
    place.mkdir(parents=True)
    (place / "boat.md").write_text(f"I own a boat called {WORD}. My sister Ada lives in Lund.")
    (place / "dog.md").write_text(f"My dog is called {SHARED}.")
    (place / "list.txt").write_text(f"Paint for {WORD}\nRope for {WORD}\n")
    return place


def connected(person: Person, folder: Path) -> dict[str, Any]:
    body = {"fields": {"path": str(folder)}, "project": "walk"}
    made = person.post("/v3/connectors/folder/connect", body)
    assert made.status_code == 201, made.text
    path = f"/v3/connections/{made.json()['id']}"
    return until(lambda: _synced(person.http.get(path).json()))


def _synced(found: dict[str, Any]) -> dict[str, Any] | None:
    return found if found["last_synced_at"] else None


async def settle(ports: Ports, scope: Scope) -> None:
    async with ports.db.transaction(scope) as tx:
        rows = await tx.fetch("SELECT DISTINCT subject_id FROM jobs")
    for row in rows:
        await settled_jobs(ports, scope, row["subject_id"])


def lists(person: Person) -> Iterator[tuple[str, str]]:
    """What the walk over every path of reading does not ask."""
    for path in ("/v3/documents", "/v3/projects", "/v3/activity", "/v1/documents", "/v3/jobs"):
        yield path, person.http.get(path).text
    asked = person.post("/api/agent/ask", {"question": QUESTION, "record": False}).json()
    yield "ask", json.dumps({name: part for name, part in asked.items() if name != "question"})


async def tools(server: Server, person: Person) -> list[tuple[str, str]]:
    said = []
    async with over_http(server, person.key, "2026-07-28") as client:
        for name, arguments in TOOLS.items():
            reply = await client.call_tool(name, arguments)
            assert not reply.is_error, (name, reply.content)
            said.append((f"mcp {name}", json.dumps(reply.structured_content)))
    return said


async def test_erased_with_its_connection_nothing_is_found_in_any_way(
    server: Server, person: Person, ports: Ports, folder: Path
) -> None:
    scope = Scope(tenant_id=UUID(person.tenant_id), user_id=UUID(person.user_id), actor="test")
    connection = connected(person, folder)
    await settle(ports, scope)
    saved = person.save(f"My dog is called {SHARED}.", project="walk")
    await settle(ports, scope)
    before = [*readings(person, QUESTION, []), *lists(person), *await tools(server, person)]
    found_by = {path for path, body in before if WORD in body}
    # A way that never found it would prove nothing.
    assert len(found_by) > 20 and {"export", "ask", "graph", "mcp recall"} <= found_by, found_by
    removed = person.http.delete(f"/v3/connections/{connection['id']}?documents=erase")
    assert removed.status_code == 200
    until(lambda: person.http.get(f"/v3/connections/{connection['id']}").status_code == 404)
    await settle(ports, scope)
    after = [*readings(person, QUESTION, []), *lists(person), *await tools(server, person)]
    assert [path for path, body in after if WORD in body] == []
    # A backup is of these rows.
    assert WORD not in str(await rows_of(ports, person.tenant_id))
    assert person.http.get(f"/v3/documents/{saved['id']}").status_code == 200
    assert SHARED in json.dumps(person.recall("What is my dog called?"))
