"""Memories are searched by every dialect over one read path."""

from datetime import timedelta
from typing import Any

import pytest

from remem.core.ports import Ports
from remem.core.time import iso, now
from tests.conftest import Person

pytestmark = pytest.mark.anyio

FACTS = (
    "The team deploys the API on Kubernetes.",
    "Ada prefers tea over coffee in the morning.",
    "The invoice number of the roof repair is ZX-4821-QF.",
    "The staging database runs PostgreSQL 16.",
    "Grandmother's birthday is on 3 March.",
)


def remember(person: Person, content: str, **fields: Any) -> dict[str, Any]:
    reply = person.post("/api/memories", {"content": content, **fields})
    assert reply.status_code in (200, 201), reply.text
    return reply.json()


def search(person: Person, query: str, **params: Any) -> list[dict[str, Any]]:
    reply = person.http.get("/api/memories/search", params={"query": query, **params})
    assert reply.status_code == 200, reply.text
    answer = reply.json()
    assert answer["found"] == len(answer["memories"])
    return answer["memories"]


def index(person: Person, query: str, **params: Any) -> list[dict[str, Any]]:
    reply = person.http.get("/api/memories/search-index", params={"query": query, **params})
    assert reply.status_code == 200, reply.text
    return reply.json()["hits"]


@pytest.fixture
def knower(keeper: Person) -> Person:
    return told(keeper)


@pytest.fixture(scope="module")
def shared_knower(shared_keeper: Person) -> Person:
    return told(shared_keeper)


def told(person: Person) -> Person:
    for fact in FACTS:
        remember(person, fact)
    return person


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("what does Ada like to drink?", FACTS[1]),
        ("ZX-4821-QF", FACTS[2]),
        ("which database is used on staging", FACTS[3]),
        ("container orchestration of our backend", FACTS[0]),
        ("when was grandma born", FACTS[4]),
    ],
)
def test_the_right_memory_is_first_by_every_door(
    shared_knower: Person, query: str, fact: str
) -> None:
    assert search(shared_knower, query)[0]["content"] == fact
    assert index(shared_knower, query)[0]["snippet"] == fact
    listed = shared_knower.http.get("/api/memories", params={"q": query}).json()
    assert listed["memories"][0]["content"] == fact
    found = shared_knower.post("/v1/search", {"query": query}).json()
    assert found["results"][0]["content"] == fact


def test_relevance_falls_and_the_limit_is_kept(shared_knower: Person) -> None:
    found = search(shared_knower, "the staging database of the team", limit=3)
    relevance = [one["relevance"] for one in found]
    assert len(found) <= 3
    assert relevance == sorted(relevance, reverse=True)
    assert all(0 < one <= 1 for one in relevance)
    assert shared_knower.http.get("/api/memories/search?query=x&limit=11").status_code == 400
    assert shared_knower.http.get("/api/memories/search").status_code == 400


def test_what_has_nothing_to_do_with_it_is_not_found(shared_knower: Person) -> None:
    assert search(shared_knower, "volcanoes on distant planets") == []


def test_categories_and_projects(keeper: Person) -> None:
    remember(keeper, "Tabs are used in this code.", category="preference", project="alpha")
    remember(keeper, "The tabs of the browser are many.", category="fact", project="alpha.one")
    assert len(search(keeper, "tabs")) == 2
    assert len(search(keeper, "tabs", category="preference")) == 1
    assert len(search(keeper, "tabs", project="alpha")) == 1
    assert len(search(keeper, "tabs", project="alpha.*")) == 2
    assert search(keeper, "tabs", project="nobody") == []


def test_modes_and_switches(shared_knower: Person) -> None:
    for mode in ("fast", "balanced", "deep"):
        for fusion in ("rrf", "weighted"):
            hits = index(shared_knower, "PostgreSQL staging", mode=mode, fusion=fusion)
            assert hits[0]["snippet"] == FACTS[3]
    by_meaning = index(shared_knower, "orchestration of containers")
    by_word = index(shared_knower, "orchestration of containers", vector=False)
    assert FACTS[0] in [hit["snippet"] for hit in by_meaning]
    assert FACTS[0] not in [hit["snippet"] for hit in by_word]


def test_documents_beside_memories(knower: Person) -> None:
    knower.save("The staging database is backed up every night by cron.", index_only=True)
    assert {hit["kind"] for hit in index(knower, "staging database", documents=False)} == {"memory"}
    assert {hit["kind"] for hit in index(knower, "staging database")} == {"memory", "chunk"}
    found = knower.post("/v1/search", {"query": "staging database backed up"}).json()["results"]
    assert found[0]["memory_type"] == "document"
    only = {"query": "staging database", "filters": {"memory_type": ["fact"]}}
    kinds = {one["memory_type"] for one in knower.post("/v1/search", only).json()["results"]}
    assert kinds == {"fact"}


def test_what_was_superseded_is_found_only_as_of_then(keeper: Person) -> None:
    remember(keeper, "The chairperson of the club is Ada Brown.")
    then = iso(now())
    saved = remember(keeper, "The chairperson of the club is Bert Stone.")
    assert saved["status"] == "updated"
    query = "who is the chairperson of the club"
    assert [one["content"] for one in search(keeper, query)] == [saved["memory"]["content"]]
    (old,) = index(keeper, query, as_of=then)
    assert old["snippet"] == "The chairperson of the club is Ada Brown."
    listed = keeper.http.get("/api/memories", params={"q": query, "as_of": then}).json()
    assert [one["content"] for one in listed["memories"]] == [old["snippet"]]


def test_what_is_forgotten_expired_or_quarantined_is_not_found(knower: Person) -> None:
    query = "which database is used on staging"
    first = search(knower, query)[0]
    knower.post(f"/api/memories/{first['id']}/lifecycle", {"state": "quarantined"})
    assert FACTS[3] not in [one["content"] for one in search(knower, query)]
    knower.post(f"/api/memories/{first['id']}/lifecycle", {"state": "active"})
    assert search(knower, query)[0]["content"] == FACTS[3]
    knower.http.delete(f"/api/memories/{first['id']}")
    assert FACTS[3] not in [one["content"] for one in search(knower, query)]
    soon = iso(now() + timedelta(days=1))
    later = remember(knower, "The canteen serves soup.", validFrom=soon)
    assert later["id"] not in [one["id"] for one in search(knower, "canteen soup")]


def test_containers_inherit_from_their_parents_when_asked(keeper: Person) -> None:
    for container in ("agent", "agent.sub", "other"):
        body = {"content": f"The password policy of {container}.", "container": container}
        assert keeper.post("/v1/documents", body).status_code == 201

    def found(container: str, inherit: bool = False) -> set[str]:
        body = {"query": "password policy", "container": container, "inherit": inherit}
        results = keeper.post("/v1/search", body).json()["results"]
        return {one["content"].removeprefix("The password policy of ")[:-1] for one in results}

    assert found("agent") == {"agent"}
    assert found("agent.sub") == {"agent.sub"}
    assert found("agent.sub", inherit=True) == {"agent", "agent.sub"}
    assert found("agent.*") == {"agent", "agent.sub"}
    assert found("nobody") == set()


def test_related_memories_come_along(knower: Person) -> None:
    remember(knower, "The staging database runs PostgreSQL 16 with 8 GB of memory.")
    body = {"query": "staging database", "include_related": True}
    results = knower.post("/v1/search", body).json()["results"]
    related = [one for result in results for one in result["related"]]
    assert related
    assert {"id", "content", "relationship"} == set(related[0])


def test_pages_by_offset(shared_knower: Person) -> None:
    body = {"query": "the staging database of the team deploys", "limit": 1}
    pages = [
        shared_knower.post("/v1/search", {**body, "offset": offset}).json()["results"]
        for offset in (0, 1)
    ]
    assert pages[0][0]["id"] != pages[1][0]["id"]


def test_filters_of_containers(keeper: Person) -> None:
    remember(keeper, "The red ship sails.", tags=["sea"], context={"fleet": 1})
    remember(keeper, "The blue ship sails.", tags=["sea", "old"], context={"fleet": 2})
    for filters, count in (
        ({"tags": ["sea"]}, 2),
        ({"tags": ["sea", "old"]}, 1),
        ({"metadata": {"fleet": 2}}, 1),
        ({"created_after": iso(now() + timedelta(days=1))}, 0),
    ):
        reply = keeper.post("/v1/search", {"query": "ship", "filters": filters})
        assert len(reply.json()["results"]) == count, filters


async def test_a_cached_answer_ends_with_the_next_save(knower: Person, ports: Ports) -> None:
    params = {"query": "team deploys"}

    def asked() -> str:
        return knower.http.get("/api/memories/search", params=params).headers["X-Cache"]

    assert [asked(), asked()] == ["miss", "hit"]
    remember(knower, "The team also deploys a worker.")
    assert asked() == "miss"
