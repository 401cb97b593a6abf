"""Every dialect searches memories through the same read path."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from remem.core.ports import Ports
from remem.core.time import iso, now
from tests.conftest import Person, Server
from tests.surfaces.rest.conftest import new_user

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
def user_with_facts(user: Person) -> Person:
    return save_facts(user)


@pytest.fixture(scope="module")
def shared_user_with_facts(shared_user: Person) -> Person:
    return save_facts(shared_user)


def save_facts(person: Person) -> Person:
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
def test_the_right_memory_is_first_in_every_dialect(
    shared_user_with_facts: Person, query: str, fact: str
) -> None:
    assert search(shared_user_with_facts, query)[0]["content"] == fact
    assert index(shared_user_with_facts, query)[0]["snippet"] == fact
    listed = shared_user_with_facts.http.get("/api/memories", params={"q": query}).json()
    assert listed["memories"][0]["content"] == fact
    body = shared_user_with_facts.post("/v1/search", {"query": query}).json()
    assert body["results"][0]["content"] == fact


def test_results_are_sorted_by_relevance_and_limited(shared_user_with_facts: Person) -> None:
    memories = search(shared_user_with_facts, "the staging database of the team", limit=3)
    relevance = [memory["relevance"] for memory in memories]
    assert len(memories) <= 3
    assert relevance == sorted(relevance, reverse=True)
    assert all(0 < value <= 1 for value in relevance)
    assert (
        shared_user_with_facts.http.get("/api/memories/search?query=x&limit=11").status_code == 400
    )
    assert shared_user_with_facts.http.get("/api/memories/search").status_code == 400


STATEMENTS = (
    "Lena is allergic to peanuts.",
    "Team decided to use PostgreSQL for the database",
    "Prefers dark mode",
    "Deploys on Docker",
    "The dentist moved the appointment to Friday at nine.",
    "The wifi password of the cabin is otter-42.",
    "Mara likes hiking in the Alps.",
    "Never log tokens",
    "The car needs new tyres before winter.",
    "Tom plays the cello on Tuesdays.",
    "The rent is due on the first of the month.",
    "Omar moved to Lisbon in May.",
    "Die Bäckerei schließt samstags um sechs.",
)


@pytest.fixture(scope="module")
def user_with_statements(server: Server) -> Iterator[Person]:
    with new_user(server) as user:
        for statement in STATEMENTS:
            remember(user, statement)
        yield user


@pytest.mark.parametrize(
    ("query", "statement"),
    [
        ("Lena", STATEMENTS[0]),
        ("Omar", STATEMENTS[11]),
        ("database decision", STATEMENTS[1]),
        ("container platform", STATEMENTS[3]),
        ("cabin wifi", STATEMENTS[5]),
        ("who plays an instrument", STATEMENTS[9]),
        ("what do I owe each month", STATEMENTS[10]),
        ("Where did Omar move to?", STATEMENTS[11]),
        ("wann macht die Bäckerei zu?", STATEMENTS[12]),
    ],
)
@pytest.mark.parametrize("threshold", [0.5, 0.6])
def test_a_cut_by_relevance_keeps_the_answer_and_drops_strangers(
    user_with_statements: Person, query: str, statement: str, threshold: float
) -> None:
    kept = [
        memory["content"]
        for memory in search(user_with_statements, query, weak=True)
        if memory["relevance"] >= threshold
    ]
    assert kept == [statement]
    found = user_with_statements.post("/v1/search", {"query": query, "weak": True}).json()
    assert [hit["content"] for hit in found["results"] if hit["score"] >= threshold] == kept
    assert all(hit["score"] < threshold for hit in found["results"] if hit["weak"])


@pytest.mark.parametrize("name", ["Lena", "omar", "Mara", "Tom"])
def test_an_exact_name_adds_no_strangers(user_with_statements: Person, name: str) -> None:
    (hit,) = user_with_statements.post("/v1/search", {"query": name}).json()["results"]
    assert name.lower() in hit["content"].lower()
    (memory,) = search(user_with_statements, name)
    assert memory["content"] == hit["content"]


def test_a_memory_rated_good_is_at_most_completely_relevant(user: Person) -> None:
    id = remember(user, "The cabin's wifi password is otter-42.")["id"]
    assert user.post(f"/api/memories/{id}/lifecycle", {"quality": "good"}).status_code == 200
    (memory,) = search(user, "the cabin's wifi password is otter-42")
    (hit,) = user.post("/v1/search", {"query": "cabin wifi password"}).json()["results"]
    (compact,) = index(user, "cabin wifi password")
    assert 0.9 < memory["relevance"] <= 1
    assert 0.9 < hit["score"] <= 1
    assert 0.9 < compact["score"] <= 1


def test_a_snippet_has_no_markup(user: Person) -> None:
    quote = "> **Never** open the [red valve](https://a.example/v) of `unit_7`."
    text = f"# Boiler\n\n{quote}\n\n- ask *Tom*"
    user.save(text, content_type="markdown", index_only=True)
    user.save("x = '**kwargs'  # boiler code", content_type="code", index_only=True)
    snippets = [hit["snippet"] for hit in index(user, "boiler", weak=True)]
    assert "Boiler Never open the red valve of unit_7. ask Tom" in snippets
    assert "x = '**kwargs'  # boiler code" in snippets


def test_an_unrelated_query_finds_nothing(shared_user_with_facts: Person) -> None:
    assert search(shared_user_with_facts, "volcanoes on distant planets") == []


def test_categories_and_projects(user: Person) -> None:
    remember(user, "Tabs are used in this code.", category="preference", project="alpha")
    remember(user, "The tabs of the browser are many.", category="fact", project="alpha.one")
    assert len(search(user, "tabs")) == 2
    assert len(search(user, "tabs", category="preference")) == 1
    assert len(search(user, "tabs", project="alpha")) == 1
    assert len(search(user, "tabs", project="alpha.*")) == 2
    assert search(user, "tabs", project="nobody") == []


def test_modes_and_options(shared_user_with_facts: Person) -> None:
    for mode in ("fast", "balanced", "deep"):
        for fusion in ("rrf", "weighted"):
            hits = index(shared_user_with_facts, "PostgreSQL staging", mode=mode, fusion=fusion)
            assert hits[0]["snippet"] == FACTS[3]
    by_meaning = index(shared_user_with_facts, "where is the backend hosted")
    by_word = index(shared_user_with_facts, "where is the backend hosted", vector=False)
    assert FACTS[0] in [hit["snippet"] for hit in by_meaning]
    assert FACTS[0] not in [hit["snippet"] for hit in by_word]


def test_documents_beside_memories(user_with_facts: Person) -> None:
    user_with_facts.save("The staging database is backed up every night by cron.", index_only=True)
    assert {hit["kind"] for hit in index(user_with_facts, "staging database", documents=False)} == {
        "memory"
    }
    assert {hit["kind"] for hit in index(user_with_facts, "staging database")} == {
        "memory",
        "chunk",
    }
    results = user_with_facts.post("/v1/search", {"query": "staging database backed up"}).json()[
        "results"
    ]
    assert results[0]["memory_type"] == "document"
    body = {"query": "staging database", "filters": {"memory_type": ["fact"]}}
    kinds = {
        result["memory_type"]
        for result in user_with_facts.post("/v1/search", body).json()["results"]
    }
    assert kinds == {"fact"}


def test_a_superseded_memory_is_found_only_as_of_its_time(user: Person) -> None:
    remember(user, "The chairperson of the club is Ada Brown.")
    before = iso(now())
    saved = remember(user, "The chairperson of the club is Bert Stone.")
    assert saved["status"] == "updated"
    query = "who is the chairperson of the club"
    assert [memory["content"] for memory in search(user, query)] == [saved["memory"]["content"]]
    (old,) = index(user, query, as_of=before)
    assert old["snippet"] == "The chairperson of the club is Ada Brown."
    listed = user.http.get("/api/memories", params={"q": query, "as_of": before}).json()
    assert [memory["content"] for memory in listed["memories"]] == [old["snippet"]]


def test_forgotten_future_and_quarantined_memories_are_not_found(user_with_facts: Person) -> None:
    query = "which database is used on staging"
    first = search(user_with_facts, query)[0]
    user_with_facts.post(f"/api/memories/{first['id']}/lifecycle", {"state": "quarantined"})
    assert FACTS[3] not in [memory["content"] for memory in search(user_with_facts, query)]
    user_with_facts.post(f"/api/memories/{first['id']}/lifecycle", {"state": "active"})
    assert search(user_with_facts, query)[0]["content"] == FACTS[3]
    user_with_facts.http.delete(f"/api/memories/{first['id']}")
    assert FACTS[3] not in [memory["content"] for memory in search(user_with_facts, query)]
    soon = iso(now() + timedelta(days=1))
    later = remember(user_with_facts, "The canteen serves soup.", validFrom=soon)
    assert later["id"] not in [memory["id"] for memory in search(user_with_facts, "canteen soup")]


def test_containers_inherit_from_their_parents_on_request(user: Person) -> None:
    for container in ("agent", "agent.sub", "other"):
        body = {"content": f"The password policy of {container}.", "container": container}
        assert user.post("/v1/documents", body).status_code == 201

    def policies_of(container: str, inherit: bool = False) -> set[str]:
        body = {"query": "password policy", "container": container, "inherit": inherit}
        results = user.post("/v1/search", body).json()["results"]
        return {
            result["content"].removeprefix("The password policy of ")[:-1] for result in results
        }

    assert policies_of("agent") == {"agent"}
    assert policies_of("agent.sub") == {"agent.sub"}
    assert policies_of("agent.sub", inherit=True) == {"agent", "agent.sub"}
    assert policies_of("agent.*") == {"agent", "agent.sub"}
    assert policies_of("nobody") == set()


def test_related_memories_are_included(user_with_facts: Person) -> None:
    remember(user_with_facts, "The staging database runs PostgreSQL 16 with 8 GB of memory.")
    body = {"query": "staging database", "include_related": True}
    results = user_with_facts.post("/v1/search", body).json()["results"]
    related = [memory for result in results for memory in result["related"]]
    assert related
    assert {"id", "content", "relationship"} == set(related[0])


def test_pages_by_offset(shared_user_with_facts: Person) -> None:
    body = {"query": "the staging database of the team deploys", "limit": 1}
    pages = [
        shared_user_with_facts.post("/v1/search", {**body, "offset": offset}).json()["results"]
        for offset in (0, 1)
    ]
    assert pages[0][0]["id"] != pages[1][0]["id"]


def test_filters_of_containers(user: Person) -> None:
    remember(user, "The red ship sails.", tags=["sea"], context={"fleet": 1})
    remember(user, "The blue ship sails.", tags=["sea", "old"], context={"fleet": 2})
    for filters, count in (
        ({"tags": ["sea"]}, 2),
        ({"tags": ["sea", "old"]}, 1),
        ({"metadata": {"fleet": 2}}, 1),
        ({"created_after": iso(now() + timedelta(days=1))}, 0),
    ):
        reply = user.post("/v1/search", {"query": "ship", "filters": filters})
        assert len(reply.json()["results"]) == count, filters


async def test_a_save_invalidates_cached_answers(user_with_facts: Person, ports: Ports) -> None:
    params = {"query": "team deploys"}

    def cache_status() -> str:
        return user_with_facts.http.get("/api/memories/search", params=params).headers["X-Cache"]

    assert [cache_status(), cache_status()] == ["miss", "hit"]
    remember(user_with_facts, "The team also deploys a worker.")
    assert cache_status() == "miss"
