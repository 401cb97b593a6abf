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


async def test_auto_forget(user: Person, ports: Ports) -> None:
    """An expired document is hidden, even before it is deleted."""
    soon = iso(datetime.now(UTC) + timedelta(hours=1))
    forgotten = user.save("The password of the day is heron.", forget_after=soon)
    user.save("The heron fishes.")
    assert len(user.recall("heron")) == 2
    expire = "UPDATE documents SET forget_after = now() - interval '1 second' WHERE id = $1::uuid"
    await change(ports, user.tenant_id, expire, forgotten["id"])
    # With another query: the cache still expects the original expiry.
    assert titles(user.recall("a heron")) == titles(user.recall("")) == ["The heron fishes."]
    assert user.http.get(f"/v3/documents/{forgotten['id']}").status_code == 404
    listed = user.http.get("/v3/documents").json()
    assert (listed["total"], titles(listed["documents"])) == (1, ["The heron fishes."])
    (project,) = user.http.get("/v3/projects").json()["projects"]
    assert project["document_count"] == 1


async def test_manual_delete(user: Person, ports: Ports) -> None:
    """Every version is deleted with its chunks, vectors and terms; one event for each remains."""
    user.save("This one stays.")
    before = await rows_of(ports, user.tenant_id)
    first = user.save(f"{paragraphs(6)} First.", source_url=URL)
    second = user.save(f"{paragraphs(6)} Second.", source_url=URL)
    during = await rows_of(ports, user.tenant_id)
    for table in ("documents", "chunks", "postings", "embeddings"):
        assert len(during[table]) > len(before[table])

    assert user.http.delete(f"/v3/documents/{second['id']}").status_code == 204

    after = await rows_of(ports, user.tenant_id)
    for table in ("documents", "chunks", "postings", "embeddings", "text_totals"):
        assert after[table] == before[table], table
    deleted = {event["subject_id"] for event in after["events"] if event["type"] == "delete"}
    assert deleted == {first["id"], second["id"]}
    for id in deleted:
        assert user.http.get(f"/v3/documents/{id}").status_code == 404
        assert user.http.delete(f"/v3/documents/{id}").status_code == 404
    assert titles(user.recall("engine wheel", weak=True)) == ["This one stays."]


def test_version_history(user: Person) -> None:
    first = user.save("Draft one.", source_url=URL)
    second = user.save("Draft two.", updates_memory_id=first["id"])
    third = user.save("Draft three.", updates_memory_id=second["id"])
    for id in (first["id"], second["id"], third["id"]):
        versions = read(user, id, include_versions=True)["versions"]
        assert [version["id"] for version in versions] == [third["id"], second["id"], first["id"]]
        assert [version["version"] for version in versions] == [3, 2, 1]
        assert [version["is_latest"] for version in versions] == [True, False, False]
        assert titles(versions) == ["Draft three.", "Draft two.", "Draft one."]
    assert read(user, third["id"])["versions"] is None


def test_last_accessed_tracking(user: Person) -> None:
    first = user.save(CAT)
    other = user.save(TAX)
    assert read(user, first["id"])["last_accessed_at"] is None
    assert titles(user.recall("cat", limit=1)) == [CAT]
    accessed_at = until(lambda: read(user, first["id"])["last_accessed_at"])
    assert first["created_at"] <= accessed_at <= iso(now())
    assert read(user, other["id"])["last_accessed_at"] is None


# Listing


def pages(user: Person, **query: Any) -> list[list[str]]:
    id_pages, cursor = [], None
    while True:
        cursor_param = {"cursor": cursor} if cursor else {}
        page = user.http.get("/v3/documents", params={**query, **cursor_param}).json()
        id_pages.append([document["id"] for document in page["documents"]])
        cursor = page["next_cursor"]
        if cursor is None:
            return id_pages


def test_listing_pages_through_everything_once(user: Person) -> None:
    saved = [user.save(f"Note {number}.")["id"] for number in range(7)]
    id_pages = pages(user, limit=3)
    assert [len(page) for page in id_pages] == [3, 3, 1]
    assert list(chain(*id_pages)) == saved[::-1]
    assert pages(user, limit=7) == [saved[::-1]]
    assert user.http.get("/v3/documents", params={"limit": 1}).json()["total"] == 7


async def test_listing_pages_through_documents_of_the_same_time(user: Person, ports: Ports) -> None:
    saved = [user.save(f"Note {number}.")["id"] for number in range(5)]
    same_time = "UPDATE documents SET created_at = '2026-01-01T00:00:00.123456Z'"
    await change(ports, user.tenant_id, same_time)
    id_pages = pages(user, limit=2)
    assert [len(page) for page in id_pages] == [2, 2, 1]
    assert list(chain(*id_pages)) == sorted(saved, reverse=True)


def test_a_save_between_two_pages_does_not_shift_them(user: Person) -> None:
    saved = [user.save(f"Note {number}.")["id"] for number in range(4)]
    first = user.http.get("/v3/documents", params={"limit": 2}).json()
    user.save("In between.")
    query = {"limit": 2, "cursor": first["next_cursor"]}
    second = user.http.get("/v3/documents", params=query).json()
    assert [document["id"] for document in second["documents"]] == saved[1::-1]
    assert second["next_cursor"] is None


def test_listing_one_project(user: Person) -> None:
    other = user.post("/v3/projects", {"name": "Other"}).json()
    user.save("In the default project.")
    saved = user.save("In the other.", project="other")
    for reference in (other["id"], "other", "Other"):
        listed = user.http.get("/v3/documents", params={"project": reference}).json()
        assert [document["id"] for document in listed["documents"]] == [saved["id"]]
        assert listed["total"] == 1
