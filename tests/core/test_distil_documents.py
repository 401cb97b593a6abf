"""Documents and the memories distilled from them: they come, end and go together."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.distil import distil_document
from remem.core.documents.forget import forget_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft
from remem.core.documents.read import get_document
from remem.core.memories import edit
from remem.core.memories.browse import get_memory, list_memories
from remem.core.memories.evidence import places_of
from remem.core.memories.forget import forget_memory
from remem.core.memories.lifecycle import review_memory
from remem.core.memories.model import Memory, MemoryChoice
from remem.core.ports import Original, Ports
from remem.core.projects.manage import create_project, list_projects
from remem.core.scope import Scope
from tests.core.memories import by_word, contents, count, save, set_limit, settled_jobs

pytestmark = pytest.mark.anyio


class _Noted:
    """A queue that keeps the names of jobs and gives them to nobody."""

    def __init__(self) -> None:
        self.jobs: list[tuple[str, int]] = []

    async def enqueue(self, tx: Any, job: Any, *, delay: Any = None, priority: int = 0) -> None:
        self.jobs.append((job.name, priority))


@pytest.fixture
def idle(ports: Ports) -> Ports:
    return replace(ports, queue=_Noted())  # type: ignore[arg-type]


async def saved(ports: Ports, scope: Scope, content: str, **fields: Any) -> Document:
    draft = Draft(content=content, content_type=fields.pop("content_type", "text"), **fields)
    return (await ingest(ports, scope, draft)).document


async def distilled(ports: Ports, scope: Scope, content: str, **fields: Any) -> Document:
    document = await saved(ports, scope, content, **fields)
    await distil_document(ports, scope, document.id)
    return document


async def memories(ports: Ports, scope: Scope) -> list[Memory]:
    return (await list_memories(ports, scope, MemoryChoice(), None, 100)).memories


TALK = (
    "Caroline: I moved to Berlin last week.\nMelanie: How is it?\n"
    "Caroline: I love the parks of the city.\nMelanie: I'm allergic to pollen.\n"
)


async def test_a_talk_becomes_memories_of_those_who_spoke(idle: Ports, scope: Scope) -> None:
    document = await distilled(idle, scope, TALK, metadata={"date": "2023-05-08"})
    found = {one.content: one for one in await memories(idle, scope)}
    assert set(found) == {
        "I moved to Berlin last week.",
        "I love the parks of the city.",
        "I'm allergic to pollen.",
    }
    text = (await get_document(idle, scope, document.id)).document.content
    for memory in found.values():
        place = memory.evidence
        assert UUID(place["document_id"]) == document.id == memory.document_id
        assert text[place["start"] : place["end"]] in TALK
        assert (memory.source, memory.context) == ("distil", {"review": "pending"})
        assert memory.confidence < 1
    moved = found["I moved to Berlin last week."]
    assert text[moved.evidence["start"] : moved.evidence["end"]] == moved.content
    assert (moved.speaker, moved.said_at) == ("Caroline", datetime(2023, 5, 8, tzinfo=UTC))
    assert moved.dates == [
        {
            "text": "last week",
            "start": "2023-05-01T00:00:00+00:00",
            "end": "2023-05-08T00:00:00+00:00",
            "certain": True,
        }
    ]
    assert moved.occurred_at == datetime(2023, 5, 1, tzinfo=UTC)
    assert found["I'm allergic to pollen."].speaker == "Melanie"


async def test_the_headers_of_a_mail_are_no_memories(idle: Ports, scope: Scope) -> None:
    mail = (
        "From: Hilde <hilde@example.org>\nTo: me@example.org\nSubject: Street party\n"
        "Date: Wed, 04 Nov 2026 10:00:00 +0100\n\nThe street party is on 5 June 2027."
    )
    await distilled(idle, scope, mail, content_type=None)
    found = await memories(idle, scope)
    assert [(one.content, one.speaker) for one in found] == [
        ("The street party is on 5 June 2027.", "Hilde")
    ]


async def test_what_a_note_is_about_does_not_speak_it(idle: Ports, scope: Scope) -> None:
    note = "Car: Skoda Octavia, winter tyres are stored at Garage Jacobs since 2 May 2026."
    await distilled(idle, scope, note)
    assert [(one.content, one.speaker) for one in await memories(idle, scope)] == [(note, "user")]


async def test_a_talk_in_json_is_distilled_and_other_json_is_not(idle: Ports, scope: Scope) -> None:
    turns = [
        {"speaker": "Caroline", "text": "I live in Porto.", "timestamp": "2023-05-08T10:00:00Z"},
        {"speaker": "Melanie", "text": "What is it like?", "timestamp": "2023-05-08T10:01:00Z"},
    ]
    await distilled(idle, scope, json.dumps(turns), content_type="json")
    await distilled(idle, scope, json.dumps({"note": "I live in Oslo."}), content_type="json")
    assert await contents(idle, scope) == ["I live in Porto."]
    assert [name for name, _ in idle.queue.jobs] == ["distil_document"]  # type: ignore[attr-defined]


async def test_distilling_again_changes_nothing(idle: Ports, scope: Scope) -> None:
    document = await distilled(idle, scope, "I live in Porto. I own a red boat.")
    before = [await count(idle, scope, table) for table in ("memories", "links", "events")]
    await distil_document(idle, scope, document.id)
    assert [await count(idle, scope, table) for table in ("memories", "links", "events")] == before


async def test_the_job_is_queued_with_the_document_and_behind_all_others(
    idle: Ports, scope: Scope
) -> None:
    await saved(idle, scope, "I live in Porto.")
    assert idle.queue.jobs == [("distil_document", -10)]  # type: ignore[attr-defined]


async def test_nothing_is_queued_where_there_is_nothing_to_distil(
    idle: Ports, scope: Scope
) -> None:
    await saved(idle, scope, "Hello there, how are you?")
    await saved(idle, scope, "I live in Oslo.", index_only=True)
    await saved(idle, scope, "I live in Bern.", metadata={"source": "recall"})
    await saved(replace(idle, distils=False), scope, "I live in Rome.")
    assert idle.queue.jobs == []  # type: ignore[attr-defined]


async def test_what_is_only_to_be_found_stays_so(idle: Ports, scope: Scope) -> None:
    document = await distilled(idle, scope, "I live in Oslo.", index_only=True)
    assert document.metadata["index_only"] is True
    assert await contents(idle, scope) == []


async def test_the_worker_distils(ports: Ports, scope: Scope) -> None:
    document = await saved(ports, scope, "I live in Lisbon and I love the sea.")
    await settled_jobs(ports, scope, document.id)
    assert await contents(ports, scope) == ["I live in Lisbon and I love the sea."]


async def test_what_an_assistant_said_is_left(idle: Ports, scope: Scope) -> None:
    talk = "User: I live in Porto.\nAssistant: I live in the cloud.\n"
    await distilled(idle, scope, talk)
    assert await contents(idle, scope) == ["I live in Porto."]


async def test_erasing_a_document_erases_what_it_alone_told(idle: Ports, scope: Scope) -> None:
    first = await distilled(idle, scope, "I live in Porto. I own a red boat.")
    second = await distilled(idle, scope, "I live in Porto. I own a blue kite.")
    both = next(one for one in await memories(idle, scope) if "Porto" in one.content)
    assert [one["document_id"] for one in both.evidence["also"]] == [str(second.id)]
    await forget_document(idle, scope, first.id)
    left = await get_memory(idle, scope, both.id)
    assert (left.document_id, left.evidence["document_id"]) == (second.id, str(second.id))
    assert "also" not in left.evidence
    assert await by_word(idle, scope, "boat") == []
    await forget_document(idle, scope, second.id)
    assert await contents(idle, scope) == []
    assert await count(idle, scope, "memories") == await count(idle, scope, "links") == 0


async def test_what_an_erased_document_replaced_holds_again(idle: Ports, scope: Scope) -> None:
    await distilled(idle, scope, "I live in Porto.")
    second = await distilled(idle, scope, "I live in Berlin.")
    assert await contents(idle, scope) == ["I live in Berlin."]
    await forget_document(idle, scope, second.id)
    assert await contents(idle, scope) == ["I live in Porto."]
    assert len(await by_word(idle, scope, "Porto")) == 1


async def test_a_new_version_ends_what_only_the_old_one_told(idle: Ports, scope: Scope) -> None:
    old = await distilled(idle, scope, "I own a red boat. I speak Basque. I drive a van.")
    van = next(one for one in await memories(idle, scope) if "van" in one.content)
    await review_memory(idle, scope, van.id, "accept")
    change = DocumentEdit(frozenset({"content"}), content="I speak Basque. I own a blue kite.")
    new = (await change_document(idle, scope, old.id, change)).document
    await distil_document(idle, scope, new.id)
    assert sorted(await contents(idle, scope)) == [
        "I drive a van.",
        "I own a blue kite.",
        "I speak Basque.",
    ]
    boat = next(
        one
        for one in (
            await list_memories(idle, scope, MemoryChoice(state="superseded"), None, 9)
        ).memories
        if "boat" in one.content
    )
    assert boat.valid_until is not None


async def test_what_a_person_said_stays_when_the_document_goes(idle: Ports, scope: Scope) -> None:
    said = (await save(idle, scope, "The user owns a red boat.")).memory
    document = await distilled(idle, scope, "I own a red boat.")
    await forget_document(idle, scope, document.id)
    kept = await get_memory(idle, scope, said.id)
    assert (kept.source, kept.evidence) == ("api", {})


async def test_what_was_declined_or_deleted_is_not_inferred_again(
    idle: Ports, scope: Scope
) -> None:
    await distilled(idle, scope, "I own a red boat. I speak Basque. I drive a van.")
    by_last = {one.content.split()[-1]: one for one in await memories(idle, scope)}
    declined = await review_memory(idle, scope, by_last["boat."].id, "decline")
    assert (declined.state, declined.quality) == ("quarantined", "bad")
    assert declined.context == {"review": "declined"}
    await forget_memory(idle, scope, by_last["Basque."].id)
    await distilled(idle, scope, "I own a red boat. I speak Basque. I own a drone.")
    assert sorted(await contents(idle, scope)) == [
        "I drive a van.",
        "I own a drone.",
    ]


async def test_a_full_plan_stops_it_and_costs_nothing_else(idle: Ports, scope: Scope) -> None:
    await set_limit(idle, scope, 1)
    document = await distilled(idle, scope, "I own a red boat. I speak Basque.")
    assert len(await contents(idle, scope)) == 1
    assert (await get_document(idle, scope, document.id)).document.status == "done"


async def test_days_are_those_of_the_zone_that_is_named(idle: Ports, scope: Scope) -> None:
    body = {"date": "2023-05-08T22:30:00Z", "timezone": "Europe/Berlin"}
    await distilled(idle, scope, "I moved to Berlin yesterday.", metadata=body)
    (memory,) = await memories(idle, scope)
    assert memory.content == "I moved to Berlin yesterday."
    assert memory.dates[0]["start"] == "2023-05-07T22:00:00+00:00"


async def test_a_page_of_the_web_says_nothing_of_the_user(idle: Ports, scope: Scope) -> None:
    page = "I live in Porto. I own a red boat. We decided to use PostgreSQL last week."
    await distilled(idle, scope, page, source_url="https://example.org/page")
    assert await contents(idle, scope) == []


DIARY = "We decided to spend Easter at my aunt's. Lena wants a guitar. I sold the red boat."


async def uploaded(
    ports: Ports, scope: Scope, folder: Path, name: str, content: str, **fields: Any
) -> set[tuple[str, str | None]]:
    path = folder / name
    path.write_text(content)
    draft = Draft(original=Original(path, name=name), **fields)
    saved = (await ingest(ports, scope, draft)).document
    await distil_document(ports, scope, saved.id)
    return {(one.content, one.speaker) for one in await memories(ports, scope)}


@pytest.mark.parametrize("name", ["diary.md", "diary.txt", "2024-05-01.markdown"])
@pytest.mark.parametrize("address", [None, "file:///home/ann/notes/diary.md"])
async def test_a_note_says_the_same_from_a_file_as_typed_in(
    idle: Ports, scope: Scope, tmp_path: Path, name: str, address: str | None
) -> None:
    found = await uploaded(idle, scope, tmp_path, name, DIARY, source_url=address)
    assert found == {
        ("We decided to spend Easter at my aunt's.", "user"),
        ("Lena wants a guitar.", "user"),
        ("I sold the red boat.", "user"),
    }


@pytest.mark.parametrize(
    ("name", "content", "address"),
    [
        ("page.md", DIARY, "https://example.org/diary"),
        ("page.html", f"<html><body><p>{DIARY}</p></body></html>", "file:///home/ann/page.html"),
        ("clip.md", f"---\nsource: https://example.org/a\n---\n\n{DIARY}", "file:///clip.md"),
        ("talk.md", DIARY, "session:agent/1"),
    ],
)
async def test_a_file_that_is_not_of_the_user_does_not_speak_for_them(
    idle: Ports, scope: Scope, tmp_path: Path, name: str, content: str, address: str
) -> None:
    found = await uploaded(idle, scope, tmp_path, name, content, source_url=address)
    assert "user" not in {speaker for _, speaker in found}
    assert not any("We decided" in content for content, _ in found)


async def test_a_file_with_a_byline_speaks_for_its_author(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    text = f"# A year\n\nBy Jane Holloway\n\n{DIARY}"
    found = await uploaded(idle, scope, tmp_path, "year.md", text, source_url="file:///year.md")
    assert ("I sold the red boat.", "Jane Holloway") in found
    assert "user" not in {speaker for _, speaker in found}


async def test_an_old_talk_replaces_nothing_that_was_said_later(idle: Ports, scope: Scope) -> None:
    await distilled(idle, scope, "I live in Berlin.", metadata={"date": "2024-05-08"})
    await distilled(idle, scope, "I live in Porto.", metadata={"date": "2019-05-08"})
    assert await contents(idle, scope) == ["I live in Berlin."]
    assert await contents(idle, scope, state="superseded") == ["I live in Porto."]
    await distilled(idle, scope, "I live in Oslo.", metadata={"date": "2025-05-08"})
    assert "I live in Berlin." not in await contents(idle, scope)


# Moving


async def test_what_a_document_alone_tells_moves_with_it(idle: Ports, scope: Scope) -> None:
    await make_project(idle, scope, "there")
    document = await distilled(idle, scope, "I live in Porto. I own a red boat.")
    await move_document(idle, scope, document.id, "there")
    assert sorted(await contents(idle, scope, project="there")) == [
        "I live in Porto.",
        "I own a red boat.",
    ]
    here, there = await projects(idle, scope)
    assert await contents(idle, scope, project=here) == []
    async with idle.db.transaction(scope) as tx:
        for table in ("postings", "embeddings", "entities", "memories", "chunks"):
            rows = await tx.fetch(f"SELECT DISTINCT project_id FROM {table}")
            assert [row["project_id"] for row in rows] == [there], table
        totals = await tx.fetch(
            "SELECT project_id, sum(texts)::int AS n FROM text_totals GROUP BY 1"
        )
        moved = await tx.fetch("SELECT data FROM events WHERE type = 'move'")
        counted = await tx.fetchval("SELECT memory_count FROM subscriptions")
    assert {row["project_id"]: row["n"] for row in totals if row["n"]} == {there: 3}
    assert [row["data"]["to"] for row in moved] == [str(there), str(there)]
    assert counted == 2
    assert len(await by_word(idle, scope, "boat")) == 1


async def test_what_others_tell_too_stays_and_what_a_person_changed_goes_along(
    idle: Ports, scope: Scope
) -> None:
    await make_project(idle, scope, "there")
    document = await distilled(idle, scope, "I live in Porto. I own a red boat. I work at Acme.")
    await distilled(idle, scope, "I live in Porto. It rains a lot in this town.")
    found = {one.content: one for one in await memories(idle, scope)}
    change = edit.MemoryEdit(frozenset({"content"}), content="I own a blue boat.")
    await edit.edit_memory(idle, scope, found["I own a red boat."].id, change)
    await move_document(idle, scope, document.id, "there")
    here, _ = await projects(idle, scope)
    assert sorted(await contents(idle, scope, project="there")) == [
        "I own a blue boat.",
        "I work at Acme.",
    ]
    assert await contents(idle, scope, project=here) == ["I live in Porto."]


async def test_what_is_told_there_already_is_kept_once_and_stands_on_both(
    idle: Ports, scope: Scope
) -> None:
    await make_project(idle, scope, "there")
    kept = await distilled(idle, scope, "I live in Porto.", project="there")
    document = await distilled(idle, scope, "I live in Porto. Hello again.")
    await move_document(idle, scope, document.id, "there")
    (memory,) = await memories(idle, scope)
    places = {place.document_id for place in places_of(memory)}
    assert places == {kept.id, document.id}
    await forget_document(idle, scope, kept.id)
    assert await contents(idle, scope, project="there") == ["I live in Porto."]
    await forget_document(idle, scope, document.id)
    assert await count(idle, scope, "postings") == 0


async def test_a_version_before_moves_along(idle: Ports, scope: Scope) -> None:
    await make_project(idle, scope, "there")
    first = await distilled(idle, scope, "I live in Porto.")
    change = DocumentEdit(frozenset({"content"}), content="I live in Faro.")
    second = (await change_document(idle, scope, first.id, change)).document
    await distil_document(idle, scope, second.id)
    await move_document(idle, scope, second.id, "there")
    async with idle.db.transaction(scope) as tx:
        rows = await tx.fetch("SELECT DISTINCT project_id FROM memories")
    assert [row["project_id"] for row in rows] == [(await projects(idle, scope))[1]]
    assert await contents(idle, scope) == ["I live in Faro."]


async def test_what_is_only_to_be_found_stays_so_when_it_is_changed(
    idle: Ports, scope: Scope
) -> None:
    document = await saved(idle, scope, "I live in Oslo.", index_only=True)
    described = DocumentEdit(frozenset({"metadata"}), metadata={"shelf": 3})
    await change_document(idle, scope, document.id, described)
    change = DocumentEdit(frozenset({"content"}), content="I live in Bergen.")
    changed = (await change_document(idle, scope, document.id, change)).document
    assert changed.metadata["index_only"] is True and changed.metadata["shelf"] == 3
    await distil_document(idle, scope, changed.id)
    assert await contents(idle, scope) == []


async def make_project(ports: Ports, scope: Scope, name: str) -> None:
    await create_project(ports, scope, name)


async def move_document(ports: Ports, scope: Scope, id: UUID, project: str) -> None:
    await change_document(ports, scope, id, DocumentEdit(frozenset({"project"}), project=project))


async def projects(ports: Ports, scope: Scope) -> list[UUID]:
    """The default one first."""
    found = await list_projects(ports, scope)
    return [one.id for one in sorted(found, key=lambda one: not one.is_default)]


# What stands beside a quotation


async def test_a_daily_note_means_its_own_day(idle: Ports, scope: Scope) -> None:
    note = "I met Grace at the museum today. I will call the bank tomorrow."
    await distilled(idle, scope, note, title="2024-05-01 Monday", content_type="markdown")
    met, call = sorted(await memories(idle, scope), key=lambda one: one.evidence["start"])
    assert (met.content, met.speaker) == ("I met Grace at the museum today.", "user")
    assert met.said_at == met.occurred_at == datetime(2024, 5, 1, tzinfo=UTC)
    assert call.due_at == datetime(2024, 5, 2, 23, 59, 59, tzinfo=UTC)


async def test_where_nothing_says_when_no_day_is_claimed(idle: Ports, scope: Scope) -> None:
    imported = {"imported_from": "elsewhere"}
    await distilled(idle, scope, "I moved to Berlin yesterday.", metadata=imported)
    (memory,) = await memories(idle, scope)
    assert memory.said_at is memory.occurred_at is None
    assert memory.dates == [{"text": "yesterday", "start": None, "end": None, "certain": False}]


async def test_the_same_words_of_two_people_or_two_days_are_two_memories(
    idle: Ports, scope: Scope
) -> None:
    for speaker, day in (("Ann", "2024-05-01"), ("Ben", "2024-05-01"), ("Ann", "2024-05-09")):
        body = {"speaker": speaker, "date": day}
        await distilled(idle, scope, f"I ran a marathon yesterday. {speaker} {day}", metadata=body)
    found = await memories(idle, scope)
    assert sorted((one.speaker or "", one.dates[0]["start"][:10]) for one in found) == [
        ("Ann", "2024-04-30"),
        ("Ann", "2024-05-08"),
        ("Ben", "2024-04-30"),
    ]


async def test_what_one_says_of_themselves_replaces_nothing_of_another(
    idle: Ports, scope: Scope
) -> None:
    for speaker, place in (("Ann", "Porto"), ("Ben", "Rome"), ("Ann", "Faro")):
        await distilled(idle, scope, f"I live in {place}.", metadata={"speaker": speaker})
    assert sorted(await contents(idle, scope)) == ["I live in Faro.", "I live in Rome."]
    await save(idle, scope, "I live in Oslo.")
    assert len(await contents(idle, scope)) == 3
    assert len(await by_word(idle, scope, "Ben")) == 1


async def test_memories_have_the_tags_of_their_document_and_follow(
    idle: Ports, scope: Scope
) -> None:
    document = await distilled(idle, scope, "I own a red boat.", tags=["harbour", "mine"])
    (memory,) = await memories(idle, scope)
    assert memory.tags == ["harbour", "mine"]
    mark = edit.MemoryEdit(frozenset({"tags"}), tags=["harbour", "mine", "loved"])
    await edit.edit_memory(idle, scope, memory.id, mark)
    await change_document(idle, scope, document.id, DocumentEdit(frozenset({"tags"}), tags=["sea"]))
    assert (await get_memory(idle, scope, memory.id)).tags == ["loved", "sea"]
