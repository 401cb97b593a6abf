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
from tests.core.memories import match_by_meaning, match_by_word
from tests.surfaces.rest.people import MakePerson
from tests.surfaces.rest.rows import rows_of
from tests.transfer.stores import (
    comparable_lines,
    count_rows,
    export_lines,
    fill_store,
    import_lines,
    of_kind,
    parse_lines,
    wait_for_jobs,
    with_footer,
)

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def exporter(ports: Ports, server: Server) -> AsyncIterator[Person]:
    """A user with a filled store that tests only export."""
    person = new_person(server)
    await fill_store(ports, person)
    yield person
    person.http.close()


@pytest.fixture
async def filled_person(ports: Ports, person: Person) -> Person:
    """The same for a single test, which changes the store or reads it in other ways."""
    await fill_store(ports, person)
    return person


async def test_every_table_is_exported_or_listed_as_not_exported(
    ports: Ports, exporter: Person
) -> None:
    tables = set(await rows_of(ports, exporter.tenant_id)) - {"tenants"}
    exported = {kind.table for kind in KINDS}
    assert exported | set(NOT_EXPORTED) == tables
    assert not exported & set(NOT_EXPORTED)


async def test_an_export_has_everything_once_and_a_correct_footer(exporter: Person) -> None:
    lines = export_lines(exporter)
    first, *body, last = parse_lines(lines)
    assert (first["kind"], last["kind"]) == ("header", "footer")
    assert (first["format"], first["version"]) == ("remem-export", 1)
    counts: dict[str, int] = {}
    for value in body:
        counts[value["kind"]] = counts.get(value["kind"], 0) + 1
    assert last["counts"] == counts
    assert last["lines"] == len(lines)
    assert last["sha256"] == hashlib.sha256("".join(lines[1:-1]).encode()).hexdigest()
    assert {**first["counts"], "part": counts["part"]} == counts
    assert all(counts[kind.name] for kind in KINDS)


async def test_deleted_data_is_not_exported(exporter: Person) -> None:
    text = "".join(export_lines(exporter, vectors=True))
    assert "Nobody is to see this again" not in text
    assert "deleted softly" not in text
    assert exporter.tenant_id not in text
    assert "High water is at noon" in text


async def test_ids_are_in_order_and_originals_are_byte_for_byte(exporter: Person) -> None:
    lines = export_lines(exporter)
    for kind in KINDS:
        ids = [row["id"] for row in of_kind(lines, kind.name)]
        assert ids == sorted(ids)
    table = next(row for row in of_kind(lines, "original") if row["name"] == "boats.csv")
    parts = [
        value
        for value in parse_lines(lines)
        if value["kind"] == "part" and value["of"] == table["id"]
    ]
    assert base64.b64decode(parts[0]["data"]).startswith(b"name,berths")


@pytest.mark.parametrize("vectors", [True, False])
async def test_an_import_into_an_empty_store_gives_the_same_export(
    ports: Ports, exporter: Person, stranger: Person, vectors: bool
) -> None:
    lines = export_lines(exporter, vectors=vectors)
    job = import_lines(stranger, lines)
    assert (job["status"], job["stage"], job["progress"]) == ("completed", "done", 1.0), job
    assert job["done"] == job["total"] == len(lines)
    assert job["problems"] == []
    await wait_for_jobs(ports, stranger.tenant_id)
    assert comparable_lines(export_lines(stranger, vectors=vectors)) == comparable_lines(lines)
    # The exported store has not changed.
    assert comparable_lines(export_lines(exporter, vectors=vectors)) == comparable_lines(lines)
    if vectors:
        assert job["counts"]["vector"]["left_out"] == 0
        jobs = (await rows_of(ports, stranger.tenant_id))["jobs"]
        assert {job_row["name"] for job_row in jobs} == {"import_store", "sweep_blobs"}, (
            "none embeds anew"
        )


async def test_imported_data_is_found_by_word_and_by_meaning(
    ports: Ports, filled_person: Person, stranger: Person
) -> None:
    import_lines(stranger, export_lines(filled_person))
    await wait_for_jobs(ports, stranger.tenant_id)
    for query in ("berths of the Albatross", "when is the water highest?", "new timetable"):
        exported_hits, imported_hits = (
            filled_person.recall(query, explain=True),
            stranger.recall(query, explain=True),
        )
        assert [hit["document_id"] for hit in imported_hits] == [
            hit["document_id"] for hit in exported_hits
        ]
        scores = [[hit["score"] for hit in hits] for hits in (exported_hits, imported_hits)]
        # Scores are rounded to six digits, and depend a little on the age of a document.
        assert scores[1] == pytest.approx(scores[0], abs=1e-5)
    assert not stranger.recall("old timetable")[0]["title"].startswith("The old")
    scope = Scope(tenant_id=UUID(stranger.tenant_id), user_id=UUID(stranger.user_id))
    (seasick,) = [
        row["id"] for row in of_kind(export_lines(filled_person), "memory") if "sick" in str(row)
    ]
    assert await match_by_word(ports, scope, "seasick") == [UUID(seasick)]
    assert (await match_by_meaning(ports, scope, "who feels ill at sea?"))[0] == UUID(seasick)
    for row in of_kind(export_lines(stranger), "document"):
        if row["blob_key"]:
            reply = stranger.http.get(f"/v3/documents/{row['id']}/original")
            assert hashlib.sha256(reply.content).hexdigest() == row["original_hash"]


async def test_an_import_restores_everything_that_was_deleted(
    ports: Ports, filled_person: Person
) -> None:
    lines = export_lines(filled_person)
    await _delete_everything(filled_person)
    assert not of_kind(export_lines(filled_person), "document")
    job = import_lines(filled_person, lines)
    assert job["status"] == "completed", job
    await wait_for_jobs(ports, filled_person.tenant_id)
    after = export_lines(filled_person)
    assert job["problems"] == []
    added = [value for value in parse_lines(after[1:-1]) if value not in parse_lines(lines[1:-1])]
    assert {(value["kind"], value["row"]["type"]) for value in added} <= {
        ("event", "delete"),
        ("event", "erase"),
    }
    assert [line for line in lines[1:-1] if line not in after] == []


async def test_imported_events_name_their_importer_and_what_the_file_claims(
    ports: Ports, exporter: Person, stranger: Person, make_person: MakePerson
) -> None:
    lines = export_lines(exporter, vectors=True)
    forged = [line.replace('"actor": "key:', '"actor": "owner:') for line in lines]
    import_lines(stranger, with_footer(forged))
    await wait_for_jobs(ports, stranger.tenant_id)
    claimed_actors = {row["id"]: row["actor"] for row in of_kind(forged, "event")}
    importer = f"key:{stranger.key[:11]}"
    events = [
        row for row in of_kind(export_lines(stranger), "event") if row["id"] in claimed_actors
    ]
    assert {row["id"]: row["claimed_actor"] for row in events} == claimed_actors
    assert {row["actor"] for row in events} == {importer}
    listed = stranger.http.get("/api/events", params={"limit": 100}).json()["events"]
    assert {event["imported"] for event in listed if event["id"] in claimed_actors} == {True}
    assert {event["imported"] for event in listed if event["id"] not in claimed_actors} <= {False}
    # After another export and import, the claim is still the first one; the importer is new.
    third = make_person()
    import_lines(third, export_lines(stranger, vectors=True))
    reimported = [
        row for row in of_kind(export_lines(third), "event") if row["id"] in claimed_actors
    ]
    assert {row["id"]: row["claimed_actor"] for row in reimported} == claimed_actors
    assert {row["actor"] for row in reimported} != {importer}


async def test_exports_of_earlier_versions_can_be_imported(
    exporter: Person, stranger: Person
) -> None:
    lines = export_lines(exporter)
    for index, line in enumerate(lines):
        value = json.loads(line)
        if value["kind"] == "event":
            del value["row"]["claimed_actor"]
        elif value["kind"] == "document":
            value["row"]["tags"] = [*value["row"]["tags"], ""]
        elif value["kind"] == "project":
            value["row"]["name"] += " and more" * 40
        lines[index] = json.dumps(value) + "\n"
    job = import_lines(stranger, with_footer(lines))
    assert (job["status"], job["problems"]) == ("completed", []), job
    names = [project["name"] for project in stranger.http.get("/v3/projects").json()["projects"]]
    assert max(map(len, names)) <= 200


async def _delete_everything(person: Person) -> None:
    """Delete everything that the APIs can delete."""
    for document in person.http.get("/v3/documents", params={"limit": 100}).json()["documents"]:
        assert person.http.delete(f"/v3/documents/{document['id']}").status_code == 204
    for memory in person.http.get("/api/memories").json()["memories"]:
        reply = person.http.delete(f"/api/memories/{memory['id']}", params={"hard": True})
        assert reply.is_success, reply.text
    for slug in ("trips.sea", "trips"):
        assert person.http.delete(f"/v3/projects/{slug}").status_code == 204


async def test_the_same_file_twice_changes_nothing(
    ports: Ports, exporter: Person, stranger: Person
) -> None:
    lines = export_lines(exporter, vectors=True)
    first = import_lines(stranger, lines)
    await wait_for_jobs(ports, stranger.tenant_id)
    before = await _stored_rows(ports, stranger)
    stranger.recall("Albatross")
    again = import_lines(stranger, lines)
    assert count_rows(again) == 0
    assert count_rows(again, "left_out") == 0
    assert count_rows(again, "unchanged") == count_rows(first)
    await wait_for_jobs(ports, stranger.tenant_id)
    assert await _stored_rows(ports, stranger) == before


async def _stored_rows(ports: Ports, person: Person) -> dict[str, Any]:
    tables = await rows_of(ports, person.tenant_id)
    volatile = ("last_accessed_at", "generation", "last_used_at", "released_at")
    stored = {name: tables[name] for name in tables if name not in ("jobs", "imports", "events")}
    stored["blobs"] = [row for row in stored["blobs"] if "/import-" not in row["key"]]
    return {
        name: [{key: row[key] for key in row if key not in volatile} for row in table_rows]
        for name, table_rows in stored.items()
    }


async def test_an_id_with_other_content_is_reported_and_not_changed(
    ports: Ports, exporter: Person, stranger: Person
) -> None:
    lines = export_lines(exporter, vectors=True)
    import_lines(stranger, lines)
    memory = next(row for row in of_kind(lines, "memory") if "seasick" in row["content"])
    bound = Bound(tenant_id=UUID(stranger.tenant_id))
    async with ports.db.transaction(bound) as tx:
        await tx.execute(
            "UPDATE memories SET content = 'Ben is fine.' WHERE id = $1", UUID(memory["id"])
        )
    job = import_lines(stranger, lines)
    assert count_rows(job) == 0
    (problem,) = job["problems"]
    assert (problem["kind"], problem["id"]) == ("memory", memory["id"])
    assert "other content" in problem["problem"]
    assert json.loads(lines[problem["line"] - 1])["row"]["id"] == memory["id"]
    unchanged = next(
        row for row in of_kind(export_lines(stranger), "memory") if row["id"] == memory["id"]
    )
    assert unchanged["content"] == "Ben is fine."


async def test_existing_content_under_another_id_is_not_duplicated(
    ports: Ports, exporter: Person, stranger: Person
) -> None:
    existing = stranger.save(
        "# Harbour\n\nThe pilot boards at six.\n\n## Tides\n\nHigh water is at noon.",
        content_type="markdown",
    )
    job = import_lines(stranger, export_lines(exporter))
    await wait_for_jobs(ports, stranger.tenant_id)
    problems = {problem["problem"] for problem in job["problems"]}
    assert "the store has the same under another id" in problems
    results = stranger.recall("when is high water?")
    assert [hit["document_id"] for hit in results if "Harbour" in hit["title"]] == [existing["id"]]
    # Both default projects had content: the file's is now in the importer's.
    slugs = [project["slug"] for project in stranger.http.get("/v3/projects").json()["projects"]]
    assert sorted(slugs) == ["default", "trips", "trips.sea"]
    assert stranger.recall("berths of the Albatross")


async def test_an_export_can_leave_out_originals(exporter: Person, stranger: Person) -> None:
    lines = export_lines(exporter, originals=False)
    assert not of_kind(lines, "original")
    assert import_lines(stranger, lines)["status"] == "completed"
    row = next(row for row in of_kind(lines, "document") if row["blob_key"])
    assert stranger.http.get(f"/v3/documents/{row['id']}/original").status_code == 404


async def test_an_import_creates_rows_of_the_importers_own(
    ports: Ports, exporter: Person, stranger: Person
) -> None:
    before = await rows_of(ports, exporter.tenant_id)
    import_lines(stranger, export_lines(exporter, vectors=True))
    await wait_for_jobs(ports, stranger.tenant_id)
    assert stranger.http.delete("/v3/projects/trips.sea").status_code == 204
    after = await rows_of(ports, exporter.tenant_id)
    assert after["documents"] == before["documents"]
    assert after["memories"] == before["memories"]
    assert after["blobs"] == before["blobs"]
