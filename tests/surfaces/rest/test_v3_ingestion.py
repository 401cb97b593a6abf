"""Saving in the platform dialect, after the test cases of its specification."""

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


def test_save_plain_text(user: Person) -> None:
    reply = user.post("/v3/memory", {"content": "Ada wrote the first program. It ran on paper."})
    assert reply.status_code == 201
    saved = reply.json()
    assert saved["status"] == "done"
    assert saved["chunk_count"] == 1
    assert saved["summary"].startswith("Ada wrote")
    assert datetime.fromisoformat(saved["created_at"]) <= now()
    assert UUID(saved["id"]).version == 7


def test_save_returns_what_was_sent(user: Person) -> None:
    fields = {
        "title": "Engines",
        "content_type": "note",
        "source_url": URL,
        "metadata": {"n": 1, "deep": {"list": [1, None, "x", 1.5, True]}},
        "forget_after": "2999-01-01T00:00:00.000Z",
    }
    saved = user.save(
        "# Engines\r\n\r\nDifference   and analytical. ", tags=["a", "a", " b "], **fields
    )
    document = read(user, saved["id"])
    metadata = {**fields.pop("metadata"), "tags": ["a", "b"]}
    assert {name: document["metadata"][name] for name in metadata} == metadata
    assert {name: document[name] for name in fields} == fields
    assert document["content"] == "# Engines\n\nDifference   and analytical."


def test_save_keeps_every_script(user: Person) -> None:
    content = "Ünïcödé 日本語 ภาษาไทย العربية 🧠 \u200d e\u0301"
    saved = user.save(content)
    assert read(user, saved["id"])["content"] == content.replace("e\u0301", "é")


def test_deduplication(user: Person) -> None:
    first = user.save("The same text, twice.")
    again = user.post("/v3/memory", {"content": "The same text, twice.  "})
    assert again.status_code == 200
    assert again.json()["id"] == first["id"]
    assert again.json()["duplicate"] is True
    assert user.http.get("/v3/documents").json()["total"] == 1


def test_deduplication_is_within_a_project(user: Person) -> None:
    other = user.post("/v3/projects", {"name": "Other"}).json()
    first = user.save("The same text, in two places.")
    second = user.save("The same text, in two places.", project_id=other["id"])
    assert first["id"] != second["id"]


def test_deduplication_of_simultaneous_saves(user: Person) -> None:
    replies = at_once(user, "/v3/memory", [{"content": "All of us say this."}] * AT_ONCE)
    assert sorted(reply.status_code for reply in replies) == [200] * (AT_ONCE - 1) + [201]
    assert len({reply.json()["id"] for reply in replies}) == 1
    assert user.http.get("/v3/documents").json()["total"] == 1
    assert len(user.recall("All of us say this")) == 1


def test_a_deleted_document_can_be_saved_again(user: Person) -> None:
    first = user.save("Here, gone, here.")
    user.http.delete(f"/v3/documents/{first['id']}")
    again = user.post("/v3/memory", {"content": "Here, gone, here."})
    assert again.status_code == 201
    assert again.json()["id"] != first["id"]
    assert len(user.recall("here gone")) == 1


def test_version_chain(user: Person) -> None:
    first = user.save("The price is 10 euros.", source_url=URL)
    second = user.save("The price is 12 euros.", source_url=URL)
    assert second["id"] != first["id"]
    latest, previous = read(user, second["id"]), read(user, first["id"])
    assert (latest["version"], latest["updates_memory_id"]) == (2, first["id"])
    assert previous["version"] == 1
    assert previous["content"] == "The price is 10 euros."
    assert user.http.get("/v3/documents").json()["total"] == 1
    assert [result["document_id"] for result in user.recall("price euros")] == [second["id"]]


def test_version_chain_of_a_named_document(user: Person) -> None:
    first = user.save("We meet on Monday.")
    second = user.save("We meet on Tuesday.", updates_memory_id=first["id"])
    third = user.save("We meet on Friday.", updates_memory_id=first["id"])
    assert read(user, third["id"])["updates_memory_id"] == second["id"]
    assert [result["document_id"] for result in user.recall("We meet")] == [third["id"]]


def test_version_chain_of_simultaneous_saves(user: Person) -> None:
    bodies = [{"content": f"Revision {n} of the page.", "source_url": URL} for n in range(AT_ONCE)]
    replies = at_once(user, "/v3/memory", bodies)
    assert {reply.status_code for reply in replies} == {201}
    (latest,) = user.http.get("/v3/documents").json()["documents"]
    versions = read(user, latest["id"], include_versions=True)["versions"]
    assert [version["version"] for version in versions] == list(range(AT_ONCE, 0, -1))
    assert [version["is_latest"] for version in versions] == [True] + [False] * (AT_ONCE - 1)
    assert {version["id"] for version in versions} == {reply.json()["id"] for reply in replies}
    assert [result["document_id"] for result in user.recall("revision of the page")] == [
        latest["id"]
    ]


def test_the_same_url_in_two_projects_is_two_documents(user: Person) -> None:
    other = user.post("/v3/projects", {"name": "Other"}).json()
    user.save("The page, as one sees it.", source_url=URL)
    second = user.save("The page, as another sees it.", source_url=URL, project_id=other["id"])
    assert read(user, second["id"])["version"] == 1
    assert user.http.get("/v3/documents").json()["total"] == 2


def test_chunk_offsets_refer_to_the_content(user: Person) -> None:
    """Chunks end at sentences, may overlap, and together cover the whole text."""
    saved = user.save(paragraphs(12))
    document = read(user, saved["id"])
    chunks = document["chunks"]
    assert len(chunks) == document["chunk_count"] == saved["chunk_count"] > 2
    assert [chunk["chunk_index"] for chunk in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert document["content"][chunk["start_offset"] : chunk["end_offset"]] == chunk["content"]
        assert chunk["content"].endswith(".")
    for current, following in pairwise(chunks):
        assert current["start_offset"] < following["start_offset"] <= current["end_offset"] + 2


def test_summary_generation(user: Person) -> None:
    saved = user.save(
        "First things first. Then the second. Then a third. And a fourth nobody reads."
    )
    assert saved["summary"].startswith("First things first.")
    assert "fourth" not in saved["summary"]


# Processing in the background


def test_async_saves_are_accepted_immediately_and_completed_later(user: Person) -> None:
    reply = user.post("/v3/memory?async=true", {"content": "Done while you look away."})
    assert reply.status_code == 202
    accepted = reply.json()
    assert accepted["status"] == "queued"
    assert UUID(accepted["job_id"])
    document = wait_until_done(user, accepted["id"])
    assert document["chunk_count"] == len(document["chunks"]) == 1
    assert [result["document_id"] for result in user.recall("look away")] == [accepted["id"]]


def test_a_title_may_be_longer_than_the_name_of_a_file(user: Person) -> None:
    body = {"content": "Done while you look away.", "title": "The log. " * 50}
    reply = user.post("/v3/memory?async=true", body)
    assert reply.status_code == 202, reply.text
    assert wait_until_done(user, reply.json()["id"])["title"].startswith("The log.")


def test_large_text_is_processed_in_the_background_and_found(user: Person) -> None:
    needle = "The heron keeps the brass key under the third flagstone."
    content = f"{paragraphs(24)}\n\n{needle}\n\n{paragraphs(24, 'loom')}"
    reply = user.post("/v3/memory", {"content": content})
    assert reply.status_code == 202
    document = wait_until_done(user, reply.json()["id"])
    assert document["content"] == content
    assert document["chunk_count"] > 15
    (result,) = user.recall("where does the heron keep the brass key?")
    best = max(result["chunks"], key=lambda chunk: chunk["score"])
    assert needle in best["content"]


def wait_until_done(user: Person, id: str) -> dict[str, Any]:
    def finished_document() -> dict[str, Any] | None:
        document = read(user, id)
        assert document["status"] != "failed", document["error"]
        return document if document["status"] == "done" else None

    return until(finished_document)
