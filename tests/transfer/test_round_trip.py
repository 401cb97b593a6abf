"""Export, wipe, import, export: the same store, line for line."""

import base64
import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from remem.core.ports import Ports
from remem.core.scope import Bound, Scope
from remem.core.transfer.kinds import KINDS, NOT_EXPORTED
from tests.conftest import Person, Server, new_person
from tests.core.memories import by_meaning, by_word
from tests.surfaces.rest.people import MakePerson
from tests.surfaces.rest.rows import rows_of
from tests.transfer.stores import (
    bring_in,
    furnish,
    give_out,
    imported,
    of_kind,
    rows,
    sealed,
    settled,
    without_moment,
)

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def sailor(ports: Ports, server: Server) -> AsyncIterator[Person]:
    """Whose store is only exported."""
    person = new_person(server)
    await furnish(ports, person)
    yield person
    person.http.close()


@pytest.fixture
async def mate(ports: Ports, person: Person) -> Person:
    """The same for one test alone, which changes the store or reads it otherwise."""
    await furnish(ports, person)
    return person


async def test_every_table_of_a_tenant_leaves_or_stays_for_a_reason(
    ports: Ports, sailor: Person
) -> None:
    found = set(await rows_of(ports, sailor.tenant_id)) - {"tenants"}
    leaving = {kind.table for kind in KINDS}
    assert leaving | set(NOT_EXPORTED) == found
    assert not leaving & set(NOT_EXPORTED)


async def test_an_export_holds_everything_once_and_says_so(sailor: Person) -> None:
    lines = give_out(sailor)
    first, *between, last = rows(lines)
    assert (first["kind"], last["kind"]) == ("header", "footer")
    assert (first["format"], first["version"]) == ("remem-export", 1)
    counts: dict[str, int] = {}
    for one in between:
        counts[one["kind"]] = counts.get(one["kind"], 0) + 1
    assert last["counts"] == counts
    assert last["lines"] == len(lines)
    assert last["sha256"] == hashlib.sha256("".join(lines[1:-1]).encode()).hexdigest()
    assert {**first["counts"], "part": counts["part"]} == counts
    assert all(counts[kind.name] for kind in KINDS)


async def test_what_was_deleted_is_not_in_it(sailor: Person) -> None:
    text = "".join(give_out(sailor, vectors=True))
    assert "Nobody is to see this again" not in text
    assert "deleted softly" not in text
    assert sailor.tenant_id not in text
    assert "High water is at noon" in text


async def test_ids_are_in_order_and_originals_are_byte_for_byte(sailor: Person) -> None:
    lines = give_out(sailor)
    for kind in KINDS:
        ids = [row["id"] for row in of_kind(lines, kind.name)]
        assert ids == sorted(ids)
    table = next(row for row in of_kind(lines, "original") if row["name"] == "boats.csv")
    parts = [one for one in rows(lines) if one["kind"] == "part" and one["of"] == table["id"]]
    assert base64.b64decode(parts[0]["data"]).startswith(b"name,berths")


@pytest.mark.parametrize("vectors", [True, False])
async def test_a_fresh_user_has_the_same_store_line_for_line(
    ports: Ports, sailor: Person, stranger: Person, vectors: bool
) -> None:
    lines = give_out(sailor, vectors=vectors)
    job = bring_in(stranger, lines)
    assert (job["status"], job["stage"], job["progress"]) == ("completed", "done", 1.0), job
    assert job["done"] == job["total"] == len(lines)
    assert job["problems"] == []
    await settled(ports, stranger.tenant_id)
    assert without_moment(give_out(stranger, vectors=vectors)) == without_moment(lines)
    # Whose it was has not changed.
    assert without_moment(give_out(sailor, vectors=vectors)) == without_moment(lines)
    if vectors:
        assert job["counts"]["vector"]["left_out"] == 0
        jobs = (await rows_of(ports, stranger.tenant_id))["jobs"]
        assert {one["name"] for one in jobs} == {"import_store", "sweep_blobs"}, "none embeds anew"


async def test_what_came_in_is_found_by_word_and_by_meaning(
    ports: Ports, mate: Person, stranger: Person
) -> None:
    bring_in(stranger, give_out(mate))
    await settled(ports, stranger.tenant_id)
    for query in ("berths of the Albatross", "when is the water highest?", "new timetable"):
        ours, theirs = (
            mate.recall(query, explain=True),
            stranger.recall(query, explain=True),
        )
        assert [one["document_id"] for one in theirs] == [one["document_id"] for one in ours]
        scores = [[one["score"] for one in hits] for hits in (ours, theirs)]
        # Scores have six digits, and how old a document is counts a little.
        assert scores[1] == pytest.approx(scores[0], abs=1e-5)
    assert not stranger.recall("old timetable")[0]["title"].startswith("The old")
    scope = Scope(tenant_id=UUID(stranger.tenant_id), user_id=UUID(stranger.user_id))
    (seasick,) = [row["id"] for row in of_kind(give_out(mate), "memory") if "sick" in str(row)]
    assert await by_word(ports, scope, "seasick") == [UUID(seasick)]
    assert (await by_meaning(ports, scope, "who feels ill at sea?"))[0] == UUID(seasick)
    for row in of_kind(give_out(stranger), "document"):
        if row["blob_key"]:
            reply = stranger.http.get(f"/v3/documents/{row['id']}/original")
            assert hashlib.sha256(reply.content).hexdigest() == row["original_hash"]


async def test_after_deleting_everything_it_is_all_there_again(ports: Ports, mate: Person) -> None:
    lines = give_out(mate)
    await _wipe(mate)
    assert not of_kind(give_out(mate), "document")
    job = bring_in(mate, lines)
    assert job["status"] == "completed", job
    await settled(ports, mate.tenant_id)
    after = give_out(mate)
    assert job["problems"] == []
    added = [one for one in rows(after[1:-1]) if one not in rows(lines[1:-1])]
    assert {(one["kind"], one["row"]["type"]) for one in added} <= {
        ("event", "delete"),
        ("event", "erase"),
    }
    assert [line for line in lines[1:-1] if line not in after] == []


async def test_imported_events_name_their_importer_and_what_the_file_claims(
    ports: Ports, sailor: Person, stranger: Person, make_person: MakePerson
) -> None:
    lines = give_out(sailor, vectors=True)
    forged = [line.replace('"actor": "key:', '"actor": "owner:') for line in lines]
    bring_in(stranger, sealed(forged))
    await settled(ports, stranger.tenant_id)
    happened = {row["id"]: row["actor"] for row in of_kind(forged, "event")}
    importer = f"key:{stranger.key[:11]}"
    events = [row for row in of_kind(give_out(stranger), "event") if row["id"] in happened]
    assert {row["id"]: row["claimed_actor"] for row in events} == happened
    assert {row["actor"] for row in events} == {importer}
    shown = stranger.http.get("/api/events", params={"limit": 100}).json()["events"]
    assert {one["imported"] for one in shown if one["id"] in happened} == {True}
    assert {one["imported"] for one in shown if one["id"] not in happened} <= {False}
    # Passed on once more, it is still the first claim, and a new importer.
    third = make_person()
    bring_in(third, give_out(stranger, vectors=True))
    passed = [row for row in of_kind(give_out(third), "event") if row["id"] in happened]
    assert {row["id"]: row["claimed_actor"] for row in passed} == happened
    assert {row["actor"] for row in passed} != {importer}


async def test_what_earlier_versions_kept_still_comes_in(sailor: Person, stranger: Person) -> None:
    lines = give_out(sailor)
    for place, line in enumerate(lines):
        value = json.loads(line)
        if value["kind"] == "event":
            del value["row"]["claimed_actor"]
        elif value["kind"] == "document":
            value["row"]["tags"] = [*value["row"]["tags"], ""]
        elif value["kind"] == "project":
            value["row"]["name"] += " and more" * 40
        lines[place] = json.dumps(value) + "\n"
    job = bring_in(stranger, sealed(lines))
    assert (job["status"], job["problems"]) == ("completed", []), job
    names = [one["name"] for one in stranger.http.get("/v3/projects").json()["projects"]]
    assert max(map(len, names)) <= 200


async def _wipe(person: Person) -> None:
    """Everything that the APIs can delete."""
    for document in person.http.get("/v3/documents", params={"limit": 100}).json()["documents"]:
        assert person.http.delete(f"/v3/documents/{document['id']}").status_code == 204
    for memory in person.http.get("/api/memories").json()["memories"]:
        reply = person.http.delete(f"/api/memories/{memory['id']}", params={"hard": True})
        assert reply.is_success, reply.text
    for slug in ("trips.sea", "trips"):
        assert person.http.delete(f"/v3/projects/{slug}").status_code == 204


async def test_the_same_file_twice_changes_nothing(
    ports: Ports, sailor: Person, stranger: Person
) -> None:
    lines = give_out(sailor, vectors=True)
    first = bring_in(stranger, lines)
    await settled(ports, stranger.tenant_id)
    before = await _what_is_kept(ports, stranger)
    stranger.recall("Albatross")
    again = bring_in(stranger, lines)
    assert imported(again) == 0
    assert imported(again, "left_out") == 0
    assert imported(again, "unchanged") == imported(first)
    await settled(ports, stranger.tenant_id)
    assert await _what_is_kept(ports, stranger) == before


async def _what_is_kept(ports: Ports, person: Person) -> dict[str, Any]:
    found = await rows_of(ports, person.tenant_id)
    moving = ("last_accessed_at", "generation", "last_used_at", "released_at")
    kept = {name: found[name] for name in found if name not in ("jobs", "imports", "events")}
    kept["blobs"] = [row for row in kept["blobs"] if "/import-" not in row["key"]]
    return {
        name: [{key: row[key] for key in row if key not in moving} for row in each]
        for name, each in kept.items()
    }


async def test_an_id_with_other_content_is_told_and_left(
    ports: Ports, sailor: Person, stranger: Person
) -> None:
    lines = give_out(sailor, vectors=True)
    bring_in(stranger, lines)
    memory = next(row for row in of_kind(lines, "memory") if "seasick" in row["content"])
    bound = Bound(tenant_id=UUID(stranger.tenant_id))
    async with ports.db.transaction(bound) as tx:
        await tx.execute(
            "UPDATE memories SET content = 'Ben is fine.' WHERE id = $1", UUID(memory["id"])
        )
    job = bring_in(stranger, lines)
    assert imported(job) == 0
    (problem,) = job["problems"]
    assert (problem["kind"], problem["id"]) == ("memory", memory["id"])
    assert "other content" in problem["problem"]
    assert json.loads(lines[problem["line"] - 1])["row"]["id"] == memory["id"]
    kept = next(row for row in of_kind(give_out(stranger), "memory") if row["id"] == memory["id"])
    assert kept["content"] == "Ben is fine."


async def test_what_is_here_under_another_id_is_not_doubled(
    ports: Ports, sailor: Person, stranger: Person
) -> None:
    mine = stranger.save(
        "# Harbour\n\nThe pilot boards at six.\n\n## Tides\n\nHigh water is at noon.",
        content_type="markdown",
    )
    job = bring_in(stranger, give_out(sailor))
    await settled(ports, stranger.tenant_id)
    body = {one["problem"] for one in job["problems"]}
    assert "the store has the same under another id" in body
    found = stranger.recall("when is high water?")
    assert [one["document_id"] for one in found if "Harbour" in one["title"]] == [mine["id"]]
    # Both default projects had something in them: what was in the file's is now in ours.
    slugs = [one["slug"] for one in stranger.http.get("/v3/projects").json()["projects"]]
    assert sorted(slugs) == ["default", "trips", "trips.sea"]
    assert stranger.recall("berths of the Albatross")


async def test_without_originals_there_are_none(sailor: Person, stranger: Person) -> None:
    lines = give_out(sailor, originals=False)
    assert not of_kind(lines, "original")
    assert bring_in(stranger, lines)["status"] == "completed"
    row = next(row for row in of_kind(lines, "document") if row["blob_key"])
    assert stranger.http.get(f"/v3/documents/{row['id']}/original").status_code == 404


async def test_a_stranger_gets_rows_of_their_own(
    ports: Ports, sailor: Person, stranger: Person
) -> None:
    before = await rows_of(ports, sailor.tenant_id)
    bring_in(stranger, give_out(sailor, vectors=True))
    await settled(ports, stranger.tenant_id)
    assert stranger.http.delete("/v3/projects/trips.sea").status_code == 204
    after = await rows_of(ports, sailor.tenant_id)
    assert after["documents"] == before["documents"]
    assert after["memories"] == before["memories"]
    assert after["blobs"] == before["blobs"]
