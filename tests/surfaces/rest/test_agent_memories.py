"""Saving, reading and listing memories over /api."""

from typing import Any

import pytest

from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem


def save(user: Person, content: str, status: int = 201, **fields: Any) -> dict[str, Any]:
    reply = user.post("/api/memories", {"content": content, **fields})
    assert reply.status_code == status, reply.text
    return reply.json()


def read(user: Person, id: str) -> dict[str, Any]:
    reply = user.http.get(f"/api/memories/{id}")
    assert reply.status_code == 200, reply.text
    return reply.json()


def listed(user: Person, **query: Any) -> list[str]:
    reply = user.http.get("/api/memories", params=query)
    assert reply.status_code == 200, reply.text
    return [memory["content"] for memory in reply.json()["memories"]]


def test_a_memory_is_returned_as_it_was_sent(user: Person) -> None:
    sent = {
        "title": "Database",
        "category": "decision",
        "project": "my-app.backend",
        "tags": ["db", "infra"],
        "context": {"ticket": 12},
        "confidence": 0.8,
        "validFrom": "2026-01-01T00:00:00.000Z",
        "validUntil": "2999-01-01T00:00:00.000Z",
        "occurredAt": "2026-01-02T00:00:00.000Z",
        "dueAt": "2998-01-01T00:00:00.000Z",
        "source": "mcp",
    }
    saved = save(user, "The team uses PostgreSQL.", **sent)
    assert (saved["status"], saved["superseded"], saved["existingId"]) == ("saved", None, None)
    memory = read(user, saved["id"])
    expected = {**sent, "content": "The team uses PostgreSQL."}
    assert {name: memory[name] for name in expected} == expected
    assert (memory["isCurrent"], memory["version"], memory["state"]) == (True, 1, "active")
    assert memory["rootId"] == saved["id"]


def test_field_names_in_snake_case_are_accepted(user: Person) -> None:
    saved = save(user, "Review the plan.", due_at="2998-01-01T00:00:00Z", defer=False)
    assert saved["memory"]["dueAt"] == "2998-01-01T00:00:00.000Z"


def test_reading_is_counted(user: Person) -> None:
    id = save(user, "Ada prefers tea.")["id"]
    assert [read(user, id)["accessCount"] for _ in range(3)] == [1, 2, 3]


def test_the_same_statement_is_stored_once(user: Person) -> None:
    first = save(user, "Ada prefers tea.")
    again = save(user, "Ada prefers tea.  \r\n", status=200)
    assert (again["status"], again["existingId"]) == ("duplicate", first["id"])
    assert listed(user) == ["Ada prefers tea."]


def test_a_list_is_paged_newest_first_with_a_total(user: Person) -> None:
    contents = [
        "Tea is hot.",
        "The bridge is shut.",
        "Owls hunt.",
        "Jazz began here.",
        "Pay is late.",
    ]
    for content in contents:
        save(user, content, category="note")
    seen, cursor = [], None
    while True:
        query = {"limit": 2, **({"cursor": cursor} if cursor else {})}
        page = user.http.get("/api/memories", params=query).json()
        assert page["total"] == 5
        seen += [memory["content"] for memory in page["memories"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert seen == contents[::-1]


def test_a_list_is_filtered(user: Person) -> None:
    save(user, "Ada prefers tea.", category="preference", tags=["a", "b"], project="home")
    save(user, "The build is green.", tags=["b"])
    assert listed(user, category="preference") == ["Ada prefers tea."]
    assert listed(user, project="home") == ["Ada prefers tea."]
    assert listed(user, tags=["a", "b"]) == ["Ada prefers tea."]
    assert listed(user, tags="b") == ["The build is green.", "Ada prefers tea."]
    assert listed(user, state="quarantined") == []


def test_an_expired_memory_is_not_listed(user: Person) -> None:
    save(user, "The code freeze is on.", validUntil="2001-01-01T00:00:00Z")
    assert listed(user) == []


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("content", {}),
        ("content", {"content": " \n "}),
        ("content", {"content": "x" * 10_001}),
        ("category", {"content": "x", "category": "spell"}),
        ("confidence", {"content": "x", "confidence": 2}),
        ("tags", {"content": "x", "tags": ["t" * 101]}),
        ("context", {"content": "x", "context": {"k": "v" * 64_000}}),
        (
            "valid_until",
            {"content": "x", "validFrom": "2026-01-02T00:00Z", "validUntil": "2026-01-01T00:00Z"},
        ),
        ("dueAt", {"content": "x", "dueAt": "soon"}),
        ("nonsense", {"content": "x", "nonsense": 1}),
    ],
)
def test_a_bad_field_is_refused_by_name(user: Person, field: str, body: dict[str, Any]) -> None:
    problem = assert_problem(user.post("/api/memories", body), 400, "invalid")
    assert problem["details"]["field"] == field
    assert listed(user) == []


def test_an_unknown_project_session_or_memory_is_not_found(user: Person) -> None:
    unknown = "01900000-0000-7000-8000-000000000000"
    for field in ("projectId", "sessionId"):
        assert_problem(
            user.post("/api/memories", {"content": "x", field: unknown}), 404, "not_found"
        )
    assert_problem(user.http.get(f"/api/memories/{unknown}"), 404, "not_found")
    query = {"project": "nowhere"}
    assert_problem(user.http.get("/api/memories", params=query), 404, "not_found")
