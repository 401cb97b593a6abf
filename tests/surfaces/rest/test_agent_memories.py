"""Memories over /api: saved, read and listed."""

from typing import Any

import pytest

from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem


def save(keeper: Person, content: str, status: int = 201, **fields: Any) -> dict[str, Any]:
    reply = keeper.post("/api/memories", {"content": content, **fields})
    assert reply.status_code == status, reply.text
    return reply.json()


def read(keeper: Person, id: str) -> dict[str, Any]:
    reply = keeper.http.get(f"/api/memories/{id}")
    assert reply.status_code == 200, reply.text
    return reply.json()


def listed(keeper: Person, **query: Any) -> list[str]:
    reply = keeper.http.get("/api/memories", params=query)
    assert reply.status_code == 200, reply.text
    return [one["content"] for one in reply.json()["memories"]]


def test_what_is_saved_is_read_as_it_was_sent(keeper: Person) -> None:
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
    saved = save(keeper, "The team uses PostgreSQL.", **sent)
    assert (saved["status"], saved["superseded"], saved["existingId"]) == ("saved", None, None)
    memory = read(keeper, saved["id"])
    expected = {**sent, "content": "The team uses PostgreSQL."}
    assert {name: memory[name] for name in expected} == expected
    assert (memory["isCurrent"], memory["version"], memory["state"]) == (True, 1, "active")
    assert memory["rootId"] == saved["id"]


def test_names_in_snake_case_are_understood(keeper: Person) -> None:
    saved = save(keeper, "Review the plan.", due_at="2998-01-01T00:00:00Z", defer=False)
    assert saved["memory"]["dueAt"] == "2998-01-01T00:00:00.000Z"


def test_reading_is_counted(keeper: Person) -> None:
    id = save(keeper, "Ada prefers tea.")["id"]
    assert [read(keeper, id)["accessCount"] for _ in range(3)] == [1, 2, 3]


def test_the_same_statement_is_kept_once(keeper: Person) -> None:
    first = save(keeper, "Ada prefers tea.")
    again = save(keeper, "Ada prefers tea.  \r\n", status=200)
    assert (again["status"], again["existingId"]) == ("duplicate", first["id"])
    assert listed(keeper) == ["Ada prefers tea."]


def test_a_list_pages_newest_first_and_says_how_many(keeper: Person) -> None:
    said = ["Tea is hot.", "The bridge is shut.", "Owls hunt.", "Jazz began here.", "Pay is late."]
    for one in said:
        save(keeper, one, category="note")
    seen, cursor = [], None
    while True:
        query = {"limit": 2, **({"cursor": cursor} if cursor else {})}
        page = keeper.http.get("/api/memories", params=query).json()
        assert page["total"] == 5
        seen += [one["content"] for one in page["memories"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert seen == said[::-1]


def test_a_list_is_narrowed(keeper: Person) -> None:
    save(keeper, "Ada prefers tea.", category="preference", tags=["a", "b"], project="home")
    save(keeper, "The build is green.", tags=["b"])
    assert listed(keeper, category="preference") == ["Ada prefers tea."]
    assert listed(keeper, project="home") == ["Ada prefers tea."]
    assert listed(keeper, tags=["a", "b"]) == ["Ada prefers tea."]
    assert listed(keeper, tags="b") == ["The build is green.", "Ada prefers tea."]
    assert listed(keeper, state="quarantined") == []


def test_what_is_past_its_time_is_not_listed(keeper: Person) -> None:
    save(keeper, "The code freeze is on.", validUntil="2001-01-01T00:00:00Z")
    assert listed(keeper) == []


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
def test_bad_input_is_refused_by_name(keeper: Person, field: str, body: dict[str, Any]) -> None:
    problem = assert_problem(keeper.post("/api/memories", body), 400, "invalid")
    assert problem["details"]["field"] == field
    assert listed(keeper) == []


def test_an_unknown_project_session_or_memory_is_not_found(keeper: Person) -> None:
    nobodys = "01900000-0000-7000-8000-000000000000"
    for field in ("projectId", "sessionId"):
        assert_problem(
            keeper.post("/api/memories", {"content": "x", field: nobodys}), 404, "not_found"
        )
    assert_problem(keeper.http.get(f"/api/memories/{nobodys}"), 404, "not_found")
    query = {"project": "nowhere"}
    assert_problem(keeper.http.get("/api/memories", params=query), 404, "not_found")
