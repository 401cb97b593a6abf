"""Exports of other products are imported over HTTP: searchable, with their own times, and once."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transfer import transfer_store
from remem.core.transfer.elsewhere.load import load_items
from remem.core.transfer.model import ImportSource
from tests.conftest import READABLE_HOST, Person
from tests.e2e.test_cli import remem
from tests.samples.elsewhere import VAULT, sample, vault, zipped
from tests.surfaces.rest import rows
from tests.tools.site import Site, page, serving
from tests.tools.waiting import until
from tests.transfer.stores import count_rows, export_lines, of_kind, wait_for_import, wait_for_jobs

pytestmark = pytest.mark.anyio


async def rows_of(ports: Ports, person: Person, table: str) -> list[dict[str, Any]]:
    return (await rows.rows_of(ports, person.tenant_id))[table]


def moment(iso: str) -> float:
    return datetime.fromisoformat(iso).timestamp()


def import_data(person: Person, data: bytes, **options: Any) -> dict[str, Any]:
    reply = person.http.post("/v3/import", content=data, params=options)
    assert reply.status_code == 202, reply.text
    job = wait_for_import(person, reply.json()["job_id"])
    assert job["done"] == job["total"] or job["status"] == "failed"
    return job


def import_sample(person: Person, name: str, **options: Any) -> dict[str, Any]:
    return import_data(person, sample(name).read_bytes(), **options)


async def test_a_conversation_is_found_turn_by_turn_at_its_own_time(
    person: Person, ports: Ports
) -> None:
    job = import_sample(person, "chatgpt.json")
    assert job["counts"] == {"talk": {"imported": 1, "left_out": 1}}
    [problem] = job["problems"]
    assert (problem["line"], problem["kind"]) == (2, "talk")
    [result] = person.recall("which strait has the strongest current?")
    assert result["title"] == "Kayak trip to the Faroe Islands"
    assert result["source_url"].startswith("https://chatgpt.com/c/")
    [row] = await rows_of(ports, person, "documents")
    assert moment(row["created_at"]) == 1709283600
    assert row["metadata"]["external_id"] == "6f1d2c3b-0000-4000-8000-000000000001"
    chunks = sorted(await rows_of(ports, person, "chunks"), key=lambda chunk: chunk["chunk_index"])
    assert [chunk["speaker"] for chunk in chunks] == ["user", "assistant", "user"]
    assert moment(chunks[2]["said_at"]) == 1712000000
    assert all(
        row["content"][chunk["start_offset"] : chunk["end_offset"]] == chunk["content"]
        for chunk in chunks
    )


@pytest.mark.parametrize(
    ("file", "query", "title"),
    [
        ("claude.json", "what is the rye starter called?", "Sourdough at altitude"),
        ("karakeep.json", "boat to Heligoland", "Gannet colonies of the North Sea"),
        ("pocket.csv", "how were lighthouses wound", "How lighthouses, once, were wound"),
        ("pocket.html", "eye splices", "Eye splices & other joints"),
        ("raindrop.csv", "dry stone walls without mortar", "Terracing on steep slopes"),
        ("raindrop.html", "knot for a sled kite bridle", "Bridles with one bowline"),
        ("supermemory.json", "when does the greenhouse fan start?", "Greenhouse log"),
    ],
)
async def test_imported_items_are_found_and_imported_once(
    person: Person, ports: Ports, file: str, query: str, title: str
) -> None:
    first = import_sample(person, file)
    assert first["status"] == "completed", first
    assert count_rows(first) > 0
    await wait_for_jobs(ports, person.tenant_id)
    before = export_lines(person)
    again = import_sample(person, file)
    assert count_rows(again) == 0
    assert count_rows(again, "unchanged") == count_rows(first)
    assert count_rows(again, "left_out") == count_rows(first, "left_out")
    kinds = ("document", "chunk", "memory", "link")
    after = export_lines(person)
    assert all(of_kind(after, kind) == of_kind(before, kind) for kind in kinds)
    # A text imported both as a document and as a memory may be found as either.
    assert title in [result["title"] for result in person.recall(query)[:2]]


async def test_memories_keep_their_times_and_context(person: Person, ports: Ports) -> None:
    assert import_sample(person, "mem0.json")["counts"] == {
        "memory": {"imported": 3, "left_out": 1}
    }
    rows = {row["content"]: row for row in await rows_of(ports, person, "memories")}
    bees = rows["Nadia keeps bees on the roof of the library"]
    assert moment(bees["created_at"]) == moment("2024-03-02T17:15:00+00:00")
    assert bees["tags"] == ["hobbies", "personal_details"]
    assert bees["context"]["external_id"] == "f4cbdb08-7062-4f3e-8eb2-9f5c80dfe64c"
    assert (bees["context"]["user_id"], bees["source"]) == ("nadia", "mem0")
    results = person.http.get("/api/memories/search", params={"query": "who keeps bees?"}).json()
    assert "keeps bees on the roof" in json.dumps(results)
    assert count_rows(import_sample(person, "mem0.json")) == 0


async def test_a_memory_that_was_deleted_here_does_not_come_back(person: Person) -> None:
    import_sample(person, "mem0.json")
    listed = person.http.get("/api/memories").json()
    listed = listed.get("memories") or listed["items"]
    [bees] = [memory["id"] for memory in listed if "bees" in memory["content"]]
    assert person.http.delete(f"/api/memories/{bees}").status_code in (200, 204)
    assert count_rows(import_sample(person, "mem0.json")) == 0
    assert "bees" not in person.http.get("/api/memories").text


async def test_an_old_memory_replaces_no_newer_one(person: Person) -> None:
    person.post("/api/memories", {"content": "Nadia lives in Berlin"})
    old = {"id": "1", "memory": "Nadia lives in Paris", "user_id": "n", "created_at": "2020-01-01"}
    import_data(person, json.dumps([old]).encode())
    text = person.http.get("/api/memories").text
    assert "Berlin" in text and "Paris" not in text
    assert "Paris" in person.http.get("/api/memories", params={"state": "superseded"}).text


async def test_a_continued_conversation_becomes_a_new_version(person: Person, ports: Ports) -> None:
    import_sample(person, "chatgpt.json")
    talks = json.loads(sample("chatgpt.json").read_text())
    nodes = talks[0]["mapping"]
    later = json.loads(json.dumps(nodes["a-2"]).replace("a-2", "a-3").replace("t-1", "u-2"))
    later["message"]["content"]["parts"] = ["Then mind the eddy behind Koltur."]
    later["children"], nodes["a-3"] = [], later
    talks[0]["current_node"] = "a-3"
    assert count_rows(import_data(person, json.dumps(talks).encode())) == 1
    rows = await rows_of(ports, person, "documents")
    assert sorted((row["version"], row["is_latest"]) for row in rows) == [(1, False), (2, True)]
    assert "Koltur" in json.dumps(person.recall("eddy behind Koltur"))


async def test_folders_become_projects_and_attachments_documents(
    person: Person, ports: Ports
) -> None:
    job = import_data(person, vault())
    assert job["counts"] == {"document": {"imported": 3, "left_out": 2}}
    await wait_for_jobs(ports, person.tenant_id)
    slugs = {row["id"]: row["slug"] for row in await rows_of(ports, person, "projects")}
    rows = {row["title"]: row for row in await rows_of(ports, person, "documents")}
    assert slugs[rows["Lofoten by bicycle"]["project_id"]] == "vault.trips.2024"
    assert slugs[rows["Home"]["project_id"]] == "vault"
    assert moment(rows["Lofoten by bicycle"]["created_at"]) == moment("2024-02-03T18:20Z")
    assert rows["Lofoten by bicycle"]["metadata"]["links"] == ["Packing list", "route.csv"]
    assert rows["route.csv"]["blob_key"] and "Ramberg" in rows["route.csv"]["content"]
    [best, *_] = person.recall("ferry from Bodø and five days back", project="vault.*")
    assert best["title"] == "Lofoten by bicycle"
    again = import_data(person, vault(), project="mine")
    assert count_rows(again) == 0


async def test_a_daily_note_has_the_date_of_its_name(person: Person) -> None:
    notes = {
        "Vault/Daily/2024-02-17.md": "Biscuit came home from the shelter.",
        "Vault/Daily/2024-02-18.md": "---\ndate: 2023-05-01\n---\nBiscuit, as I wrote in May.",
        "Vault/Dogs.md": "Biscuit is a spaniel.",
    }
    import_data(person, zipped(dict(notes)))
    february = {"created_after": "2024-02-01", "created_before": "2024-03-01"}
    results = person.recall("Biscuit", filters=february, kinds=["document"], weak=True)
    assert [result["title"] for result in results] == ["2024-02-17"]
    assert results[0]["created_at"].startswith("2024-02-17")


async def test_a_project_takes_the_place_of_the_top_folder(person: Person, ports: Ports) -> None:
    import_data(person, vault(), project="travel.notes")
    slugs = {row["slug"] for row in await rows_of(ports, person, "projects")}
    assert {"travel.notes", "travel.notes.trips.2024"} <= slugs
    assert "vault" not in slugs


async def test_a_bookmark_does_not_replace_a_saved_page(person: Person) -> None:
    url = "https://birds.example/gannets"
    person.save("The whole article on gannets, as it was saved from the page.", source_url=url)
    assert import_sample(person, "karakeep.json")["counts"]["bookmark"] == {
        "unchanged": 1,
        "left_out": 1,
    }
    assert "whole article" in json.dumps(person.recall("gannets"))


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (b"hello", {}, "Karakeep export"),
        (b"hello", {"from": "evernote"}, "use one of: remem, chatgpt"),
        (b"", {}, "is empty"),
        (b'{"kind":"header"}\n', {}, "line 1"),
    ],
)
def test_unknown_files_are_refused_with_the_known_formats(
    person: Person, data: bytes, options: dict[str, str], message: str
) -> None:
    reply = person.http.post("/v3/import", content=data, params=options)
    assert reply.status_code == 422 or reply.status_code == 400, reply.text
    assert message in reply.json()["error"]


async def test_a_damaged_file_leaves_nothing(person: Person, ports: Ports) -> None:
    truncated = sample("mem0.json").read_bytes()[:-10]
    job = import_data(person, truncated)
    assert job["status"] == "failed" and "export it again" in job["error"]
    assert await rows_of(ports, person, "memories") == []
    mislabelled = import_sample(person, "raindrop.csv", **{"from": "claude"})
    assert mislabelled["status"] == "failed"
    bomb = zipped({"conversations.json": b"[" + b" " * 50_000_000})
    refused = import_data(person, bomb, **{"from": "chatgpt"})
    assert refused["status"] == "failed" and "would unpack to" in refused["error"]


async def test_values_that_the_database_cannot_store_are_removed(
    person: Person, ports: Ports
) -> None:
    memory = {
        "id": "1\x00", "memory": "A tern\x00 dives \ud83d from high", "user_id": "u",
        "metadata": {"a\x00": ["b\x00", 1.5], "long": "x" * 200_000}, "categories": ["y" * 300],
    }  # fmt: skip
    assert count_rows(import_data(person, json.dumps([memory]).encode())) == 1
    [row] = await rows_of(ports, person, "memories")
    assert row["context"]["a"] == ["b", 1.5] and "long" not in row["context"]
    long_memory = {"id": "2", "memory": "word " * 5_000, "user_id": "u"}
    job = import_data(
        person,
        json.dumps([long_memory, {**long_memory, "memory": "Terns dive from the pier"}]).encode(),
    )
    assert job["counts"]["memory"] == {"imported": 1, "left_out": 1}
    assert "at most 10,000" in job["problems"][0]["problem"]


# Fetching pages, and the command line


def test_pages_are_fetched_only_on_request(person: Person) -> None:
    with serving(Site(host=READABLE_HOST)) as site:
        site.pages["/eider"] = page(EIDER, Content_Type="text/html")
        bookmark = {"createdAt": 1719835200, "title": "Eiders", "tags": ["birds"],
                  "content": {"type": "link", "url": f"{site.url}/eider"}}  # fmt: skip
        data = json.dumps({"bookmarks": [bookmark]}).encode()
        assert import_data(person, data)["counts"] == {"bookmark": {"imported": 1}}
        assert site.requests == []
        assert import_data(person, data, fetch=True)["counts"] == {"bookmark": {"imported": 1}}
        until(lambda: finds(person, "down lines the nest of an eider"))
        assert len(site.requests) == 1
        assert import_data(person, data, fetch=True)["counts"] == {"bookmark": {"unchanged": 1}}
        assert import_data(person, data)["counts"] == {"bookmark": {"unchanged": 1}}
        assert len(site.requests) == 1


def finds(person: Person, query: str) -> bool:
    results = person.recall(query)
    return bool(results) and "lines" in json.dumps(results[0]["chunks"])


EIDER = b"""<html><head><title>Eiders</title></head><body><article><h1>Eiders</h1><p>The down lines
the nest of an eider and keeps her eggs warm while she is away at sea, feeding on mussels among the
rocks of the shore for an hour at a time, as the keepers of the islands have known for centuries.
</p></article></body></html>"""


def test_a_folder_is_imported_from_the_command_line(data_dir: Path, tmp_path: Path) -> None:
    result = remem(data_dir, "import", str(VAULT))
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[0] == "3 imported, 0 unchanged, 2 left out."
    assert "document vault/Trips/Empty.md: it is empty" in result.stdout
    file = tmp_path / "odd"
    file.write_bytes(sample("raindrop.csv").read_bytes())
    file_result = remem(
        data_dir, "import", str(file), "--from", "raindrop", "--project", "reading", "--json"
    )
    assert json.loads(file_result.stdout)["counts"] == {"bookmark": {"imported": 2}}
    file.write_text("What is this?")
    refused = remem(data_dir, "import", str(file))
    assert refused.returncode == 1
    assert "Obsidian vault" in refused.stderr and "chatgpt" in refused.stderr


async def test_an_import_resumes_where_it_stopped(ports: Ports, scope: Scope) -> None:
    id, path = new_id(), sample("mem0.json")
    async with ports.db.transaction(scope) as tx:
        await transfer_store.insert(tx, id, "none", 4, ImportSource("mem0"))
        await transfer_store.change(tx, id, stage="loading", done=1)
        arrival = await transfer_store.find(tx, id)
    assert arrival is not None
    await load_items(ports, scope, arrival, path)
    # Items that are loaded twice, because an attempt was wrongly taken for dead, count once.
    await load_items(ports, scope, arrival, path)
    async with ports.db.transaction(scope) as tx:
        after = await transfer_store.find(tx, id)
        memory_rows = await tx.fetch("SELECT content FROM memories WHERE tenant_id = $1")
    assert after and (after.done, after.counts) == (4, {"memory": {"imported": 2, "left_out": 1}})
    assert sorted(row["content"] for row in memory_rows) == [
        "Nadia is allergic to hazelnuts", "Nadia rents a Vespa in Trieste",
    ]  # fmt: skip
