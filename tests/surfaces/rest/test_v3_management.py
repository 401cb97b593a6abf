"""Forgetting, versions and listing in the platform dialect."""

from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

import pytest

from remem.core.ports import Ports
from remem.core.time import iso, now
from tests.conftest import Person
from tests.surfaces.rest.rows import change, rows_of
from tests.surfaces.rest.things import CAT, TAX, URL, paragraphs, read, titles
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio


# Memory management


async def test_auto_forget(keeper: Person, ports: Ports) -> None:
    """What is past its time is seen by nobody, even before it is cleaned up."""
    soon = iso(datetime.now(UTC) + timedelta(hours=1))
    forgotten = keeper.save("The password of the day is heron.", forget_after=soon)
    keeper.save("The heron fishes.")
    assert len(keeper.recall("heron")) == 2
    past = "UPDATE documents SET forget_after = now() - interval '1 second' WHERE id = $1::uuid"
    await change(ports, keeper.tenant_id, past, forgotten["id"])
    # In other words: for the cache, the hour that was given it is not over.
    assert titles(keeper.recall("a heron")) == titles(keeper.recall("")) == ["The heron fishes."]
    assert keeper.http.get(f"/v3/documents/{forgotten['id']}").status_code == 404
    listed = keeper.http.get("/v3/documents").json()
    assert (listed["total"], titles(listed["documents"])) == (1, ["The heron fishes."])
    (project,) = keeper.http.get("/v3/projects").json()["projects"]
    assert project["document_count"] == 1


async def test_manual_delete(keeper: Person, ports: Ports) -> None:
    """Every version goes: row, chunks, vectors, words; one event for each is left."""
    keeper.save("This one stays.")
    before = await rows_of(ports, keeper.tenant_id)
    first = keeper.save(f"{paragraphs(6)} First.", source_url=URL)
    second = keeper.save(f"{paragraphs(6)} Second.", source_url=URL)
    during = await rows_of(ports, keeper.tenant_id)
    for table in ("documents", "chunks", "postings", "embeddings"):
        assert len(during[table]) > len(before[table])

    assert keeper.http.delete(f"/v3/documents/{second['id']}").status_code == 204

    after = await rows_of(ports, keeper.tenant_id)
    for table in ("documents", "chunks", "postings", "embeddings", "text_totals"):
        assert after[table] == before[table], table
    gone = {one["subject_id"] for one in after["events"] if one["type"] == "delete"}
    assert gone == {first["id"], second["id"]}
    for id in gone:
        assert keeper.http.get(f"/v3/documents/{id}").status_code == 404
        assert keeper.http.delete(f"/v3/documents/{id}").status_code == 404
    assert titles(keeper.recall("engine wheel", weak=True)) == ["This one stays."]


def test_version_history(keeper: Person) -> None:
    first = keeper.save("Draft one.", source_url=URL)
    second = keeper.save("Draft two.", updates_memory_id=first["id"])
    third = keeper.save("Draft three.", updates_memory_id=second["id"])
    for id in (first["id"], second["id"], third["id"]):
        versions = read(keeper, id, include_versions=True)["versions"]
        assert [one["id"] for one in versions] == [third["id"], second["id"], first["id"]]
        assert [one["version"] for one in versions] == [3, 2, 1]
        assert [one["is_latest"] for one in versions] == [True, False, False]
        assert titles(versions) == ["Draft three.", "Draft two.", "Draft one."]
    assert read(keeper, third["id"])["versions"] is None


def test_last_accessed_tracking(keeper: Person) -> None:
    found = keeper.save(CAT)
    other = keeper.save(TAX)
    assert read(keeper, found["id"])["last_accessed_at"] is None
    assert titles(keeper.recall("cat", limit=1)) == [CAT]
    seen_at = until(lambda: read(keeper, found["id"])["last_accessed_at"])
    assert found["created_at"] <= seen_at <= iso(now())
    assert read(keeper, other["id"])["last_accessed_at"] is None


# Listing


def pages(keeper: Person, **query: Any) -> list[list[str]]:
    found, cursor = [], None
    while True:
        place = {"cursor": cursor} if cursor else {}
        page = keeper.http.get("/v3/documents", params={**query, **place}).json()
        found.append([one["id"] for one in page["documents"]])
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def test_listing_pages_through_everything_once(keeper: Person) -> None:
    saved = [keeper.save(f"Note {number}.")["id"] for number in range(7)]
    found = pages(keeper, limit=3)
    assert [len(page) for page in found] == [3, 3, 1]
    assert list(chain(*found)) == saved[::-1]
    assert pages(keeper, limit=7) == [saved[::-1]]
    assert keeper.http.get("/v3/documents", params={"limit": 1}).json()["total"] == 7


async def test_listing_pages_through_what_was_saved_in_one_moment(
    keeper: Person, ports: Ports
) -> None:
    saved = [keeper.save(f"Note {number}.")["id"] for number in range(5)]
    moment = "UPDATE documents SET created_at = '2026-01-01T00:00:00.123456Z'"
    await change(ports, keeper.tenant_id, moment)
    found = pages(keeper, limit=2)
    assert [len(page) for page in found] == [2, 2, 1]
    assert list(chain(*found)) == sorted(saved, reverse=True)


def test_a_save_in_between_moves_no_page(keeper: Person) -> None:
    saved = [keeper.save(f"Note {number}.")["id"] for number in range(4)]
    first = keeper.http.get("/v3/documents", params={"limit": 2}).json()
    keeper.save("In between.")
    query = {"limit": 2, "cursor": first["next_cursor"]}
    second = keeper.http.get("/v3/documents", params=query).json()
    assert [one["id"] for one in second["documents"]] == saved[1::-1]
    assert second["next_cursor"] is None


def test_listing_one_project(keeper: Person) -> None:
    other = keeper.post("/v3/projects", {"name": "Other"}).json()
    keeper.save("In the default project.")
    there = keeper.save("In the other.", project="other")
    for reference in (other["id"], "other", "Other"):
        listed = keeper.http.get("/v3/documents", params={"project": reference}).json()
        assert [one["id"] for one in listed["documents"]] == [there["id"]]
        assert listed["total"] == 1
