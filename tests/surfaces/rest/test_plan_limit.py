"""The plan's limit: what is left out says so, waits for room, and blocks no correction."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.conftest import ADMIN_KEY, Person, Server
from tests.tools.waiting import until

TEXT = "I own a red boat. I speak Basque. My sister lives in Porto. I play the cello."


@pytest.fixture
def set_plan(server: Server, person: Person) -> Callable[..., None]:
    headers = {"Authorization": f"Bearer {ADMIN_KEY}"}

    def change(**fields: Any) -> None:
        url = f"{server.url}/admin/tenants/{person.tenant_id}"
        httpx2.patch(url, headers=headers, json=fields, timeout=60).raise_for_status()

    return change


def get(person: Person, path: str, **query: Any) -> Any:
    reply = person.http.get(path, params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()


def memories(person: Person) -> list[dict[str, Any]]:
    return get(person, "/api/memories", limit=50)["memories"]


def extraction(person: Person, document_id: str) -> dict[str, Any]:
    """The latest job that extracts the document's memories, once it has ended."""

    def ended() -> list[dict[str, Any]]:
        return [
            job
            for job in get(person, "/v3/jobs", limit=50)["jobs"]
            if (job["name"], job["subject_id"]) == ("distil_document", document_id)
            and job["finished_at"]
        ]

    until(ended)
    return ended()[0]


def error_of(person: Person, id: str) -> str | None:
    return get(person, f"/v3/documents/{id}")["error"]


def save_at_the_limit(person: Person, set_plan: Callable[..., None], limit: int) -> str:
    set_plan(memory_limit=limit)
    id = person.save(TEXT)["id"]
    assert extraction(person, id)["status"] == "failed"
    return id


def test_what_the_limit_leaves_out_is_said(person: Person, set_plan: Callable[..., None]) -> None:
    id = save_at_the_limit(person, set_plan, 1)
    assert len(memories(person)) == 1
    document = get(person, f"/v3/documents/{id}")
    assert document["status"] == "done"
    assert document["error"].startswith("3 memories were not extracted: the plan's limit of 1 ")
    assert extraction(person, id)["error"] == document["error"]
    [event] = get(person, "/api/events", type="limit_reached")["events"]
    assert (event["subjectId"], event["data"]) == (id, {"stored": 1, "not_stored": 3})


@pytest.mark.parametrize("plan", [{"plan": "pro", "memory_limit": None}, {"memory_limit": 9}])
def test_a_larger_plan_resumes_it(
    person: Person, set_plan: Callable[..., None], plan: dict[str, Any]
) -> None:
    id = save_at_the_limit(person, set_plan, 0)
    set_plan(**plan)
    until(lambda: len(memories(person)) == 4)
    until(lambda: error_of(person, id) is None)
    assert extraction(person, id)["status"] == "completed"


@pytest.mark.parametrize("how", ["memory", "erased", "document", "project"])
def test_a_deletion_resumes_it(person: Person, set_plan: Callable[..., None], how: str) -> None:
    person.post("/v3/projects", {"name": "old"}).raise_for_status()
    other = person.save("I drive a green van.", project="old")["id"]
    until(lambda: len(memories(person)) == 1)
    memory_id = memories(person)[0]["id"]
    id = save_at_the_limit(person, set_plan, 1)
    path = {
        "memory": f"/api/memories/{memory_id}",
        "erased": f"/api/memories/{memory_id}?hard=true",
        "document": f"/v3/documents/{other}",
        "project": "/v3/projects/old",
    }[how]
    person.http.delete(path).raise_for_status()
    until(lambda: "3 memories were not" in (error_of(person, id) or ""))
    [memory] = memories(person)
    assert memory["content"] in TEXT


def test_at_the_limit_a_memory_is_corrected(person: Person, set_plan: Callable[..., None]) -> None:
    set_plan(memory_limit=1)
    saved = person.post("/api/memories", {"content": "I live in Paris."}).json()
    for city in ("Rome", "Oslo"):
        [memory] = memories(person)
        reply = person.http.put(
            f"/api/memories/{memory['id']}", json={"content": f"I live in {city}."}
        )
        assert reply.status_code == 200, reply.text
    updated = person.post("/api/memories", {"content": "I moved to Berlin."})
    assert (updated.status_code, updated.json()["status"]) == (201, "updated")
    refused = person.post("/api/memories", {"content": "The buoy is red."})
    assert (refused.status_code, refused.json()["code"]) == (403, "limit_exceeded")
    assert get(person, "/api/subscription")["memory_count"] == 1
    restored = person.post(f"/api/memories/{saved['id']}/restore", {})
    assert restored.status_code == 200, restored.text
    assert [memory["content"] for memory in memories(person)] == ["I live in Paris."]
