"""After a connection is removed with its documents, nothing that only it imported can be found."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person, Server
from tests.core.memories import wait_for_jobs
from tests.surfaces.mcp.conftest import over_http
from tests.surfaces.rest.read_paths import readings
from tests.surfaces.rest.rows import rows_of
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

WORD, SHARED = "Zorquimble", "Zorbatteam"
QUESTION = "What is the name of my boat?"
# Each tool with arguments that find the imported documents.
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
    path = server.folders / person.user_id
    path.mkdir(parents=True)
    (path / "boat.md").write_text(f"I own a boat called {WORD}. My sister Ada lives in Lund.")
    (path / "dog.md").write_text(f"My dog is called {SHARED}.")
    (path / "list.txt").write_text(f"Paint for {WORD}\nRope for {WORD}\n")
    return path


def connect_and_sync(person: Person, folder: Path) -> dict[str, Any]:
    body = {"fields": {"path": str(folder)}, "project": "walk"}
    reply = person.post("/v3/connectors/folder/connect", body)
    assert reply.status_code == 201, reply.text
    path = f"/v3/connections/{reply.json()['id']}"
    return until(lambda: _if_synced(person.http.get(path).json()))


def _if_synced(connection: dict[str, Any]) -> dict[str, Any] | None:
    return connection if connection["last_synced_at"] else None


async def settle(ports: Ports, scope: Scope) -> None:
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch("SELECT DISTINCT subject_id FROM jobs")
    for row in rows:
        await wait_for_jobs(ports, scope, row["subject_id"])


def other_readings(person: Person) -> Iterator[tuple[str, str]]:
    """Replies of the read paths that `readings` does not include."""
    for path in ("/v3/documents", "/v3/projects", "/v3/activity", "/v1/documents", "/v3/jobs"):
        yield path, person.http.get(path).text
    answer = person.post("/api/agent/ask", {"question": QUESTION, "record": False}).json()
    yield "ask", json.dumps({name: part for name, part in answer.items() if name != "question"})


async def tool_readings(server: Server, person: Person) -> list[tuple[str, str]]:
    replies = []
    async with over_http(server, person.key, "2026-07-28") as client:
        for name, arguments in TOOLS.items():
            reply = await client.call_tool(name, arguments)
            assert not reply.is_error, (name, reply.content)
            replies.append((f"mcp {name}", json.dumps(reply.structured_content)))
    return replies


async def test_documents_erased_with_their_connection_are_found_nowhere(
    server: Server, person: Person, ports: Ports, folder: Path
) -> None:
    scope = Scope(tenant_id=UUID(person.tenant_id), user_id=UUID(person.user_id), actor="test")
    connection = connect_and_sync(person, folder)
    await settle(ports, scope)
    saved = person.save(f"My dog is called {SHARED}.", project="walk")
    await settle(ports, scope)
    readings_before = [
        *readings(person, QUESTION, []),
        *other_readings(person),
        *await tool_readings(server, person),
    ]
    found_by = {path for path, body in readings_before if WORD in body}
    # A read path that never found it would prove nothing.
    assert len(found_by) > 20 and {"export", "ask", "graph", "mcp recall"} <= found_by, found_by
    removed = person.http.delete(f"/v3/connections/{connection['id']}?documents=erase")
    assert removed.status_code == 200
    until(lambda: person.http.get(f"/v3/connections/{connection['id']}").status_code == 404)
    await settle(ports, scope)
    readings_after = [
        *readings(person, QUESTION, []),
        *other_readings(person),
        *await tool_readings(server, person),
    ]
    assert [path for path, body in readings_after if WORD in body] == []
    # A backup contains these rows.
    assert WORD not in str(await rows_of(ports, person.tenant_id))
    assert person.http.get(f"/v3/documents/{saved['id']}").status_code == 200
    assert SHARED in json.dumps(person.recall("What is my dog called?"))
