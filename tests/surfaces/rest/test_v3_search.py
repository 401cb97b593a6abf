"""Recall by the platform dialect, by the cases of its source."""

import math
from datetime import timedelta

import pytest

from remem.core.ports import Ports
from remem.core.time import iso, now
from tests.conftest import Person
from tests.surfaces.rest.rows import change
from tests.surfaces.rest.things import CAT, TAX, paragraphs, titles

pytestmark = pytest.mark.anyio


def test_vector_only_match(keeper: Person) -> None:
    keeper.save(CAT)
    keeper.save(TAX)
    first = keeper.recall("feline pets asleep indoors", explain=True)[0]
    assert first["title"] == CAT
    parts = first["chunks"][0]["explain"]
    assert parts["text"] == 0
    assert parts["vector"] > 0.2


def test_keyword_only_match(keeper: Person) -> None:
    keeper.save("Invoice ZX-4821-QF was paid in cash by the plumber.")
    keeper.save(CAT)
    keeper.save(TAX)
    first = keeper.recall("ZX-4821-QF", explain=True)[0]
    assert first["title"].startswith("Invoice ZX-4821-QF")
    parts = first["chunks"][0]["explain"]
    assert parts["text"] == 1
    assert 0.4 * parts["text"] > 0.6 * parts["vector"]


def test_hybrid_boost(keeper: Person) -> None:
    both = keeper.save("Python programming: a course for people who write software.")
    meaning = keeper.save("Learn to code scripts and build software applications.")
    word = keeper.save("A python swallowed a goat whole beside the river.")
    found = {one["document_id"]: one for one in keeper.recall("python programming", explain=True)}
    assert found[meaning["id"]]["chunks"][0]["explain"]["text"] == 0
    assert found[word["id"]]["chunks"][0]["explain"]["text"] > 0
    alone = max(found[meaning["id"]]["score"], found[word["id"]]["score"])
    assert found[both["id"]]["score"] > alone


async def test_recency_bonus(keeper: Person, ports: Ports) -> None:
    other = keeper.post("/v3/projects", {"name": "Other"}).json()
    old = keeper.save("The well is dug by the oak.")
    new = keeper.save("The well is dug by the oak.", project_id=other["id"])
    aged = "UPDATE documents SET created_at = created_at - interval '60 days' WHERE id = $1::uuid"
    await change(ports, keeper.tenant_id, aged, old["id"])
    first, second = keeper.recall("where is the well", explain=True)
    assert [first["document_id"], second["document_id"]] == [new["id"], old["id"]]
    fresh, stale = (one["chunks"][0]["explain"] for one in (first, second))
    assert (fresh["vector"], fresh["text"]) == (stale["vector"], stale["text"])
    assert fresh["recency"] == pytest.approx(0.1, abs=1e-5)
    assert stale["recency"] == pytest.approx(0.1 * math.exp(-2), abs=1e-5)


def test_score_formula(keeper: Person) -> None:
    for content in (CAT, TAX, "A sofa for two cats.", paragraphs(12)):
        keeper.save(content)
    found = keeper.recall("the cat on the sofa, wheel 3.4", explain=True, weak=True)
    assert len(found) == 4
    for document in found:
        for chunk in document["chunks"]:
            parts = chunk["explain"]
            score = 0.6 * parts["vector"] + 0.4 * parts["text"] + parts["recency"]
            assert chunk["score"] == pytest.approx(score, abs=1e-6)
            assert all(0 <= parts[name] <= 1 for name in ("vector", "text", "recency"))
    chunks = [chunk for document in found for chunk in document["chunks"]]
    assert 0.65 <= max(chunk["explain"]["text"] for chunk in chunks) <= 1


def test_scores_are_not_explained_unless_asked(keeper: Person) -> None:
    keeper.save(CAT)
    assert keeper.recall("cat")[0]["chunks"][0]["explain"] is None


def test_result_grouping(keeper: Person) -> None:
    long = keeper.save(paragraphs(12), title="All about engines")
    keeper.save("An engine, briefly.", title="One engine")
    found = keeper.recall("the engine of paragraph 7")
    assert sorted(titles(found)) == ["All about engines", "One engine"]
    (grouped,) = (one for one in found if one["document_id"] == long["id"])
    assert len(grouped["chunks"]) > 1
    order = [one["chunk_index"] for one in grouped["chunks"]]
    assert order == sorted(order)
    assert grouped["score"] == max(one["score"] for one in grouped["chunks"])
    scores = [one["score"] for one in found]
    assert scores == sorted(scores, reverse=True)


def test_project_scoping(keeper: Person) -> None:
    a, b = (keeper.post("/v3/projects", {"name": name}).json() for name in "AB")
    keeper.save("The launch code is in A.", project_id=a["id"])
    keeper.save("The launch code is in B.", project_id=b["id"])
    for reference in ({"project_id": a["id"]}, {"project": "a"}, {"project": a["id"]}):
        assert titles(keeper.recall("launch code", **reference)) == ["The launch code is in A."]
        assert titles(keeper.recall("", **reference)) == ["The launch code is in A."]


def test_cross_project_search(keeper: Person) -> None:
    other = keeper.post("/v3/projects", {"name": "Other"}).json()
    keeper.save("The launch code is here.")
    keeper.save("The launch code is there.", project_id=other["id"])
    assert len(keeper.recall("launch code")) == 2


def test_empty_query(keeper: Person) -> None:
    for number in range(4):
        keeper.save(f"Note {number}.")
    newest_first = [f"Note {number}." for number in (3, 2, 1, 0)]
    assert titles(keeper.recall("")) == newest_first
    assert titles(keeper.recall(" \n")) == newest_first
    assert titles(keeper.post("/v3/recall", {}).json()["results"]) == newest_first
    assert titles(keeper.recall("", limit=2)) == newest_first[:2]


def test_filter_by_content_type(keeper: Person) -> None:
    for kind in ("code", "email", "note"):
        keeper.save(f"The sorting algorithm as {kind}.", content_type=kind)
    for query in ("sorting algorithm", ""):
        found = keeper.recall(query, filters={"content_type": ["code", "email"]})
        assert {one["content_type"] for one in found} == {"code", "email"}


def test_filter_by_tags_takes_what_has_them_all(keeper: Person) -> None:
    keeper.save("Tagged with one.", tags=["red"])
    keeper.save("Tagged with both.", tags=["red", "blue"])
    for query in ("tagged", ""):
        assert titles(keeper.recall(query, filters={"tags": ["red", "blue"]})) == [
            "Tagged with both."
        ]
        assert len(keeper.recall(query, filters={"tags": ["red"]})) == 2


async def test_filter_by_dates(keeper: Person, ports: Ports) -> None:
    old, _ = keeper.save("The old tower."), keeper.save("The new tower.")
    aged = "UPDATE documents SET created_at = created_at - interval '60 days' WHERE id = $1::uuid"
    await change(ports, keeper.tenant_id, aged, old["id"])
    between = iso(now() - timedelta(days=30))
    for query in ("tower", ""):
        before = keeper.recall(query, filters={"created_before": between})
        after = keeper.recall(query, filters={"created_after": between})
        assert (titles(before), titles(after)) == (["The old tower."], ["The new tower."])


def test_recall_gives_no_more_than_its_limit(keeper: Person) -> None:
    for number in range(12):
        keeper.save(f"Lighthouse number {number}.")
    assert len(keeper.recall("lighthouse")) == 10
    assert len(keeper.recall("lighthouse", limit=3)) == 3
    assert len(keeper.recall("lighthouse", limit=100)) == 12
    reply = keeper.post("/v3/recall", {"query": "lighthouse", "limit": 3}).json()
    assert reply["total"] == 3
    assert reply["query_time_ms"] > 0


def test_recall_in_an_empty_tenant_finds_nothing(keeper: Person) -> None:
    assert keeper.recall("anything") == keeper.recall("") == []
