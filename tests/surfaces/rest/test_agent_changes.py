"""Memories over /api and /v1 through time: changed, judged, forgotten, brought back, browsed."""

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

NOBODYS = "01900000-0000-7000-8000-000000000000"
# Statements that have nothing to do with each other.
SAID = [
    "Ada drinks green tea.",
    "The build runs on Frankfurt servers.",
    "Payroll closes on Fridays.",
    "Octopuses have three hearts.",
    "The old bridge is shut for repairs.",
    "Jazz is played downstairs.",
    "Invoices are written in euros.",
    "Volcanoes make fertile soil.",
]


def put(keeper: Person, id: str, **fields: Any) -> dict[str, Any]:
    reply = keeper.http.put(f"/api/memories/{id}", json=fields)
    assert reply.status_code == 200, reply.text
    return reply.json()


def get(keeper: Person, path: str, **query: Any) -> dict[str, Any]:
    reply = keeper.http.get(path, params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()


def post(keeper: Person, path: str, **body: Any) -> dict[str, Any]:
    reply = keeper.post(path, body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_put_of_content_makes_a_version(keeper: Person) -> None:
    old = save(keeper, "Ada drinks tea.", tags=["drink"])["id"]
    new = put(keeper, old, content="Ada drinks coffee.")
    assert (new["version"], new["supersedesId"], new["rootId"]) == (2, old, old)
    assert new["tags"] == ["drink"]
    assert listed(keeper) == ["Ada drinks coffee."]
    assert read(keeper, old)["isCurrent"] is False
    problem = keeper.http.put(f"/api/memories/{old}", json={"content": "Ada drinks milk."})
    assert_problem(problem, 409, "old_version", "restore")


def test_put_changes_only_what_is_sent(keeper: Person) -> None:
    id = save(keeper, "Ada drinks tea.", title="Drinks", dueAt="2998-01-01T00:00:00Z")["id"]
    changed = put(keeper, id, dueAt=None, tags=["a"])
    assert (changed["id"], changed["dueAt"], changed["tags"]) == (id, None, ["a"])
    assert (changed["title"], changed["version"]) == ("Drinks", 1)
    moved = put(keeper, id, projectId=keeper.post("/api/projects", {"name": "New"}).json()["id"])
    assert moved["project"] == "new-project"


def test_history_tells_versions_and_events(keeper: Person) -> None:
    old = save(keeper, "Ada drinks tea.")["id"]
    new = put(keeper, old, content="Ada drinks coffee.")["id"]
    body = get(keeper, f"/api/memories/{new}/history")
    assert [one["content"] for one in body["versions"]] == ["Ada drinks tea.", "Ada drinks coffee."]
    assert [(one["subjectId"], one["type"]) for one in body["events"]] == [
        (old, "create"),
        (new, "update"),
    ]
    assert body["events"][0]["actor"] == f"key:{keeper.key[:11]}"


def test_restore_brings_back_a_version_or_what_was_deleted(keeper: Person) -> None:
    old = save(keeper, "Ada drinks tea.")["id"]
    new = put(keeper, old, content="Ada drinks coffee.")["id"]
    back = post(keeper, f"/api/memories/{old}/restore")
    assert (back["status"], back["memory"]["version"]) == ("restored", 3)
    assert listed(keeper) == ["Ada drinks tea."]
    assert keeper.http.delete(f"/api/memories/{new}").status_code == 204
    assert listed(keeper) == []
    assert_problem(keeper.http.get(f"/api/memories/{old}"), 404, "not_found")
    assert post(keeper, f"/api/memories/{new}/restore")["id"] == back["id"]
    assert listed(keeper) == ["Ada drinks tea."]


def test_merge_says_all_in_one_and_keeps_the_others_as_history(keeper: Person) -> None:
    one, two = (save(keeper, said)["id"] for said in ("Ada sails on Sundays.", "Ada owns a sloop."))
    made = post(keeper, "/api/memories/merge", ids=[one, two])
    assert (made["content"], made["version"]) == ("Ada sails on Sundays. Ada owns a sloop.", 2)
    assert listed(keeper) == [made["content"]]
    assert get(keeper, f"/api/memories/{one}")["state"] == "superseded"
    events = get(keeper, f"/api/memories/{one}/history")["events"]
    assert [event["type"] for event in events] == ["create", "merge"]
    assert_problem(keeper.post("/api/memories/merge", {"ids": [one]}), 400, "invalid")
    assert_problem(keeper.post("/api/memories/merge", {"ids": [one, two]}), 409, "not_current")


async def test_hard_delete_leaves_no_row(keeper: Person, ports: Ports) -> None:
    id = save(keeper, "Ada drinks tea.")["id"]
    assert keeper.http.delete(f"/api/memories/{id}", params={"hard": True}).status_code == 204
    assert_problem(keeper.post(f"/api/memories/{id}/restore", {}), 404, "not_found")
    left = await rows_of(ports, keeper.tenant_id)
    for table in ("memories", "links", "embeddings", "postings"):
        assert left[table] == [], table
    events = get(keeper, "/api/events", subject=id)["events"]
    assert [(one["type"], one["data"]) for one in events if one["type"] == "erase"] == [
        ("erase", {})
    ]


async def test_an_account_with_memories_is_erased(person: Person, ports: Ports) -> None:
    old = save(person, "Ada drinks tea.")["id"]
    put(person, old, content="Ada drinks coffee.")
    assert person.http.delete("/v3/account").status_code == 204
    await assert_erased(ports, person.tenant_id)


def test_lifecycle_and_feedback(keeper: Person) -> None:
    id = save(keeper, "Ada drinks tea.")["id"]
    set_to = post(keeper, f"/api/memories/{id}/lifecycle", state="quarantined", quality="bad")
    assert (set_to["state"], set_to["quality"]) == ("quarantined", "bad")
    assert listed(keeper) == []
    assert listed(keeper, state="quarantined") == ["Ada drinks tea."]
    assert post(keeper, f"/api/memories/{id}/feedback", type="helpful")["quality"] == "good"
    assert_problem(keeper.post(f"/api/memories/{id}/lifecycle", {}), 400, "invalid", "state")
    wrong = keeper.post(f"/api/memories/{id}/feedback", {"type": "meh"})
    assert_problem(wrong, 400, "invalid", "type")


def test_the_timeline_and_what_is_due(keeper: Person) -> None:
    save(keeper, SAID[0], occurredAt="2020-01-01T00:00:00Z", dueAt="2999-01-01T00:00:00Z")
    save(keeper, SAID[1], occurredAt="2021-01-01T00:00:00Z", dueAt="2998-01-01T00:00:00Z")
    save(keeper, SAID[2], dueAt="2001-01-01T00:00:00Z")
    body = get(keeper, "/api/memories/timeline")
    assert [one["content"] for one in body["memories"]] == [SAID[2], SAID[1], SAID[0]]
    only = get(keeper, "/api/memories/timeline", until="2020-06-01T00:00:00Z")
    assert [one["content"] for one in only["memories"]] == [SAID[0]]
    first = get(keeper, "/api/memories/timeline", limit=1)
    second = get(keeper, "/api/memories/timeline", limit=1, cursor=first["next_cursor"])
    assert [one["content"] for one in second["memories"]] == [SAID[1]]
    due = get(keeper, "/api/memories/foresight/active")
    assert [one["content"] for one in due["memories"]] == [SAID[1], SAID[0]]
    late = get(keeper, "/api/memories/foresight/active", overdue=True)
    assert [one["content"] for one in late["memories"]] == [SAID[2], SAID[1], SAID[0]]
    done = {"context": {**due["memories"][0]["context"], "done": "2026-11-16T10:00:00Z"}}
    assert keeper.http.put(f"/api/memories/{due['memories'][0]['id']}", json=done).is_success
    left = get(keeper, "/api/memories/foresight/active")
    assert [one["content"] for one in left["memories"]] == [SAID[0]]
    assert SAID[1] in listed(keeper)


def test_as_of_asks_for_what_held_then(keeper: Person) -> None:
    save(keeper, SAID[0], validFrom="2020-01-01T00:00:00Z", validUntil="2021-01-01T00:00:00Z")
    assert listed(keeper) == []
    assert listed(keeper, as_of="2020-06-01T00:00:00Z") == [SAID[0]]
    assert listed(keeper, as_of="2021-06-01T00:00:00Z") == []


def test_several_at_once(keeper: Person) -> None:
    one, two = save(keeper, SAID[0])["id"], save(keeper, SAID[1])["id"]
    found = post(keeper, "/api/memories/batch-get", ids=[two, NOBODYS, one])
    assert [memory["id"] for memory in found["memories"]] == [two, one]
    assert found["missing"] == [NOBODYS]
    none = keeper.post("/api/memories/batch-get", {"ids": [NOBODYS]})
    assert_problem(none, 404, "not_found")
    for ids in ([], [NOBODYS] * 101):
        assert_problem(keeper.post("/api/memories/batch-get", {"ids": ids}), 400, "invalid", "ids")


def test_providers_name_what_finds(keeper: Person) -> None:
    found = get(keeper, "/api/memories/providers")["providers"]
    assert [one["id"] for one in found] == ["text", "vector"]
    assert found[1]["dimensions"] == 384


def test_defer_is_related_in_the_background(keeper: Person) -> None:
    saved = save(keeper, SAID[0], status=202, defer=True)
    assert saved["status"] == "saved"
    assert listed(keeper) == [SAID[0]]
    job = f"/v3/jobs/{saved['jobId']}"
    until(lambda: get(keeper, job)["status"] == "completed")
    assert (save(keeper, SAID[0], status=200))["existingId"] == saved["id"]


async def test_at_the_limit_a_save_is_refused(keeper: Person, ports: Ports) -> None:
    assert get(keeper, "/api/subscription") == {
        "plan": "self-hosted",
        "memory_count": 0,
        "memory_limit": None,
    }
    statement = "UPDATE subscriptions SET plan = 'free', memory_limit = 3"
    await change(ports, keeper.tenant_id, statement)
    replies = at_once(keeper, "/api/memories", [{"content": one} for one in SAID])
    assert sorted(reply.status_code for reply in replies) == [201] * 3 + [403] * 5
    refused = next(reply for reply in replies if reply.status_code == 403)
    problem = assert_problem(refused, 403, "limit_exceeded", "3 memories")
    assert problem["details"] == {"count": 3, "limit": 3}
    plan = {"plan": "free", "memory_count": 3, "memory_limit": 3}
    assert get(keeper, "/api/subscription") == plan


def test_the_audit_trail_pages(keeper: Person) -> None:
    ids = [save(keeper, one)["id"] for one in SAID[:3]]
    first = get(keeper, "/api/events", limit=2, type="create")
    rest = get(keeper, "/api/events", limit=2, type="create", cursor=first["next_cursor"])
    body = [one["subjectId"] for one in (*first["events"], *rest["events"])]
    assert [id for id in body if id in ids] == ids[::-1]
    assert {one["subjectId"] for one in get(keeper, "/api/events", subject=ids[0])["events"]} == {
        ids[0]
    }
    reply = keeper.http.get("/api/events", params={"subject": NOBODYS})
    assert_problem(reply, 404, "not_found")


def test_projects_and_keys_are_the_same_as_elsewhere(keeper: Person) -> None:
    made = keeper.post("/api/projects", {"name": "Side Work", "description": "Evenings."})
    assert made.status_code == 201, made.text
    assert made.json()["slug"] == "side-work"
    slugs = [one["slug"] for one in get(keeper, "/api/projects")["projects"]]
    assert slugs == ["default", "side-work"]
    key = keeper.post("/api/api-keys", {"name": "laptop"})
    assert key.status_code == 201, key.text
    made = key.json()
    assert made["key"].startswith(made["keyPrefix"])
    there = {one["id"] for one in get(keeper, "/api/api-keys")["keys"]}
    assert made["id"] in there
    assert made["key"] not in str(get(keeper, "/api/api-keys"))
    assert keeper.http.delete(f"/api/api-keys/{made['id']}").status_code == 204
    assert made["id"] not in {one["id"] for one in get(keeper, "/api/api-keys")["keys"]}


# /v1


def test_a_memory_in_the_words_of_v1(keeper: Person) -> None:
    id = save(
        keeper,
        SAID[0],
        category="preference",
        project="agent.one",
        context={"a": 1},
        validUntil="2999-01-01T00:00:00Z",
    )["id"]
    node = get(keeper, f"/v1/memories/{id}")
    expected = {
        "container": "agent.one",
        "memory_type": "preference",
        "metadata": {"a": 1},
        "is_latest": True,
        "expires_at": "2999-01-01T00:00:00.000Z",
    }
    assert {name: node[name] for name in expected} == expected
    change = {"memory_type": "fact", "metadata": {"b": 2}, "tags": ["t"], "expires_at": None}
    reply = keeper.http.patch(f"/v1/memories/{id}", json=change)
    assert reply.status_code == 200, reply.text
    assert {name: reply.json()[name] for name in change} == change
    assert reply.json()["id"] == id
    version = keeper.http.patch(f"/v1/memories/{id}", json={"content": SAID[1]}).json()
    assert version["id"] != id
    assert get(keeper, f"/v1/memories/{id}")["is_latest"] is False
    assert keeper.http.delete(f"/v1/memories/{id}").status_code == 204
    assert_problem(keeper.http.get(f"/v1/memories/{id}"), 404, "not_found")


def test_related_ones_by_v1(keeper: Person) -> None:
    old = save(keeper, SAID[0])["id"]
    new = put(keeper, old, content=SAID[1])["id"]
    newest = put(keeper, new, content=SAID[2])["id"]
    near = get(keeper, f"/v1/memories/{newest}/related")["related"]
    assert [(one["id"], one["relationship"], one["direction"]) for one in near] == [
        (new, "updates", "out")
    ]
    far = get(keeper, f"/v1/memories/{old}/related", depth=2, relation=["updates"])["related"]
    assert [(one["id"], one["direction"], one["depth"]) for one in far] == [
        (new, "in", 1),
        (newest, "in", 2),
    ]
    assert get(keeper, f"/v1/memories/{old}/related", relation="similar")["related"] == []
    for query in ({"depth": 4}, {"depth": 0}, {"relation": "likes"}):
        reply = keeper.http.get(f"/v1/memories/{old}/related", params=query)
        assert_problem(reply, 400, "invalid", next(iter(query)))


def test_derive_answers_facts_and_what_is_due(keeper: Person) -> None:
    text = "Ann lives in Berlin and Cy works at ACME. Ann must call Bob by 3 March 2096."
    id = save(keeper, text)["id"]
    derived = post(keeper, f"/api/memories/{id}/derive")
    assert [one["content"] for one in derived["facts"]] == [
        "Ann lives in Berlin",
        "Cy works at ACME.",
        "Ann must call Bob by 3 March 2096.",
    ]
    assert [one["dueAt"] for one in derived["foresight"]] == ["2096-03-03T23:59:59.000Z"]
    assert derived["id"] == derived["memory"]["id"] == id


def test_what_was_inferred_is_accepted_or_declined(keeper: Person) -> None:
    id = save(keeper, "Zed keeps bees.")["id"]
    accepted = post(keeper, f"/api/memories/{id}/lifecycle", review="accept")
    assert (accepted["state"], accepted["quality"]) == ("active", "good")
    assert accepted["context"] == {"review": "accepted"}
    declined = post(keeper, f"/api/memories/{id}/lifecycle", review="decline")
    assert (declined["state"], declined["context"]) == ("quarantined", {"review": "declined"})
    both = {"review": "accept", "state": "active"}
    assert_problem(keeper.post(f"/api/memories/{id}/lifecycle", both), 400, "invalid", "review")
