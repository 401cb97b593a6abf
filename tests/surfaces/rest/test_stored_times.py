"""Every search returns when a memory happened and when it is due."""

from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.distil import distil_document
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person

HAPPENED, DUE = "2026-11-03T00:00:00.000Z", "2027-02-15T14:00:00.000Z"


@pytest.fixture
def user_with_times(user: Person) -> Person:
    user.post("/api/memories", {"content": "I had a migraine.", "occurredAt": "2026-11-03"})
    user.post("/api/memories", {"content": "Hand in the thesis.", "dueAt": DUE})
    return user


def hits(person: Person, query: str) -> dict[str, dict[str, Any]]:
    """The first hit of each search."""
    get, params = person.http.get, {"query": query}
    result = person.recall(query)[0]
    return {
        "v3": result["chunks"][0],
        "v1": person.post("/v1/search", params).json()["results"][0],
        "profile": get("/v1/profile", params=params).json()["relevant_memories"][0],
        "search": get("/api/memories/search", params=params).json()["memories"][0],
        "index": get("/api/memories/search-index", params=params).json()["hits"][0],
        "list": get("/api/memories", params={"q": query}).json()["memories"][0],
    }


def times(hit: dict[str, Any]) -> tuple[str | None, str | None]:
    if "occurred_at" in hit:
        return hit["occurred_at"], hit["due_at"]
    return hit["occurredAt"], hit["dueAt"]


@pytest.mark.parametrize(
    ("query", "expected"), [("migraine", (HAPPENED, None)), ("thesis", (None, DUE))]
)
def test_every_search_has_the_times(
    user_with_times: Person, query: str, expected: tuple[str | None, str | None]
) -> None:
    hit_times = {name: times(hit) for name, hit in hits(user_with_times, query).items()}
    assert hit_times == dict.fromkeys(hit_times, expected)


def test_a_single_memory_has_the_times(user_with_times: Person) -> None:
    id = user_with_times.recall("migraine")[0]["id"]
    assert times(user_with_times.http.get(f"/v1/memories/{id}").json()) == (HAPPENED, None)


def test_the_time_of_speaking_is_separate(user: Person) -> None:
    body = {"content": "I had a migraine.", "occurredAt": "2026-11-03", "speaker": "Ann"}
    user.post("/api/memories", body | {"saidAt": "2026-11-05T10:00:00Z"})
    [chunk] = user.recall("migraine")[0]["chunks"]
    assert (chunk["said_at"], chunk["occurred_at"]) == ("2026-11-05T10:00:00.000Z", HAPPENED)
    assert chunk["speaker"] == "Ann"


@pytest.mark.anyio
async def test_a_memory_of_a_document_has_the_times_beside_its_chunk(
    user: Person, ports: Ports
) -> None:
    id = user.save("The boiler was repaired on 3 March 2026.")["id"]
    scope = Scope(UUID(user.tenant_id), UUID(user.user_id), "test")
    await distil_document(ports, scope, UUID(id))
    [memory] = user.recall("when was the boiler repaired?")[0]["chunks"][0]["memories"]
    assert times(memory) == ("2026-03-03T00:00:00.000Z", None)


def test_texts_for_models_have_the_times(user_with_times: Person) -> None:
    body = {"query": "thesis", "max_tokens": 200}
    context = user_with_times.post("/v3/recall", body).json()["context"]
    assert ", due 2027-02-15)" in context["text"]
    params = {"format": "markdown", "query": "migraine"}
    text = user_with_times.http.get("/v1/profile", params=params).text
    assert "I had a migraine. (happened: 2026-11-03)" in text
