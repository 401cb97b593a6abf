"""Memories over /api and /v1 through time: changed, rated, forgotten, restored and listed."""

from typing import Any

import pytest

from remem.core.ports import Ports
from tests.conftest import Person
from tests.surfaces.rest.people import assert_erased
from tests.surfaces.rest.problems import assert_problem
from tests.surfaces.rest.rows import change, rows_of
from tests.surfaces.rest.test_agent_memories import listed, read, save
from tests.surfaces.rest.things import at_once
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

UNKNOWN_ID = "01900000-0000-7000-8000-000000000000"
# Unrelated statements.
STATEMENTS = [
    "Ada drinks green tea.",
    "The build runs on Frankfurt servers.",
    "Payroll closes on Fridays.",
    "Octopuses have three hearts.",
    "The old bridge is shut for repairs.",
    "Jazz is played downstairs.",
    "Invoices are written in euros.",
    "Volcanoes make fertile soil.",
]


def put(user: Person, id: str, **fields: Any) -> dict[str, Any]:
    reply = user.http.put(f"/api/memories/{id}", json=fields)
    assert reply.status_code == 200, reply.text
    return reply.json()


def get(user: Person, path: str, **query: Any) -> dict[str, Any]:
    reply = user.http.get(path, params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()


def post(user: Person, path: str, **body: Any) -> dict[str, Any]:
    reply = user.post(path, body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_put_of_content_creates_a_version(user: Person) -> None:
    old = save(user, "Ada drinks tea.", tags=["drink"])["id"]
    new = put(user, old, content="Ada drinks coffee.")
    assert (new["version"], new["supersedesId"], new["rootId"]) == (2, old, old)
    assert new["tags"] == ["drink"]
    assert listed(user) == ["Ada drinks coffee."]
    assert read(user, old)["isCurrent"] is False
    problem = user.http.put(f"/api/memories/{old}", json={"content": "Ada drinks milk."})
    assert_problem(problem, 409, "old_version", "restore")


def test_put_changes_only_what_is_sent(user: Person) -> None:
    id = save(user, "Ada drinks tea.", title="Drinks", dueAt="2998-01-01T00:00:00Z")["id"]
    changed = put(user, id, dueAt=None, tags=["a"])
    assert (changed["id"], changed["dueAt"], changed["tags"]) == (id, None, ["a"])
    assert (changed["title"], changed["version"]) == ("Drinks", 1)
    moved = put(user, id, projectId=user.post("/api/projects", {"name": "New"}).json()["id"])
    assert moved["project"] == "new-project"


def test_history_has_versions_and_events(user: Person) -> None:
    old = save(user, "Ada drinks tea.")["id"]
    new = put(user, old, content="Ada drinks coffee.")["id"]
    body = get(user, f"/api/memories/{new}/history")
    assert [version["content"] for version in body["versions"]] == [
        "Ada drinks tea.",
        "Ada drinks coffee.",
    ]
    assert [(event["subjectId"], event["type"]) for event in body["events"]] == [
        (old, "create"),
        (new, "update"),
    ]
    assert body["events"][0]["actor"] == f"key:{user.key[:11]}"


def test_restore_of_a_version_and_of_a_deleted_memory(user: Person) -> None:
    old = save(user, "Ada drinks tea.")["id"]
    new = put(user, old, content="Ada drinks coffee.")["id"]
    restored = post(user, f"/api/memories/{old}/restore")
    assert (restored["status"], restored["memory"]["version"]) == ("restored", 3)
    assert listed(user) == ["Ada drinks tea."]
    assert user.http.delete(f"/api/memories/{new}").status_code == 204
    assert listed(user) == []
    assert_problem(user.http.get(f"/api/memories/{old}"), 404, "not_found")
    assert post(user, f"/api/memories/{new}/restore")["id"] == restored["id"]
    assert listed(user) == ["Ada drinks tea."]


def test_merge_combines_the_contents_and_keeps_the_originals_as_history(user: Person) -> None:
    first, second = (
        save(user, content)["id"] for content in ("Ada sails on Sundays.", "Ada owns a sloop.")
    )
    merged = post(user, "/api/memories/merge", ids=[first, second])
    assert (merged["content"], merged["version"]) == ("Ada sails on Sundays. Ada owns a sloop.", 2)
    assert listed(user) == [merged["content"]]
    assert get(user, f"/api/memories/{first}")["state"] == "superseded"
    events = get(user, f"/api/memories/{first}/history")["events"]
    assert [event["type"] for event in events] == ["create", "merge"]
    assert_problem(user.post("/api/memories/merge", {"ids": [first]}), 400, "invalid")
    assert_problem(user.post("/api/memories/merge", {"ids": [first, second]}), 409, "not_current")


async def test_hard_delete_leaves_no_row(user: Person, ports: Ports) -> None:
    id = save(user, "Ada drinks tea.")["id"]
    assert user.http.delete(f"/api/memories/{id}", params={"hard": True}).status_code == 204
    assert_problem(user.post(f"/api/memories/{id}/restore", {}), 404, "not_found")
    remaining = await rows_of(ports, user.tenant_id)
    for table in ("memories", "links", "embeddings", "postings"):
        assert remaining[table] == [], table
    events = get(user, "/api/events", subject=id)["events"]
    assert [(event["type"], event["data"]) for event in events if event["type"] == "erase"] == [
        ("erase", {})
    ]


async def test_an_account_with_memories_is_erased(person: Person, ports: Ports) -> None:
    old = save(person, "Ada drinks tea.")["id"]
    put(person, old, content="Ada drinks coffee.")
    assert person.http.delete("/v3/account").status_code == 204
    await assert_erased(ports, person.tenant_id)


def test_lifecycle_and_feedback(user: Person) -> None:
    id = save(user, "Ada drinks tea.")["id"]
    changed = post(user, f"/api/memories/{id}/lifecycle", state="quarantined", quality="bad")
    assert (changed["state"], changed["quality"]) == ("quarantined", "bad")
    assert listed(user) == []
    assert listed(user, state="quarantined") == ["Ada drinks tea."]
    assert post(user, f"/api/memories/{id}/feedback", type="helpful")["quality"] == "good"
    assert_problem(user.post(f"/api/memories/{id}/lifecycle", {}), 400, "invalid", "state")
    wrong = user.post(f"/api/memories/{id}/feedback", {"type": "meh"})
    assert_problem(wrong, 400, "invalid", "type")


def test_the_timeline_and_what_is_due(user: Person) -> None:
    save(user, STATEMENTS[0], occurredAt="2020-01-01T00:00:00Z", dueAt="2999-01-01T00:00:00Z")
    save(user, STATEMENTS[1], occurredAt="2021-01-01T00:00:00Z", dueAt="2998-01-01T00:00:00Z")
    save(user, STATEMENTS[2], dueAt="2001-01-01T00:00:00Z")
    body = get(user, "/api/memories/timeline")
    assert [memory["content"] for memory in body["memories"]] == [
        STATEMENTS[2],
        STATEMENTS[1],
        STATEMENTS[0],
    ]
    earlier = get(user, "/api/memories/timeline", until="2020-06-01T00:00:00Z")
    assert [memory["content"] for memory in earlier["memories"]] == [STATEMENTS[0]]
    first = get(user, "/api/memories/timeline", limit=1)
    second = get(user, "/api/memories/timeline", limit=1, cursor=first["next_cursor"])
    assert [memory["content"] for memory in second["memories"]] == [STATEMENTS[1]]
    due = get(user, "/api/memories/foresight/active")
    assert [memory["content"] for memory in due["memories"]] == [STATEMENTS[1], STATEMENTS[0]]
    overdue = get(user, "/api/memories/foresight/active", overdue=True)
    assert [memory["content"] for memory in overdue["memories"]] == [
        STATEMENTS[2],
        STATEMENTS[1],
        STATEMENTS[0],
    ]
    done = {"context": {**due["memories"][0]["context"], "done": "2026-11-16T10:00:00Z"}}
    assert user.http.put(f"/api/memories/{due['memories'][0]['id']}", json=done).is_success
    remaining = get(user, "/api/memories/foresight/active")
    assert [memory["content"] for memory in remaining["memories"]] == [STATEMENTS[0]]
    assert STATEMENTS[1] in listed(user)


def test_as_of_lists_what_was_valid_at_that_time(user: Person) -> None:
    save(user, STATEMENTS[0], validFrom="2020-01-01T00:00:00Z", validUntil="2021-01-01T00:00:00Z")
    assert listed(user) == []
    assert listed(user, as_of="2020-06-01T00:00:00Z") == [STATEMENTS[0]]
    assert listed(user, as_of="2021-06-01T00:00:00Z") == []


def test_batch_get(user: Person) -> None:
    first_id, second_id = save(user, STATEMENTS[0])["id"], save(user, STATEMENTS[1])["id"]
    found = post(user, "/api/memories/batch-get", ids=[second_id, UNKNOWN_ID, first_id])
    assert [memory["id"] for memory in found["memories"]] == [second_id, first_id]
    assert found["missing"] == [UNKNOWN_ID]
    none = post(user, "/api/memories/batch-get", ids=[UNKNOWN_ID])
    assert (none["memories"], none["missing"]) == ([], [UNKNOWN_ID])
    for ids in ([], [UNKNOWN_ID] * 101):
        assert_problem(user.post("/api/memories/batch-get", {"ids": ids}), 400, "invalid", "ids")


def test_the_search_providers_are_listed(user: Person) -> None:
    providers = get(user, "/api/memories/providers")["providers"]
    assert [provider["id"] for provider in providers] == ["text", "vector"]
    assert providers[1]["dimensions"] == 384


def test_a_deferred_save_is_related_in_the_background(user: Person) -> None:
    saved = save(user, STATEMENTS[0], status=202, defer=True)
    assert saved["status"] == "saved"
    assert listed(user) == [STATEMENTS[0]]
    job = f"/v3/jobs/{saved['jobId']}"
    until(lambda: get(user, job)["status"] == "completed")
    assert (save(user, STATEMENTS[0], status=200))["existingId"] == saved["id"]


async def test_at_the_limit_a_save_is_refused(user: Person, ports: Ports) -> None:
    assert get(user, "/api/subscription") == {
        "plan": "self-hosted",
        "memory_count": 0,
        "memory_limit": None,
    }
    statement = "UPDATE subscriptions SET plan = 'free', memory_limit = 3"
    await change(ports, user.tenant_id, statement)
    replies = at_once(user, "/api/memories", [{"content": content} for content in STATEMENTS])
    assert sorted(reply.status_code for reply in replies) == [201] * 3 + [403] * 5
    refused = next(reply for reply in replies if reply.status_code == 403)
    problem = assert_problem(refused, 403, "limit_exceeded", "3 memories")
    assert problem["details"] == {"count": 3, "limit": 3}
    plan = {"plan": "free", "memory_count": 3, "memory_limit": 3}
    assert get(user, "/api/subscription") == plan


def test_the_audit_trail_is_paged(user: Person) -> None:
    ids = [save(user, statement)["id"] for statement in STATEMENTS[:3]]
    first = get(user, "/api/events", limit=2, type="create")
    rest = get(user, "/api/events", limit=2, type="create", cursor=first["next_cursor"])
    subjects = [event["subjectId"] for event in (*first["events"], *rest["events"])]
    assert [id for id in subjects if id in ids] == ids[::-1]
    assert {event["subjectId"] for event in get(user, "/api/events", subject=ids[0])["events"]} == {
        ids[0]
    }
    reply = user.http.get("/api/events", params={"subject": UNKNOWN_ID})
    assert_problem(reply, 404, "not_found")


def test_projects_and_keys_work_as_in_v3(user: Person) -> None:
    created = user.post("/api/projects", {"name": "Side Work", "description": "Evenings."})
    assert created.status_code == 201, created.text
    assert created.json()["slug"] == "side-work"
    slugs = [project["slug"] for project in get(user, "/api/projects")["projects"]]
    assert slugs == ["default", "side-work"]
    reply = user.post("/api/api-keys", {"name": "laptop"})
    assert reply.status_code == 201, reply.text
    created = reply.json()
    assert created["key"].startswith(created["keyPrefix"])
    key_ids = {key["id"] for key in get(user, "/api/api-keys")["keys"]}
    assert created["id"] in key_ids
    assert created["key"] not in str(get(user, "/api/api-keys"))
    assert user.http.delete(f"/api/api-keys/{created['id']}").status_code == 204
    assert created["id"] not in {key["id"] for key in get(user, "/api/api-keys")["keys"]}


# /v1


def test_a_memory_in_the_fields_of_v1(user: Person) -> None:
    id = save(
        user,
        STATEMENTS[0],
        category="preference",
        project="agent.one",
        context={"a": 1},
        validUntil="2999-01-01T00:00:00Z",
    )["id"]
    node = get(user, f"/v1/memories/{id}")
    expected = {
        "container": "agent.one",
        "memory_type": "preference",
        "metadata": {"a": 1},
        "is_latest": True,
        "expires_at": "2999-01-01T00:00:00.000Z",
    }
    assert {name: node[name] for name in expected} == expected
    change = {"memory_type": "fact", "metadata": {"b": 2}, "tags": ["t"], "expires_at": None}
    reply = user.http.patch(f"/v1/memories/{id}", json=change)
    assert reply.status_code == 200, reply.text
    assert {name: reply.json()[name] for name in change} == change
    assert reply.json()["id"] == id
    version = user.http.patch(f"/v1/memories/{id}", json={"content": STATEMENTS[1]}).json()
    assert version["id"] != id
    assert get(user, f"/v1/memories/{id}")["is_latest"] is False
    assert user.http.delete(f"/v1/memories/{id}").status_code == 204
    assert_problem(user.http.get(f"/v1/memories/{id}"), 404, "not_found")


def test_related_memories_in_v1(user: Person) -> None:
    old = save(user, STATEMENTS[0])["id"]
    new = put(user, old, content=STATEMENTS[1])["id"]
    newest = put(user, new, content=STATEMENTS[2])["id"]
    near = get(user, f"/v1/memories/{newest}/related")["related"]
    assert [(memory["id"], memory["relationship"], memory["direction"]) for memory in near] == [
        (new, "updates", "out")
    ]
    far = get(user, f"/v1/memories/{old}/related", depth=2, relation=["updates"])["related"]
    assert [(memory["id"], memory["direction"], memory["depth"]) for memory in far] == [
        (new, "in", 1),
        (newest, "in", 2),
    ]
    assert get(user, f"/v1/memories/{old}/related", relation="similar")["related"] == []
    for query in ({"depth": 4}, {"depth": 0}, {"relation": "likes"}):
        reply = user.http.get(f"/v1/memories/{old}/related", params=query)
        assert_problem(reply, 400, "invalid", next(iter(query)))


def test_derive_returns_facts_and_due_items(user: Person) -> None:
    text = "Ann lives in Berlin and Cy works at ACME. Ann must call Bob by 3 March 2096."
    id = save(user, text)["id"]
    derived = post(user, f"/api/memories/{id}/derive")
    assert [fact["content"] for fact in derived["facts"]] == [
        "Ann lives in Berlin",
        "Cy works at ACME.",
        "Ann must call Bob by 3 March 2096.",
    ]
    assert [item["dueAt"] for item in derived["foresight"]] == ["2096-03-03T23:59:59.000Z"]
    assert derived["id"] == derived["memory"]["id"] == id


def test_an_inferred_memory_is_accepted_or_declined(user: Person) -> None:
    id = save(user, "Zed keeps bees.")["id"]
    accepted = post(user, f"/api/memories/{id}/lifecycle", review="accept")
    assert (accepted["state"], accepted["quality"]) == ("active", "good")
    assert accepted["context"] == {"review": "accepted"}
    declined = post(user, f"/api/memories/{id}/lifecycle", review="decline")
    assert (declined["state"], declined["context"]) == ("quarantined", {"review": "declined"})
    contradictory = {"review": "accept", "state": "active"}
    assert_problem(
        user.post(f"/api/memories/{id}/lifecycle", contradictory), 400, "invalid", "review"
    )
