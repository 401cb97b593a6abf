"""One row that cannot be shown is an error of its own, and breaks no list. Every list is tried."""

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
DEEP = '{"a":' * 300 + "1" + "}" * 300
DEEPER = '{"a":' * 3000 + "1" + "}" * 3000
OBJECTS = ("'[1]'", f"'{DEEP}'", f"'{DEEPER}'", """'{"n": 1e131000}'""")
LISTS = ("ARRAY[ARRAY['a'], ARRAY['b']]", "ARRAY[NULL]::text[]")
MOMENTS = ("'20000-01-01'", "'0044-03-15 BC'", "'infinity'", "'-infinity'")

# What is put into one row each. What would take a row out of every list is not among it.
BAD: dict[str, list[str]] = {
    "documents": [
        *(f"metadata = {value}" for value in OBJECTS),
        *(f"tags = {value}" for value in LISTS),
        *(f"created_at = {value}" for value in MOMENTS),
        "updated_at = '-infinity'",
        "forget_after = 'infinity'",
        "last_accessed_at = '20000-01-01'",
    ],
    "memories": [
        *(f"context = {value}" for value in OBJECTS),
        *(f"evidence = {value}" for value in OBJECTS),
        *(f"tags = {value}" for value in LISTS),
        *(f"created_at = {value}" for value in MOMENTS),
        "occurred_at = 'infinity'",
        "valid_until = 'infinity'",
        "valid_from = '-infinity'",
    ],
    "projects": [f"created_at = {value}" for value in MOMENTS],
    "sessions": [f"created_at = {value}" for value in MOMENTS],
    "feeds": [f"created_at = {value}" for value in MOMENTS],
    "connections": [f"last_synced_at = {value}" for value in MOMENTS],
    "jobs": [f"finished_at = {value}" for value in MOMENTS],
    "events": [f"data = {value}" for value in OBJECTS],
    "api_keys": [f"last_used_at = {value}" for value in MOMENTS],
    "sign_ins": [f"last_used_at = {value}" for value in MOMENTS],
}

# Lists whose items are made of texts and numbers alone, so that every row of theirs can be shown.
NEVER_BAD = {
    ("GET", "/api/memories/providers"),
    ("GET", "/v3/memory-graph"),
    # Of the operator: the database checks every value of a tenant and its plan.
    ("GET", "/admin/tenants"),
    # Counts, and what the settings say.
    ("GET", "/v3/stats/daily"),
    ("GET", "/v3/tags"),
    ("GET", "/v3/models"),
    ("POST", "/v3/models/test"),
    # Of a file of the package.
    ("GET", "/v3/extension/composers"),
    # Of a file that is not in the store, of the settings, and of an account elsewhere.
    ("GET", "/v3/connectors"),
    ("GET", "/v3/connections/{id}/resources"),
    ("POST", "/v3/connections/{id}/check"),
    ("POST", "/v3/connectors/{provider}/check"),
    ("POST", "/v3/import/preview"),
    # What became of each id that was sent.
    ("POST", "/v3/documents/bulk"),
    # Written by remem alone: counts, scores, ids, and texts that any other list shows.
    ("GET", "/api/evolve/jobs"),
    ("GET", "/api/evolve/run"),
    ("POST", "/api/evolve/run"),
    ("GET", "/api/evolve/arena"),
    ("POST", "/api/evolve/arena"),
    ("GET", "/api/evolve/signals"),
    ("GET", "/api/evolve/actions"),
    # What a save has just found out.
    ("POST", "/api/memories"),
    # Sentences of what was read to answer.
    ("POST", "/api/agent/ask"),
}


@dataclass(frozen=True)
class Store:
    """Of every table one row that is good and some that are not; `bad` has their ids."""

    http: httpx2.Client
    good: dict[str, str]
    bad: dict[str, list[str]]


@pytest.fixture(scope="module")
def lenient() -> Iterator[Server]:
    """A server of its own: on the shared one the rules of the schema must stay."""
    folder = new_folder()
    running = start_server(folder)
    yield running
    stop_server(running)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
async def store(lenient: Server, anyio_backend: str) -> AsyncIterator[Store]:
    headers = {"Authorization": f"Bearer {lenient.owner_key}"}
    connections = partial(_connections, lenient.folders)
    with httpx2.Client(base_url=lenient.url, headers=headers, timeout=60) as http:
        made = {
            table: fill(http, len(values) + 1)
            for table, fill in {**FILL, "connections": connections}.items()
            for values in [BAD[table]]
        }
        async with connected(lenient, "remem", SUPERUSER) as connection:
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
                made[table] = await _ids(connection, table, made["memories"][0])
            for table, values in BAD.items():
                for id, value in zip(made[table][1:], values, strict=False):
                    done = await connection.execute(f"UPDATE {table} SET {value} WHERE id = '{id}'")
                    assert done == "UPDATE 1", (table, value)
        good = {table: ids[0] for table, ids in made.items()}
        bad = {table: made[table][1 : len(BAD[table]) + 1] for table in BAD}
        yield Store(http, good, bad)


async def _ids(connection: Any, table: str, memory: str) -> list[str]:
    """The events are those of one memory, so that its history has them."""
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


def _documents(http: httpx2.Client, count: int) -> list[str]:
    bodies = [
        {"content": f"The {WORD} number {n} flies.", "index_only": True} for n in range(count)
    ]
    return [http.post("/v3/memory", json=body).json()["id"] for body in bodies]


def _memories(http: httpx2.Client, count: int) -> list[str]:
    ids = []
    for _ in range(count):
        body = {"content": f"Engine {new_id()} of the {WORD}.", "dueAt": "2100-01-01T00:00:00Z"}
        ids.append(http.post("/api/memories", json=body).json()["id"])
    return ids


def _projects(http: httpx2.Client, count: int) -> list[str]:
    made = (http.post("/v3/projects", json={"name": f"Project {n}"}).json() for n in range(count))
    return [one["id"] for one in made]


def _keys(http: httpx2.Client, count: int) -> list[str]:
    made = (http.post("/v3/api-keys", json={"name": f"Key {n}"}).json() for n in range(count))
    return [one["id"] for one in made]


def _sessions(http: httpx2.Client, count: int) -> list[str]:
    made = (http.post("/api/sessions", json={"title": f"Talk {n}"}).json() for n in range(count))
    return [one["id"] for one in made]


def _feeds(http: httpx2.Client, count: int) -> list[str]:
    bodies = ({"url": f"https://example.org/{n}.xml"} for n in range(count))
    return [http.post("/api/feeds", json=body).json()["id"] for body in bodies]


def _connections(folders: Path, http: httpx2.Client, count: int) -> list[str]:
    """Paused: no job reads what the test makes of them."""
    made = []
    for number in range(count):
        folder = folders / str(number)
        folder.mkdir(parents=True)
        body = {"fields": {"path": str(folder)}}
        made.append(http.post("/v3/connectors/folder/connect", json=body).json()["id"])
        http.patch(f"/v3/connections/{made[-1]}", json={"paused": True})
    return made


FILL = {
    "documents": _documents,
    "memories": _memories,
    "projects": _projects,
    "sessions": _sessions,
    "feeds": _feeds,
    "api_keys": _keys,
}

# How each list is asked for, of which table its items are, and whether it names all of them.
ASKED: dict[tuple[str, str], tuple[dict[str, Any], str, bool]] = {
    ("GET", "/v3/documents"): ({"limit": 100}, "documents", True),
    ("POST", "/v3/recall"): ({"query": WORD, "limit": 100}, "documents", True),
    ("GET", "/v3/documents/{id}"): ({}, "documents", False),
    ("GET", "/v3/documents/{id}/related"): ({"limit": 50}, "documents", False),
    ("POST", "/v1/documents/list"): ({"limit": 100}, "documents", True),
    ("POST", "/v1/search"): ({"query": WORD, "limit": 100}, "memories", False),
    ("GET", "/v1/profile"): ({"query": WORD}, "memories", False),
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
    ("GET", "/api/api-keys"): ({}, "api_keys", True),
    ("GET", "/v3/organizations"): ({}, "", False),
    ("GET", "/v3/organizations/{id}/members"): ({}, "", False),
    ("GET", "/v3/grants"): ({}, "", False),
}


def _lists(http: httpx2.Client) -> dict[tuple[str, str], set[str]]:
    """Every operation that answers with a list of objects, and the fields of its answer."""
    page = http.get("/openapi.json").json()
    shapes = page["components"]["schemas"]
    found = {}
    for path, methods in page["paths"].items():
        for method, operation in methods.items():
            content = operation["responses"].get("200", {}).get("content", {})
            reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
            fields = shapes.get(reference.rpartition("/")[2], {}).get("properties", {})
            # The dates that a statement names are parts of it, checked as they are written.
            lists = [field for name, field in fields.items() if name != "dates"]
            if any(_is_list_of_objects(field) for field in lists):
                found[(method.upper(), path)] = set(fields)
    return found


def _is_list_of_objects(field: dict[str, Any]) -> bool:
    kinds = [field, *field.get("anyOf", [])]
    return any(kind.get("type") == "array" and "$ref" in kind.get("items", {}) for kind in kinds)


def test_every_list_says_what_it_cannot_show(store: Store) -> None:
    lists = _lists(store.http)
    assert len(lists) > 20
    assert {key for key, fields in lists.items() if "unreadable" not in fields} == NEVER_BAD
    assert set(lists) - NEVER_BAD == set(ASKED), "a new list needs a line in ASKED"


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_a_list_shows_the_rest(asked: tuple[str, str], store: Store) -> None:
    (method, path), (fields, table, whole) = asked, ASKED[asked]
    reply = _ask(store, method, path, fields, table)
    assert reply.status_code == 200, reply.text
    body = reply.json()
    unreadable = {one["id"] for one in body["unreadable"]}
    assert all(one["code"] == "unreadable" for one in body["unreadable"])
    assert all("cannot be shown: " in one["error"] for one in body["unreadable"])
    if whole:
        del body["unreadable"]
        assert unreadable
        # A search shows documents, their chunks and memories in one list.
        assert unreadable & set(store.bad[table])
        assert not unreadable & set(store.good.values())
        # A field that a list does not show stands in nobody's way there.
        assert {store.good[table], *store.bad[table]} <= ids_in(body) | unreadable
        assert store.good[table] in ids_in(body)


def _ask(
    store: Store, method: str, path: str, fields: dict[str, Any], table: str
) -> httpx2.Response:
    of = {"events": "memories", "": "memories"}.get(table, table)
    path = path.replace("{id}", store.good[of])
    if "organizations/" in path:
        home = store.http.get("/v3/whoami").json()["organization_id"]
        path = f"/v3/organizations/{home}/members"
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
def test_one_that_cannot_be_shown_says_why(path: str, table: str, store: Store) -> None:
    for id in store.bad[table]:
        reply = store.http.get(path.replace("{id}", id))
        # Not every field is shown everywhere: what is not shown stands in nobody's way.
        assert reply.status_code in (200, 422), reply.text
        if reply.status_code == 422:
            assert reply.json()["code"] == "unreadable"
            assert reply.json()["error"].startswith("This item cannot be shown: ")


def test_what_cannot_be_shown_is_exported_and_can_be_deleted(store: Store) -> None:
    exported = ids_in(store.http.get("/v3/export").text)
    assert {*store.bad["documents"], *store.bad["memories"]} <= exported
    memory, document = store.bad["memories"][0], store.bad["documents"][0]
    assert store.http.delete(f"/api/memories/{memory}", params={"hard": True}).status_code == 204
    assert store.http.delete(f"/v3/documents/{document}").status_code == 204
    store.bad["memories"].remove(memory)
    store.bad["documents"].remove(document)
