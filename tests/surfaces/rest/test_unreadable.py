"""A row that cannot be shown is reported as an error and breaks no list. Every list is tested."""

import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest

from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.core.time import new_id
from tests.conftest import Server, start_server, stop_server
from tests.core.scratch import connected
from tests.surfaces.rest.rows import ids_in
from tests.tools.folders import new_folder

pytestmark = pytest.mark.anyio

WORD = "zeppelin"
NESTED_300 = '{"a":' * 300 + "1" + "}" * 300
NESTED_3000 = '{"a":' * 3000 + "1" + "}" * 3000
BAD_OBJECTS = ("'[1]'", f"'{NESTED_300}'", f"'{NESTED_3000}'", """'{"n": 1e131000}'""")
BAD_LISTS = ("ARRAY[ARRAY['a'], ARRAY['b']]", "ARRAY[NULL]::text[]")
BAD_TIMES = ("'20000-01-01'", "'0044-03-15 BC'", "'infinity'", "'-infinity'")

# The bad values, each for one row. Values that would hide a row from every list are left out.
BAD_VALUES: dict[str, list[str]] = {
    "documents": [
        *(f"metadata = {value}" for value in BAD_OBJECTS),
        *(f"tags = {value}" for value in BAD_LISTS),
        *(f"created_at = {value}" for value in BAD_TIMES),
        "updated_at = '-infinity'",
        "forget_after = 'infinity'",
        "last_accessed_at = '20000-01-01'",
    ],
    "memories": [
        *(f"context = {value}" for value in BAD_OBJECTS),
        *(f"evidence = {value}" for value in BAD_OBJECTS),
        *(f"tags = {value}" for value in BAD_LISTS),
        *(f"created_at = {value}" for value in BAD_TIMES),
        "occurred_at = 'infinity'",
        "valid_until = 'infinity'",
        "valid_from = '-infinity'",
    ],
    "projects": [f"created_at = {value}" for value in BAD_TIMES],
    "sessions": [f"created_at = {value}" for value in BAD_TIMES],
    "feeds": [f"created_at = {value}" for value in BAD_TIMES],
    "connections": [f"last_synced_at = {value}" for value in BAD_TIMES],
    "jobs": [f"finished_at = {value}" for value in BAD_TIMES],
    "events": [f"data = {value}" for value in BAD_OBJECTS],
    "api_keys": [f"last_used_at = {value}" for value in BAD_TIMES],
    "calendars": [f"last_read_at = {value}" for value in BAD_TIMES],
    "deliveries": [f"next_at = {value}" for value in BAD_TIMES],
    "sign_ins": [f"last_used_at = {value}" for value in BAD_TIMES],
}

# Lists whose items consist only of texts and numbers, so that every row can be shown.
NEVER_BAD = {
    ("GET", "/api/memories/providers"),
    ("GET", "/v3/memory-graph"),
    # For the operator: the database checks every value of a tenant and its plan.
    ("GET", "/admin/tenants"),
    # Ids and statements.
    ("GET", "/v3/entities/{id}"),
    ("POST", "/v3/entity-changes/{id}/undo"),
    # Counts and settings.
    ("GET", "/api/agent/diagnostics"),
    ("GET", "/v3/stats/daily"),
    ("GET", "/v3/tags"),
    ("GET", "/v3/models"),
    ("POST", "/v3/models/test"),
    # Read from a file of the package.
    ("GET", "/v3/extension/composers"),
    # Read from an uploaded file, the settings, or an account at another service.
    ("GET", "/v3/connectors"),
    ("GET", "/v3/connections/{id}/resources"),
    ("POST", "/v3/connections/{id}/check"),
    ("POST", "/v3/connectors/{provider}/check"),
    ("POST", "/v3/import/preview"),
    # Read from a text that was sent.
    ("POST", "/v3/pasted-profile"),
    # Lines and statements without the fields that can be wrong.
    ("GET", "/v3/lines"),
    ("POST", "/api/prompt"),
    # The result for each id that was sent.
    ("POST", "/v3/documents/bulk"),
    ("POST", "/v3/checkup/{finding}/fix"),
    ("POST", "/v3/checkup/undo"),
    # Ids, counts and texts, without the fields that can be wrong.
    ("GET", "/v3/checkup"),
    ("GET", "/v3/checkup/{finding}"),
    # Written only by remem: counts, scores, ids, and texts that other lists show too.
    ("GET", "/api/evolve/jobs"),
    ("GET", "/api/evolve/run"),
    ("POST", "/api/evolve/run"),
    ("GET", "/api/evolve/arena"),
    ("POST", "/api/evolve/arena"),
    ("GET", "/api/evolve/signals"),
    ("GET", "/api/evolve/actions"),
    # The result of the save itself.
    ("POST", "/api/memories"),
    # Sentences of items that could be read.
    ("POST", "/api/agent/ask"),
}


@dataclass(frozen=True)
class Store:
    """One good row of every table and some bad ones, by their ids."""

    http: httpx2.Client
    good: dict[str, str]
    bad: dict[str, list[str]]


@pytest.fixture(scope="module")
def lenient_server() -> Iterator[Server]:
    """A separate server without check constraints: the shared one must keep them."""
    folder = new_folder()
    running = start_server(folder)
    yield running
    stop_server(running)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
async def store(lenient_server: Server, anyio_backend: str) -> AsyncIterator[Store]:
    headers = {"Authorization": f"Bearer {lenient_server.owner_key}"}
    connections = partial(_create_connections, lenient_server.folders)
    with httpx2.Client(base_url=lenient_server.url, headers=headers, timeout=60) as http:
        ids_by_table = {
            table: create(http, len(values) + 1)
            for table, create in {**CREATE, "connections": connections}.items()
            for values in [BAD_VALUES[table]]
        }
        async with connected(lenient_server, "remem", SUPERUSER) as connection:
            for row in await connection.fetch(
                "SELECT conrelid::regclass::text AS table, conname FROM pg_constraint"
                " WHERE contype = 'c' AND connamespace = 'public'::regnamespace"
                " AND conname LIKE ANY(ARRAY['%_check', '%_moments'])"
            ):
                await connection.execute(
                    f"ALTER TABLE {row['table']} DROP CONSTRAINT {row['conname']}"
                )
            await connection.execute("ALTER TABLE events DISABLE TRIGGER USER")
            for table in ("jobs", "events", "sign_ins"):
                ids_by_table[table] = await _insert_rows(
                    connection, table, ids_by_table["memories"][0]
                )
            for table, values in BAD_VALUES.items():
                for id, value in zip(ids_by_table[table][1:], values, strict=False):
                    status = await connection.execute(
                        f"UPDATE {table} SET {value} WHERE id = '{id}'"
                    )
                    assert status == "UPDATE 1", (table, value)
        good = {table: ids[0] for table, ids in ids_by_table.items()}
        bad = {table: ids_by_table[table][1 : len(BAD_VALUES[table]) + 1] for table in BAD_VALUES}
        yield Store(http, good, bad)


async def _insert_rows(connection: Any, table: str, memory: str) -> list[str]:
    """Insert rows and return their ids; all events refer to one memory, whose history has them."""
    if table == "jobs":
        rows = await connection.fetch(
            "INSERT INTO jobs (tenant_id, id, user_id, name, subject_id, status)"
            " SELECT tenant_id, gen_random_uuid(), user_id, 'sweep_blobs', $1::text::uuid,"
            " 'completed' FROM api_keys, generate_series(1, 5) WHERE name = 'Local owner'"
            " RETURNING id",
            memory,
        )
    elif table == "sign_ins":
        rows = await connection.fetch(
            "INSERT INTO sign_ins (tenant_id, id, user_id, hash, expires_at)"
            " SELECT tenant_id, gen_random_uuid(), user_id, gen_random_uuid()::text,"
            " now() + interval '1 day' FROM api_keys, generate_series(1, 5)"
            " WHERE name = 'Local owner' RETURNING id"
        )
    else:
        rows = await connection.fetch(
            "INSERT INTO events (tenant_id, id, subject_kind, subject_id, type, actor)"
            " SELECT tenant_id, gen_random_uuid(), 'memory', $1::text::uuid, 'update', 'test'"
            " FROM api_keys, generate_series(1, 5) WHERE name = 'Local owner' RETURNING id",
            memory,
        )
    return [str(row["id"]) for row in rows]


def _create_documents(http: httpx2.Client, count: int) -> list[str]:
    bodies = [
        {"content": f"The {WORD} number {n} flies.", "index_only": True} for n in range(count)
    ]
    return [http.post("/v3/memory", json=body).json()["id"] for body in bodies]


def _create_memories(http: httpx2.Client, count: int) -> list[str]:
    ids = []
    for _ in range(count):
        body = {"content": f"Engine {new_id()} of the {WORD}.", "dueAt": "2100-01-01T00:00:00Z"}
        ids.append(http.post("/api/memories", json=body).json()["id"])
    return ids


def _create_projects(http: httpx2.Client, count: int) -> list[str]:
    created = (
        http.post("/v3/projects", json={"name": f"Project {n}"}).json() for n in range(count)
    )
    return [project["id"] for project in created]


def _create_keys(http: httpx2.Client, count: int) -> list[str]:
    created = (http.post("/v3/api-keys", json={"name": f"Key {n}"}).json() for n in range(count))
    return [key["id"] for key in created]


def _create_calendars(http: httpx2.Client, count: int) -> list[str]:
    created = (http.post("/v3/calendars", json={"name": f"Due {n}"}).json() for n in range(count))
    return [calendar["id"] for calendar in created]


def _create_deliveries(http: httpx2.Client, count: int) -> list[str]:
    bodies = ({"channel": "webhook", "address": f"https://example.org/{n}"} for n in range(count))
    return [http.post("/v3/deliveries", json=body).json()["id"] for body in bodies]


def _create_sessions(http: httpx2.Client, count: int) -> list[str]:
    created = (http.post("/api/sessions", json={"title": f"Talk {n}"}).json() for n in range(count))
    return [session["id"] for session in created]


def _create_feeds(http: httpx2.Client, count: int) -> list[str]:
    bodies = ({"url": f"https://example.org/{n}.xml"} for n in range(count))
    return [http.post("/api/feeds", json=body).json()["id"] for body in bodies]


def _create_connections(folders: Path, http: httpx2.Client, count: int) -> list[str]:
    """Create paused connections, so that no job reads their bad rows."""
    ids = []
    for number in range(count):
        folder = folders / str(number)
        folder.mkdir(parents=True)
        body = {"fields": {"path": str(folder)}}
        ids.append(http.post("/v3/connectors/folder/connect", json=body).json()["id"])
        http.patch(f"/v3/connections/{ids[-1]}", json={"paused": True})
    return ids


CREATE = {
    "documents": _create_documents,
    "memories": _create_memories,
    "projects": _create_projects,
    "sessions": _create_sessions,
    "feeds": _create_feeds,
    "api_keys": _create_keys,
    "calendars": _create_calendars,
    "deliveries": _create_deliveries,
}

# For each list: its parameters, the table of its items, and whether it contains all of them.
LIST_REQUESTS: dict[tuple[str, str], tuple[dict[str, Any], str, bool]] = {
    ("GET", "/v3/documents"): ({"limit": 100}, "documents", True),
    ("POST", "/v3/recall"): ({"query": WORD, "limit": 100}, "documents", True),
    ("GET", "/v3/documents/{id}"): ({}, "documents", False),
    ("GET", "/v3/documents/{id}/related"): ({"limit": 50}, "documents", False),
    ("POST", "/v1/documents/list"): ({"limit": 100}, "documents", True),
    ("POST", "/v1/search"): ({"query": WORD, "limit": 100}, "memories", False),
    ("GET", "/v1/profile"): ({"query": WORD}, "memories", False),
    ("GET", "/api/memories/contradictions"): ({}, "memories", False),
    ("GET", "/v1/memories/{id}/related"): ({"depth": 2}, "memories", False),
    ("POST", "/v1/memories/forget"): (
        {"query": f"Engine of the {WORD}.", "threshold": 0.5},
        "memories",
        False,
    ),
    ("GET", "/api/memories"): ({"limit": 100}, "memories", True),
    ("GET", "/api/memories/timeline"): ({"limit": 100}, "memories", True),
    ("GET", "/api/memories/foresight/active"): ({"limit": 100}, "memories", True),
    ("GET", "/api/memories/search"): ({"query": WORD, "limit": 10}, "memories", False),
    ("GET", "/api/memories/search-index"): ({"query": WORD, "limit": 100}, "memories", True),
    ("POST", "/api/memories/batch-get"): ({"ids": "all"}, "memories", True),
    ("GET", "/api/memories/{id}/history"): ({}, "events", True),
    ("POST", "/api/memories/{id}/derive"): ({}, "memories", False),
    ("GET", "/api/events"): ({"limit": 100}, "events", False),
    ("GET", "/v3/documents/{id}/highlights"): ({}, "documents", False),
    ("GET", "/v3/highlights"): ({}, "", False),
    ("GET", "/v3/trash"): ({}, "documents", False),
    ("GET", "/v3/instructions"): ({}, "", False),
    ("GET", "/v3/jobs"): ({"limit": 100}, "jobs", True),
    ("GET", "/v3/jobs/{id}"): ({}, "jobs", False),
    ("GET", "/v3/projects"): ({}, "projects", True),
    ("GET", "/api/projects"): ({}, "projects", True),
    ("GET", "/v1/containers"): ({}, "projects", True),
    ("GET", "/api/feeds"): ({}, "feeds", True),
    ("GET", "/v3/connections"): ({}, "connections", True),
    ("GET", "/v3/connections/{id}"): ({}, "connections", False),
    ("GET", "/v3/connections/{id}/items"): ({}, "connections", False),
    ("GET", "/api/sessions"): ({"limit": 100}, "sessions", True),
    ("GET", "/api/sessions/{id}"): ({}, "sessions", False),
    ("GET", "/v3/api-keys"): ({}, "api_keys", True),
    ("GET", "/v3/auth/sessions"): ({}, "sign_ins", True),
    ("GET", "/v3/calendars"): ({}, "calendars", True),
    ("GET", "/v3/entities"): ({}, "", False),
    ("GET", "/v3/entity-changes"): ({}, "", False),
    ("GET", "/v3/deliveries"): ({}, "deliveries", True),
    ("GET", "/v3/deliveries/{id}/log"): ({}, "deliveries", False),
    ("GET", "/api/api-keys"): ({}, "api_keys", True),
    ("GET", "/v3/organizations"): ({}, "", False),
    ("GET", "/v3/organizations/{id}/members"): ({}, "", False),
    ("GET", "/v3/grants"): ({}, "", False),
}


def _lists(http: httpx2.Client) -> dict[tuple[str, str], set[str]]:
    """Every operation whose reply has a list of objects, with the fields of the reply."""
    description = http.get("/openapi.json").json()
    shapes = description["components"]["schemas"]
    operations = {}
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            content = operation["responses"].get("200", {}).get("content", {})
            reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
            fields = shapes.get(reference.rpartition("/")[2], {}).get("properties", {})
            # The dates that a statement mentions are part of it and checked when it is written.
            lists = [field for name, field in fields.items() if name != "dates"]
            if any(_is_list_of_objects(field) for field in lists):
                operations[(method.upper(), path)] = set(fields)
    return operations


def _is_list_of_objects(field: dict[str, Any]) -> bool:
    kinds = [field, *field.get("anyOf", [])]
    return any(kind.get("type") == "array" and "$ref" in kind.get("items", {}) for kind in kinds)


def test_every_list_has_a_field_for_unreadable_items(store: Store) -> None:
    lists = _lists(store.http)
    assert len(lists) > 20
    assert {key for key, fields in lists.items() if "unreadable" not in fields} == NEVER_BAD
    assert set(lists) - NEVER_BAD == set(LIST_REQUESTS), "a new list needs a line in LIST_REQUESTS"


@pytest.mark.parametrize("route", LIST_REQUESTS, ids=" ".join)
def test_a_list_shows_the_rest(route: tuple[str, str], store: Store) -> None:
    (method, path), (fields, table, is_complete) = route, LIST_REQUESTS[route]
    reply = _request(store, method, path, fields, table)
    assert reply.status_code == 200, reply.text
    body = reply.json()
    unreadable = {entry["id"] for entry in body["unreadable"]}
    assert all(entry["code"] == "unreadable" for entry in body["unreadable"])
    assert all("cannot be shown: " in entry["error"] for entry in body["unreadable"])
    if is_complete:
        del body["unreadable"]
        assert unreadable
        # A search shows documents, their chunks and memories in one list.
        assert unreadable & set(store.bad[table])
        assert not unreadable & set(store.good.values())
        # A bad field that a list does not show does not matter there.
        assert {store.good[table], *store.bad[table]} <= ids_in(body) | unreadable
        assert store.good[table] in ids_in(body)


def _request(
    store: Store, method: str, path: str, fields: dict[str, Any], table: str
) -> httpx2.Response:
    id_table = {"events": "memories", "": "memories"}.get(table, table)
    path = path.replace("{id}", store.good[id_table])
    if "organizations/" in path:
        organization_id = store.http.get("/v3/whoami").json()["organization_id"]
        path = f"/v3/organizations/{organization_id}/members"
    if fields.get("ids") == "all":
        fields = {"ids": [store.good[table], *store.bad[table]]}
    if method == "GET":
        return store.http.get(path, params=fields)
    return store.http.post(path, json=fields)


@pytest.mark.parametrize(
    ("path", "table"),
    [
        ("/v3/documents/{id}", "documents"),
        ("/v1/documents/{id}", "documents"),
        ("/v1/memories/{id}", "memories"),
        ("/api/memories/{id}", "memories"),
        ("/v3/projects/{id}", "projects"),
        ("/v3/jobs/{id}", "jobs"),
        ("/api/sessions/{id}", "sessions"),
        ("/v3/connections/{id}", "connections"),
    ],
)
def test_an_unreadable_item_reports_why(path: str, table: str, store: Store) -> None:
    for id in store.bad[table]:
        reply = store.http.get(path.replace("{id}", id))
        # Not every field is shown everywhere: a bad field that is not shown does not matter.
        assert reply.status_code in (200, 422), reply.text
        if reply.status_code == 422:
            assert reply.json()["code"] == "unreadable"
            assert reply.json()["error"].startswith("This item cannot be shown: ")


def test_an_unreadable_item_is_exported_and_can_be_deleted(store: Store) -> None:
    exported = ids_in(store.http.get("/v3/export").text)
    assert {*store.bad["documents"], *store.bad["memories"]} <= exported
    memory, document = store.bad["memories"][0], store.bad["documents"][0]
    assert store.http.delete(f"/api/memories/{memory}", params={"hard": True}).status_code == 204
    assert store.http.delete(f"/v3/documents/{document}").status_code == 204
    store.bad["memories"].remove(memory)
    store.bad["documents"].remove(document)
