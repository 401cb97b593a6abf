"""Answers are cached until something is written in the projects that were searched."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from remem.core.ports import Ports
from remem.core.time import iso, now
from tests.conftest import Person
from tests.surfaces.rest.rows import change
from tests.surfaces.rest.things import CAT, TAX, read, titles
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio


def ask(user: Person, query: str = "cat", **fields: Any) -> httpx2.Response:
    reply = user.post("/v3/recall", {"query": query, **fields})
    assert reply.status_code == 200, reply.text
    return reply


def cache_status(user: Person, query: str = "cat", **fields: Any) -> str:
    return ask(user, query, **fields).headers["X-Cache"]


def create_project(user: Person, name: str) -> str:
    return user.post("/v3/projects", {"name": name}).json()["id"]


def test_cache_hit(user: Person) -> None:
    user.save(CAT, index_only=True)
    first, again = ask(user, explain=True), ask(user, explain=True)
    assert (first.headers["X-Cache"], again.headers["X-Cache"]) == ("miss", "hit")
    assert first.json()["results"] == again.json()["results"]
    assert again.json()["results"][0]["title"] == CAT


def test_an_empty_answer_is_cached_too(user: Person) -> None:
    assert [cache_status(user), cache_status(user)] == ["miss", "hit"]
    assert ask(user).json()["results"] == []


def test_presentation_options_do_not_miss_the_cache(user: Person) -> None:
    user.save(CAT, index_only=True)
    cache_status(user)
    reply = ask(user, max_tokens=100)
    assert reply.headers["X-Cache"] == "hit"
    assert CAT in reply.json()["context"]["text"]


def test_an_explanation_is_computed_once_and_cached(user: Person) -> None:
    user.save(CAT, index_only=True)
    cache_status(user)
    replies = [ask(user, explain=True) for _ in range(2)]
    assert [reply.headers["X-Cache"] for reply in replies] == ["miss", "hit"]
    parts = [reply.json()["results"][0]["chunks"][0]["explain"] for reply in replies]
    assert parts[0] == parts[1]
    assert parts[0]["text"] == 1


@pytest.mark.parametrize(
    "other",
    [
        {"query": "cats"},
        {"limit": 3},
        {"mode": "fast"},
        {"filters": {"tags": ["a"]}},
        {"filters": {"metadata": {"a": 1}}},
        {"filters": {"created_after": "2020-01-01T00:00:00Z"}},
        {"asked_at": "2020-01-01T00:00:00Z"},
        {"project": "default"},
    ],
)
def test_cache_miss(user: Person, other: dict[str, Any]) -> None:
    """Any different parameter is a different cache key."""
    user.save(CAT, index_only=True)
    assert [cache_status(user), cache_status(user)] == ["miss", "hit"]
    assert [cache_status(user, **other), cache_status(user, **other)] == ["miss", "hit"]


def test_cache_invalidation(user: Person) -> None:
    user.save(CAT, index_only=True)
    assert [cache_status(user), cache_status(user)] == ["miss", "hit"]
    user.save("Another cat, a black one.", index_only=True)
    reply = ask(user)
    assert reply.headers["X-Cache"] == "miss"
    assert len(reply.json()["results"]) == 2


Write = Callable[[Person, str], httpx2.Response]
WRITES: dict[str, Write] = {
    "title": lambda person, id: person.http.patch(f"/v3/documents/{id}", json={"title": "Renamed"}),
    "tags": lambda person, id: person.http.patch(f"/v3/documents/{id}", json={"tags": ["pets"]}),
    "metadata": lambda person, id: person.http.patch(
        f"/v3/documents/{id}", json={"metadata": {"a": 1}}
    ),
    "content": lambda person, id: person.http.patch(
        f"/v3/documents/{id}", json={"content": "A dog."}
    ),
    "forget_after": lambda person, id: person.http.patch(
        f"/v3/documents/{id}", json={"forget_after": "2200-01-01T00:00:00Z"}
    ),
    "project": lambda person, id: person.http.patch(
        f"/v3/documents/{id}", json={"project": "other"}
    ),
    "version": lambda person, id: person.post(
        "/v3/memory", {"content": "A dog.", "updates_memory_id": id}
    ),
    "delete": lambda person, id: person.http.delete(f"/v3/documents/{id}"),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
@pytest.mark.parametrize("search_fields", [{}, {"project": "default"}, {"project": "default.*"}])
def test_any_change_invalidates_the_answer(
    user: Person, write: Write, search_fields: dict[str, str]
) -> None:
    create_project(user, "other")
    id = user.save(CAT, index_only=True)["id"]
    assert [cache_status(user, **search_fields), cache_status(user, **search_fields)] == [
        "miss",
        "hit",
    ]
    reply = write(user, id)
    assert reply.status_code < 300, reply.text
    assert cache_status(user, **search_fields) == "miss"


def test_a_deleted_document_is_never_served(user: Person) -> None:
    deleted, _ = user.save(CAT, index_only=True), user.save("A cat that stays.", index_only=True)
    assert len(ask(user).json()["results"]) == len(ask(user).json()["results"]) == 2
    assert user.http.delete(f"/v3/documents/{deleted['id']}").status_code in (200, 204)
    assert titles(ask(user).json()["results"]) == ["A cat that stays."]


def test_a_document_of_a_deleted_project_is_never_served(user: Person) -> None:
    project_id = create_project(user, "Doomed")
    user.save(CAT, project_id=project_id, index_only=True)
    assert [cache_status(user), cache_status(user)] == ["miss", "hit"]
    assert user.http.delete(f"/v3/projects/{project_id}").status_code in (200, 204)
    assert ask(user).json()["results"] == []


def test_a_write_in_another_project_keeps_cached_answers(user: Person) -> None:
    first_project, second_project = create_project(user, "Here"), create_project(user, "There")
    user.save(CAT, project_id=first_project, index_only=True)
    for _ in range(2):
        everywhere, inside = cache_status(user), cache_status(user, project_id=first_project)
    assert (everywhere, inside) == ("hit", "hit")
    user.save(TAX, project_id=second_project, index_only=True)
    assert cache_status(user, project_id=first_project) == "hit"
    assert cache_status(user) == "miss"


def test_a_new_child_project_is_searched(user: Person) -> None:
    user.post("/v3/projects", {"name": "work", "slug": "work"})
    user.save(CAT, project="work", index_only=True)
    assert [cache_status(user, project="work.*") for _ in range(2)] == ["miss", "hit"]
    user.post("/v3/projects", {"name": "notes", "slug": "work.notes"})
    user.save("A cat in the notes.", project="work.notes", index_only=True)
    assert len(ask(user, project="work.*").json()["results"]) == 2


def test_another_tenant_never_gets_a_hit(user: Person, stranger: Person) -> None:
    user.save(CAT, index_only=True)
    assert [cache_status(user), cache_status(user)] == ["miss", "hit"]
    reply = ask(stranger)
    assert reply.headers["X-Cache"] == "miss"
    assert reply.json()["results"] == []
    cache_status(stranger)
    stranger.save(TAX, index_only=True)
    assert cache_status(user) == "hit", "a write of another tenant must not invalidate it"


def test_an_expired_document_is_not_served_from_the_cache(user: Person) -> None:
    user.save("A cat that stays.", index_only=True)
    user.save(CAT, forget_after=iso(now() + timedelta(seconds=2)))
    before = ask(user).json()["results"]
    assert len(before) == 2
    until(lambda: titles(ask(user).json()["results"]) == ["A cat that stays."])
    assert titles(ask(user, "").json()["results"]) == ["A cat that stays."]


async def test_last_accessed_tracking(user: Person, ports: Ports) -> None:
    """Cached answers count as an access too."""
    saved = user.save(CAT, index_only=True)
    other = user.save(TAX, index_only=True)["id"]
    for expected in ("miss", "hit"):
        assert cache_status(user, mode="fast") == expected
        until(lambda: read(user, saved["id"])["last_accessed_at"])
        forget = "UPDATE documents SET last_accessed_at = NULL WHERE id = $1::uuid"
        await change(ports, user.tenant_id, forget, saved["id"])
    assert read(user, other)["last_accessed_at"] is None
    assert cache_status(user, mode="fast") == "hit", "an access must not invalidate it"
