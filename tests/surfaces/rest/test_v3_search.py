"""Recall in the platform dialect, after the test cases of its specification."""

import math
from datetime import timedelta

import pytest

from remem.core.ports import Ports
from remem.core.time import iso, now
from tests.conftest import Person
from tests.surfaces.rest.rows import change
from tests.surfaces.rest.things import CAT, TAX, paragraphs, titles

pytestmark = pytest.mark.anyio


def test_vector_only_match(user: Person) -> None:
    user.save(CAT)
    user.save(TAX)
    first = user.recall("feline pets asleep indoors", explain=True)[0]
    assert first["title"] == CAT
    parts = first["chunks"][0]["explain"]
    assert parts["text"] == 0
    assert parts["vector"] > 0.2


def test_keyword_only_match(user: Person) -> None:
    user.save("Invoice ZX-4821-QF was paid in cash by the plumber.")
    user.save(CAT)
    user.save(TAX)
    first = user.recall("ZX-4821-QF", explain=True)[0]
    assert first["title"].startswith("Invoice ZX-4821-QF")
    parts = first["chunks"][0]["explain"]
    assert parts["text"] == 1
    assert 0.4 * parts["text"] > 0.6 * parts["vector"]


def test_hybrid_boost(user: Person) -> None:
    matching = user.save("Python programming: a course for people who write software.")
    meaning = user.save("Learn to code scripts and build software applications.")
    word = user.save("A python swallowed a goat whole beside the river.")
    results = {
        result["document_id"]: result for result in user.recall("python programming", explain=True)
    }
    assert results[meaning["id"]]["chunks"][0]["explain"]["text"] == 0
    assert results[word["id"]]["chunks"][0]["explain"]["text"] > 0
    best_single = max(results[meaning["id"]]["score"], results[word["id"]]["score"])
    assert results[matching["id"]]["score"] > best_single


async def test_recency_bonus(user: Person, ports: Ports) -> None:
    other = user.post("/v3/projects", {"name": "Other"}).json()
    old = user.save("The well is dug by the oak.")
    new = user.save("The well is dug by the oak.", project_id=other["id"])
    make_older = (
        "UPDATE documents SET created_at = created_at - interval '60 days' WHERE id = $1::uuid"
    )
    await change(ports, user.tenant_id, make_older, old["id"])
    first, second = user.recall("where is the well", explain=True)
    assert [first["document_id"], second["document_id"]] == [new["id"], old["id"]]
    fresh, stale = (result["chunks"][0]["explain"] for result in (first, second))
    assert (fresh["vector"], fresh["text"]) == (stale["vector"], stale["text"])
    assert fresh["recency"] == pytest.approx(0.1, abs=1e-5)
    assert stale["recency"] == pytest.approx(0.1 * math.exp(-2), abs=1e-5)


def test_score_formula(user: Person) -> None:
    for content in (CAT, TAX, "A sofa for two cats.", paragraphs(12)):
        user.save(content)
    results = user.recall("the cat on the sofa, wheel 3.4", explain=True, weak=True)
    assert len(results) == 4
    for document in results:
        for chunk in document["chunks"]:
            parts = chunk["explain"]
            score = 0.6 * parts["vector"] + 0.4 * parts["text"] + parts["recency"]
            assert chunk["score"] == pytest.approx(score, abs=1e-6)
            assert all(0 <= parts[name] <= 1 for name in ("vector", "text", "recency"))
    chunks = [chunk for document in results for chunk in document["chunks"]]
    assert 0.65 <= max(chunk["explain"]["text"] for chunk in chunks) <= 1


def test_scores_are_explained_only_on_request(user: Person) -> None:
    user.save(CAT)
    assert user.recall("cat")[0]["chunks"][0]["explain"] is None


def test_result_grouping(user: Person) -> None:
    long = user.save(paragraphs(12), title="All about engines")
    user.save("An engine, briefly.", title="One engine")
    results = user.recall("the engine of paragraph 7")
    assert sorted(titles(results)) == ["All about engines", "One engine"]
    (grouped,) = (result for result in results if result["document_id"] == long["id"])
    assert len(grouped["chunks"]) > 1
    order = [chunk["chunk_index"] for chunk in grouped["chunks"]]
    assert order == sorted(order)
    assert grouped["score"] == max(chunk["score"] for chunk in grouped["chunks"])
    scores = [result["score"] for result in results]
    assert scores == sorted(scores, reverse=True)


def test_project_scoping(user: Person) -> None:
    a, b = (user.post("/v3/projects", {"name": name}).json() for name in "AB")
    user.save("The launch code is in A.", project_id=a["id"])
    user.save("The launch code is in B.", project_id=b["id"])
    for reference in ({"project_id": a["id"]}, {"project": "a"}, {"project": a["id"]}):
        assert titles(user.recall("launch code", **reference)) == ["The launch code is in A."]
        assert titles(user.recall("", **reference)) == ["The launch code is in A."]


def test_cross_project_search(user: Person) -> None:
    other = user.post("/v3/projects", {"name": "Other"}).json()
    user.save("The launch code is here.")
    user.save("The launch code is there.", project_id=other["id"])
    assert len(user.recall("launch code")) == 2


def test_empty_query(user: Person) -> None:
    for number in range(4):
        user.save(f"Note {number}.")
    newest_first = [f"Note {number}." for number in (3, 2, 1, 0)]
    assert titles(user.recall("")) == newest_first
    assert titles(user.recall(" \n")) == newest_first
    assert titles(user.post("/v3/recall", {}).json()["results"]) == newest_first
    assert titles(user.recall("", limit=2)) == newest_first[:2]


def test_filter_by_content_type(user: Person) -> None:
    for kind in ("code", "email", "note"):
        user.save(f"The sorting algorithm as {kind}.", content_type=kind)
    for query in ("sorting algorithm", ""):
        results = user.recall(query, filters={"content_type": ["code", "email"]})
        assert {result["content_type"] for result in results} == {"code", "email"}


def test_filter_by_tags_requires_all_of_them(user: Person) -> None:
    user.save("Tagged with one.", tags=["red"])
    user.save("Tagged with both.", tags=["red", "blue"])
    for query in ("tagged", ""):
        assert titles(user.recall(query, filters={"tags": ["red", "blue"]})) == [
            "Tagged with both."
        ]
        assert len(user.recall(query, filters={"tags": ["red"]})) == 2


async def test_filter_by_dates(user: Person, ports: Ports) -> None:
    old, _ = user.save("The old tower."), user.save("The new tower.")
    make_older = (
        "UPDATE documents SET created_at = created_at - interval '60 days' WHERE id = $1::uuid"
    )
    await change(ports, user.tenant_id, make_older, old["id"])
    cutoff = iso(now() - timedelta(days=30))
    for query in ("tower", ""):
        before = user.recall(query, filters={"created_before": cutoff})
        after = user.recall(query, filters={"created_after": cutoff})
        assert (titles(before), titles(after)) == (["The old tower."], ["The new tower."])


def test_recall_returns_no_more_than_its_limit(user: Person) -> None:
    for number in range(12):
        user.save(f"Lighthouse number {number}.")
    assert len(user.recall("lighthouse")) == 10
    assert len(user.recall("lighthouse", limit=3)) == 3
    assert len(user.recall("lighthouse", limit=100)) == 12
    reply = user.post("/v3/recall", {"query": "lighthouse", "limit": 3}).json()
    assert len(reply["results"]) == 3
    assert reply["total"] == 12, "all that match, not those shown"
    assert reply["query_time_ms"] > 0


def test_recall_in_an_empty_tenant_finds_nothing(user: Person) -> None:
    assert user.recall("anything") == user.recall("") == []
