"""An answer given before is given again, until something is written where it was looked for."""

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


def ask(keeper: Person, query: str = "cat", **fields: Any) -> httpx2.Response:
    reply = keeper.post("/v3/recall", {"query": query, **fields})
    assert reply.status_code == 200, reply.text
    return reply


def cached(keeper: Person, query: str = "cat", **fields: Any) -> str:
    return ask(keeper, query, **fields).headers["X-Cache"]


def project(keeper: Person, name: str) -> str:
    return keeper.post("/v3/projects", {"name": name}).json()["id"]


def test_cache_hit(keeper: Person) -> None:
    keeper.save(CAT, index_only=True)
    first, again = ask(keeper, explain=True), ask(keeper, explain=True)
    assert (first.headers["X-Cache"], again.headers["X-Cache"]) == ("miss", "hit")
    assert first.json()["results"] == again.json()["results"]
    assert again.json()["results"][0]["title"] == CAT


def test_an_answer_of_nothing_is_remembered_too(keeper: Person) -> None:
    assert [cached(keeper), cached(keeper)] == ["miss", "hit"]
    assert ask(keeper).json()["results"] == []


def test_what_only_shows_the_answer_otherwise_is_the_same_question(keeper: Person) -> None:
    keeper.save(CAT, index_only=True)
    cached(keeper)
    reply = ask(keeper, max_tokens=100)
    assert reply.headers["X-Cache"] == "hit"
    assert CAT in reply.json()["context"]["text"]


def test_an_explanation_is_made_once_and_remembered(keeper: Person) -> None:
    keeper.save(CAT, index_only=True)
    cached(keeper)
    replies = [ask(keeper, explain=True) for _ in range(2)]
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
def test_cache_miss(keeper: Person, other: dict[str, Any]) -> None:
    """Another question is another question."""
    keeper.save(CAT, index_only=True)
    assert [cached(keeper), cached(keeper)] == ["miss", "hit"]
    assert [cached(keeper, **other), cached(keeper, **other)] == ["miss", "hit"]


def test_cache_invalidation(keeper: Person) -> None:
    keeper.save(CAT, index_only=True)
    assert [cached(keeper), cached(keeper)] == ["miss", "hit"]
    keeper.save("Another cat, a black one.", index_only=True)
    reply = ask(keeper)
    assert reply.headers["X-Cache"] == "miss"
    assert len(reply.json()["results"]) == 2


Write = Callable[[Person, str], httpx2.Response]
WRITES: dict[str, Write] = {
    "title": lambda one, id: one.http.patch(f"/v3/documents/{id}", json={"title": "Renamed"}),
    "tags": lambda one, id: one.http.patch(f"/v3/documents/{id}", json={"tags": ["pets"]}),
    "metadata": lambda one, id: one.http.patch(f"/v3/documents/{id}", json={"metadata": {"a": 1}}),
    "content": lambda one, id: one.http.patch(f"/v3/documents/{id}", json={"content": "A dog."}),
    "forget_after": lambda one, id: one.http.patch(
        f"/v3/documents/{id}", json={"forget_after": "2200-01-01T00:00:00Z"}
    ),
    "project": lambda one, id: one.http.patch(f"/v3/documents/{id}", json={"project": "other"}),
    "version": lambda one, id: one.post(
        "/v3/memory", {"content": "A dog.", "updates_memory_id": id}
    ),
    "delete": lambda one, id: one.http.delete(f"/v3/documents/{id}"),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
@pytest.mark.parametrize("where", [{}, {"project": "default"}, {"project": "default.*"}])
def test_after_any_change_the_answer_is_made_anew(
    keeper: Person, write: Write, where: dict[str, str]
) -> None:
    project(keeper, "other")
    id = keeper.save(CAT, index_only=True)["id"]
    assert [cached(keeper, **where), cached(keeper, **where)] == ["miss", "hit"]
    done = write(keeper, id)
    assert done.status_code < 300, done.text
    assert cached(keeper, **where) == "miss"


def test_what_is_deleted_is_never_served(keeper: Person) -> None:
    gone, _ = keeper.save(CAT, index_only=True), keeper.save("A cat that stays.", index_only=True)
    assert len(ask(keeper).json()["results"]) == len(ask(keeper).json()["results"]) == 2
    assert keeper.http.delete(f"/v3/documents/{gone['id']}").status_code in (200, 204)
    assert titles(ask(keeper).json()["results"]) == ["A cat that stays."]


def test_what_goes_with_its_project_is_never_served(keeper: Person) -> None:
    doomed = project(keeper, "Doomed")
    keeper.save(CAT, project_id=doomed, index_only=True)
    assert [cached(keeper), cached(keeper)] == ["miss", "hit"]
    assert keeper.http.delete(f"/v3/projects/{doomed}").status_code in (200, 204)
    assert ask(keeper).json()["results"] == []


def test_a_write_elsewhere_leaves_the_answers_of_a_project(keeper: Person) -> None:
    here, there = project(keeper, "Here"), project(keeper, "There")
    keeper.save(CAT, project_id=here, index_only=True)
    for _ in range(2):
        everywhere, inside = cached(keeper), cached(keeper, project_id=here)
    assert (everywhere, inside) == ("hit", "hit")
    keeper.save(TAX, project_id=there, index_only=True)
    assert cached(keeper, project_id=here) == "hit"
    assert cached(keeper) == "miss"


def test_a_new_project_below_is_looked_into(keeper: Person) -> None:
    keeper.post("/v3/projects", {"name": "work", "slug": "work"})
    keeper.save(CAT, project="work", index_only=True)
    assert [cached(keeper, project="work.*") for _ in range(2)] == ["miss", "hit"]
    keeper.post("/v3/projects", {"name": "notes", "slug": "work.notes"})
    keeper.save("A cat in the notes.", project="work.notes", index_only=True)
    assert len(ask(keeper, project="work.*").json()["results"]) == 2


def test_another_tenant_never_gets_a_hit(keeper: Person, stranger: Person) -> None:
    keeper.save(CAT, index_only=True)
    assert [cached(keeper), cached(keeper)] == ["miss", "hit"]
    reply = ask(stranger)
    assert reply.headers["X-Cache"] == "miss"
    assert reply.json()["results"] == []
    cached(stranger)
    stranger.save(TAX, index_only=True)
    assert cached(keeper) == "hit", "nor does their writing cost us ours"


def test_what_is_past_its_time_is_not_served_from_memory(keeper: Person) -> None:
    keeper.save("A cat that stays.", index_only=True)
    keeper.save(CAT, forget_after=iso(now() + timedelta(seconds=2)))
    before = ask(keeper).json()["results"]
    assert len(before) == 2
    until(lambda: titles(ask(keeper).json()["results"]) == ["A cat that stays."])
    assert titles(ask(keeper, "").json()["results"]) == ["A cat that stays."]


async def test_last_accessed_tracking(keeper: Person, ports: Ports) -> None:
    """Also for an answer that was given before."""
    saved = keeper.save(CAT, index_only=True)
    other = keeper.save(TAX, index_only=True)["id"]
    for expected in ("miss", "hit"):
        assert cached(keeper, mode="fast") == expected
        until(lambda: read(keeper, saved["id"])["last_accessed_at"])
        forget = "UPDATE documents SET last_accessed_at = NULL WHERE id = $1::uuid"
        await change(ports, keeper.tenant_id, forget, saved["id"])
    assert read(keeper, other)["last_accessed_at"] is None
    assert cached(keeper, mode="fast") == "hit", "to be read is no change"
