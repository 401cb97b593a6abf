"""Saving by the platform dialect, by the cases of its source."""

from datetime import datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest

from remem.core.time import now
from tests.conftest import Person
from tests.surfaces.rest.things import AT_ONCE, URL, at_once, paragraphs, read
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio


def test_save_plain_text(keeper: Person) -> None:
    reply = keeper.post("/v3/memory", {"content": "Ada wrote the first program. It ran on paper."})
    assert reply.status_code == 201
    saved = reply.json()
    assert saved["status"] == "done"
    assert saved["chunk_count"] == 1
    assert saved["summary"].startswith("Ada wrote")
    assert datetime.fromisoformat(saved["created_at"]) <= now()
    assert UUID(saved["id"]).version == 7


def test_save_returns_what_was_sent(keeper: Person) -> None:
    sent = {
        "title": "Engines",
        "content_type": "note",
        "source_url": URL,
        "metadata": {"n": 1, "deep": {"list": [1, None, "x", 1.5, True]}},
        "forget_after": "2999-01-01T00:00:00.000Z",
    }
    saved = keeper.save(
        "# Engines\r\n\r\nDifference   and analytical. ", tags=["a", "a", " b "], **sent
    )
    document = read(keeper, saved["id"])
    given = {**sent.pop("metadata"), "tags": ["a", "b"]}
    assert {name: document["metadata"][name] for name in given} == given
    assert {name: document[name] for name in sent} == sent
    assert document["content"] == "# Engines\n\nDifference   and analytical."


def test_save_keeps_every_script(keeper: Person) -> None:
    content = "Ünïcödé 日本語 ภาษาไทย العربية 🧠 \u200d e\u0301"
    saved = keeper.save(content)
    assert read(keeper, saved["id"])["content"] == content.replace("e\u0301", "é")


def test_deduplication(keeper: Person) -> None:
    first = keeper.save("The same text, twice.")
    again = keeper.post("/v3/memory", {"content": "The same text, twice.  "})
    assert again.status_code == 200
    assert again.json()["id"] == first["id"]
    assert again.json()["duplicate"] is True
    assert keeper.http.get("/v3/documents").json()["total"] == 1


def test_deduplication_is_within_a_project(keeper: Person) -> None:
    other = keeper.post("/v3/projects", {"name": "Other"}).json()
    first = keeper.save("The same text, in two places.")
    second = keeper.save("The same text, in two places.", project_id=other["id"])
    assert first["id"] != second["id"]


def test_deduplication_of_simultaneous_saves(keeper: Person) -> None:
    replies = at_once(keeper, "/v3/memory", [{"content": "All of us say this."}] * AT_ONCE)
    assert sorted(one.status_code for one in replies) == [200] * (AT_ONCE - 1) + [201]
    assert len({one.json()["id"] for one in replies}) == 1
    assert keeper.http.get("/v3/documents").json()["total"] == 1
    assert len(keeper.recall("All of us say this")) == 1


def test_what_was_deleted_can_be_saved_again(keeper: Person) -> None:
    first = keeper.save("Here, gone, here.")
    keeper.http.delete(f"/v3/documents/{first['id']}")
    again = keeper.post("/v3/memory", {"content": "Here, gone, here."})
    assert again.status_code == 201
    assert again.json()["id"] != first["id"]
    assert len(keeper.recall("here gone")) == 1


def test_version_chain(keeper: Person) -> None:
    first = keeper.save("The price is 10 euros.", source_url=URL)
    second = keeper.save("The price is 12 euros.", source_url=URL)
    assert second["id"] != first["id"]
    latest, former = read(keeper, second["id"]), read(keeper, first["id"])
    assert (latest["version"], latest["updates_memory_id"]) == (2, first["id"])
    assert former["version"] == 1
    assert former["content"] == "The price is 10 euros."
    assert keeper.http.get("/v3/documents").json()["total"] == 1
    assert [one["document_id"] for one in keeper.recall("price euros")] == [second["id"]]


def test_version_chain_of_a_named_document(keeper: Person) -> None:
    first = keeper.save("We meet on Monday.")
    second = keeper.save("We meet on Tuesday.", updates_memory_id=first["id"])
    third = keeper.save("We meet on Friday.", updates_memory_id=first["id"])
    assert read(keeper, third["id"])["updates_memory_id"] == second["id"]
    assert [one["document_id"] for one in keeper.recall("We meet")] == [third["id"]]


def test_version_chain_of_simultaneous_saves(keeper: Person) -> None:
    bodies = [{"content": f"Revision {n} of the page.", "source_url": URL} for n in range(AT_ONCE)]
    replies = at_once(keeper, "/v3/memory", bodies)
    assert {one.status_code for one in replies} == {201}
    (latest,) = keeper.http.get("/v3/documents").json()["documents"]
    versions = read(keeper, latest["id"], include_versions=True)["versions"]
    assert [one["version"] for one in versions] == list(range(AT_ONCE, 0, -1))
    assert [one["is_latest"] for one in versions] == [True] + [False] * (AT_ONCE - 1)
    assert {one["id"] for one in versions} == {one.json()["id"] for one in replies}
    assert [one["document_id"] for one in keeper.recall("revision of the page")] == [latest["id"]]


def test_the_same_url_in_two_projects_is_two_documents(keeper: Person) -> None:
    other = keeper.post("/v3/projects", {"name": "Other"}).json()
    keeper.save("The page, as one sees it.", source_url=URL)
    second = keeper.save("The page, as another sees it.", source_url=URL, project_id=other["id"])
    assert read(keeper, second["id"])["version"] == 1
    assert keeper.http.get("/v3/documents").json()["total"] == 2


def test_chunks_point_into_the_content(keeper: Person) -> None:
    """Chunking respects boundaries, chunk overlap: the chunks are the text, and leave none out."""
    saved = keeper.save(paragraphs(12))
    document = read(keeper, saved["id"])
    chunks = document["chunks"]
    assert len(chunks) == document["chunk_count"] == saved["chunk_count"] > 2
    assert [one["chunk_index"] for one in chunks] == list(range(len(chunks)))
    for one in chunks:
        assert document["content"][one["start_offset"] : one["end_offset"]] == one["content"]
        assert one["content"].endswith(".")
    for left, right in pairwise(chunks):
        assert left["start_offset"] < right["start_offset"] <= left["end_offset"] + 2


def test_summary_generation(keeper: Person) -> None:
    saved = keeper.save(
        "First things first. Then the second. Then a third. And a fourth nobody reads."
    )
    assert saved["summary"].startswith("First things first.")
    assert "fourth" not in saved["summary"]


# Processing in the background


def test_async_saves_are_accepted_at_once_and_done_later(keeper: Person) -> None:
    reply = keeper.post("/v3/memory?async=true", {"content": "Done while you look away."})
    assert reply.status_code == 202
    accepted = reply.json()
    assert accepted["status"] == "queued"
    assert UUID(accepted["job_id"])
    document = until_done(keeper, accepted["id"])
    assert document["chunk_count"] == len(document["chunks"]) == 1
    assert [one["document_id"] for one in keeper.recall("look away")] == [accepted["id"]]


def test_a_title_may_be_longer_than_the_name_of_a_file(keeper: Person) -> None:
    body = {"content": "Done while you look away.", "title": "The log. " * 50}
    reply = keeper.post("/v3/memory?async=true", body)
    assert reply.status_code == 202, reply.text
    assert until_done(keeper, reply.json()["id"])["title"].startswith("The log.")


def test_large_text_is_worked_on_in_the_background_and_found(keeper: Person) -> None:
    needle = "The heron keeps the brass key under the third flagstone."
    content = f"{paragraphs(24)}\n\n{needle}\n\n{paragraphs(24, 'loom')}"
    reply = keeper.post("/v3/memory", {"content": content})
    assert reply.status_code == 202
    document = until_done(keeper, reply.json()["id"])
    assert document["content"] == content
    assert document["chunk_count"] > 15
    (found,) = keeper.recall("where does the heron keep the brass key?")
    best = max(found["chunks"], key=lambda one: one["score"])
    assert needle in best["content"]


def until_done(keeper: Person, id: str) -> dict[str, Any]:
    def done() -> dict[str, Any] | None:
        document = read(keeper, id)
        assert document["status"] != "failed", document["error"]
        return document if document["status"] == "done" else None

    return until(done)
