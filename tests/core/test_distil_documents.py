"""Memories distilled from documents: they are created, ended and deleted with their document."""

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
from remem.core.errors import WaitsForRoom
from remem.core.jobs.job_store import next_turn as next_turn_of
from remem.core.memories import distil as memory_distil
from remem.core.memories import edit
from remem.core.memories.browse import get_memory, list_memories
from remem.core.memories.evidence import places_of
from remem.core.memories.forget import forget_memory
from remem.core.memories.lifecycle import review_memory
from remem.core.memories.model import Memory, MemoryChoice
from remem.core.memories.process import relate_memory
from remem.core.ports import Original, Ports
from remem.core.projects.manage import create_project, list_projects
from remem.core.scope import Scope
from remem.core.transaction import AnyTx
from tests.core.memories import contents, count, match_by_word, save, set_limit, wait_for_jobs

pytestmark = pytest.mark.anyio


class _RecordingQueue:
    """A queue without a worker that records the names and priorities of its jobs."""

    def __init__(self) -> None:
        self.jobs: list[tuple[str, int]] = []

    async def enqueue(self, tx: AnyTx, job: Any, *, priority: int = 0, **_: Any) -> None:
        self.jobs.append((job.name, priority))


@pytest.fixture
def idle_ports(ports: Ports) -> Ports:
    return replace(ports, queue=_RecordingQueue())  # type: ignore[arg-type]


async def save_document(ports: Ports, scope: Scope, content: str, **fields: Any) -> Document:
    draft = Draft(content=content, content_type=fields.pop("content_type", "text"), **fields)
    return (await ingest(ports, scope, draft)).document


async def distil_text(ports: Ports, scope: Scope, content: str, **fields: Any) -> Document:
    document = await save_document(ports, scope, content, **fields)
    await distil_document(ports, scope, document.id)
    return document


async def memories(ports: Ports, scope: Scope) -> list[Memory]:
    return (await list_memories(ports, scope, MemoryChoice(), None, 100)).memories


TALK = (
    "Caroline: I moved to Berlin last week.\nMelanie: How is it?\n"
    "Caroline: I love the parks of the city.\nMelanie: I'm allergic to pollen.\n"
)


async def test_a_conversation_becomes_memories_of_its_speakers(
    idle_ports: Ports, scope: Scope
) -> None:
    document = await distil_text(idle_ports, scope, TALK, metadata={"date": "2023-05-08"})
    by_content = {memory.content: memory for memory in await memories(idle_ports, scope)}
    assert set(by_content) == {
        "I moved to Berlin last week.",
        "I love the parks of the city.",
        "I'm allergic to pollen.",
    }
    text = (await get_document(idle_ports, scope, document.id)).document.content
    for memory in by_content.values():
        evidence = memory.evidence
        assert UUID(evidence["document_id"]) == document.id == memory.document_id
        assert text[evidence["start"] : evidence["end"]] in TALK
        assert (memory.source, memory.context) == ("distil", {"review": "pending"})
        assert memory.confidence < 1
    moved = by_content["I moved to Berlin last week."]
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
    assert by_content["I'm allergic to pollen."].speaker == "Melanie"


async def test_the_headers_of_a_mail_are_not_distilled(idle_ports: Ports, scope: Scope) -> None:
    mail = (
        "From: Hilde <hilde@example.org>\nTo: me@example.org\nSubject: Street party\n"
        "Date: Wed, 04 Nov 2026 10:00:00 +0100\n\nThe street party is on 5 June 2027."
    )
    await distil_text(idle_ports, scope, mail, content_type=None)
    distilled = await memories(idle_ports, scope)
    assert [(memory.content, memory.speaker) for memory in distilled] == [
        ("The street party is on 5 June 2027.", "Hilde")
    ]


async def test_the_subject_of_a_note_is_not_its_speaker(idle_ports: Ports, scope: Scope) -> None:
    note = "Car: Skoda Octavia, winter tyres are stored at Garage Jacobs since 2 May 2026."
    await distil_text(idle_ports, scope, note)
    assert [(memory.content, memory.speaker) for memory in await memories(idle_ports, scope)] == [
        (note, "user")
    ]


async def test_a_conversation_in_json_is_distilled_and_other_json_is_not(
    idle_ports: Ports, scope: Scope
) -> None:
    turns = [
        {"speaker": "Caroline", "text": "I live in Porto.", "timestamp": "2023-05-08T10:00:00Z"},
        {"speaker": "Melanie", "text": "What is it like?", "timestamp": "2023-05-08T10:01:00Z"},
    ]
    await distil_text(idle_ports, scope, json.dumps(turns), content_type="json")
    await distil_text(
        idle_ports, scope, json.dumps({"note": "I live in Oslo."}), content_type="json"
    )
    assert await contents(idle_ports, scope) == ["I live in Porto."]
    assert [name for name, _ in idle_ports.queue.jobs] == ["distil_document"]  # type: ignore[attr-defined]


async def test_jobs_relate_what_takes_too_long(
    ports: Ports, idle_ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_distil, "TURN_S", 0.0)
    await distil_text(idle_ports, scope, "I live in Porto. I own a red boat.")
    distilled = await memories(idle_ports, scope)
    assert {memory.content for memory in distilled} == {"I live in Porto.", "I own a red boat."}
    assert {memory.embedded_with for memory in distilled} == {None}
    jobs = [name for name, _ in idle_ports.queue.jobs]  # type: ignore[attr-defined]
    assert jobs == ["distil_document", "relate_memory", "relate_memory"]
    for memory in distilled:
        await relate_memory(ports, scope, memory.id)
    related = await memories(idle_ports, scope)
    assert {memory.embedded_with for memory in related} == {ports.embedder.model}


async def test_distilling_again_changes_nothing(idle_ports: Ports, scope: Scope) -> None:
    document = await distil_text(idle_ports, scope, "I live in Porto. I own a red boat.")
    before = [await count(idle_ports, scope, table) for table in ("memories", "links", "events")]
    await distil_document(idle_ports, scope, document.id)
    assert [
        await count(idle_ports, scope, table) for table in ("memories", "links", "events")
    ] == before


async def test_the_job_is_queued_with_the_document_at_the_lowest_priority(
    idle_ports: Ports, scope: Scope
) -> None:
    await save_document(idle_ports, scope, "I live in Porto.")
    [(name, priority)] = idle_ports.queue.jobs  # type: ignore[attr-defined]
    async with idle_ports.db.transaction(scope) as tx:
        next_turn = await next_turn_of(tx)
    assert name == "distil_document"
    # One job waits already, and the priority counts as ten seconds.
    assert priority == pytest.approx(-next_turn - 10 + 1, abs=5)


async def test_no_job_is_queued_if_there_is_nothing_to_distil(
    idle_ports: Ports, scope: Scope
) -> None:
    await save_document(idle_ports, scope, "Hello there, how are you?")
    await save_document(idle_ports, scope, "I live in Oslo.", index_only=True)
    await save_document(idle_ports, scope, "I live in Bern.", metadata={"source": "recall"})
    await save_document(replace(idle_ports, distils=False), scope, "I live in Rome.")
    assert idle_ports.queue.jobs == []  # type: ignore[attr-defined]


async def test_an_index_only_document_is_not_distilled(idle_ports: Ports, scope: Scope) -> None:
    document = await distil_text(idle_ports, scope, "I live in Oslo.", index_only=True)
    assert document.metadata["index_only"] is True
    assert await contents(idle_ports, scope) == []


async def test_the_worker_distils(ports: Ports, scope: Scope) -> None:
    document = await save_document(ports, scope, "I live in Lisbon and I love the sea.")
    await wait_for_jobs(ports, scope, document.id)
    assert await contents(ports, scope) == ["I live in Lisbon and I love the sea."]


async def test_turns_of_an_assistant_are_not_distilled(idle_ports: Ports, scope: Scope) -> None:
    talk = "User: I live in Porto.\nAssistant: I live in the cloud.\n"
    await distil_text(idle_ports, scope, talk)
    assert await contents(idle_ports, scope) == ["I live in Porto."]


async def test_deleting_a_document_deletes_the_memories_only_it_has(
    idle_ports: Ports, scope: Scope
) -> None:
    first = await distil_text(idle_ports, scope, "I live in Porto. I own a red boat.")
    second = await distil_text(idle_ports, scope, "I live in Porto. I own a blue kite.")
    both = next(memory for memory in await memories(idle_ports, scope) if "Porto" in memory.content)
    assert [place["document_id"] for place in both.evidence["also"]] == [str(second.id)]
    await forget_document(idle_ports, scope, first.id)
    remaining = await get_memory(idle_ports, scope, both.id)
    assert (remaining.document_id, remaining.evidence["document_id"]) == (second.id, str(second.id))
    assert "also" not in remaining.evidence
    assert await match_by_word(idle_ports, scope, "boat") == []
    await forget_document(idle_ports, scope, second.id)
    assert await contents(idle_ports, scope) == []
    assert (
        await count(idle_ports, scope, "memories") == await count(idle_ports, scope, "links") == 0
    )


async def test_a_memory_replaced_by_a_deleted_document_is_current_again(
    idle_ports: Ports, scope: Scope
) -> None:
    await distil_text(idle_ports, scope, "I live in Porto.")
    second = await distil_text(idle_ports, scope, "I live in Berlin.")
    assert await contents(idle_ports, scope) == ["I live in Berlin."]
    await forget_document(idle_ports, scope, second.id)
    assert await contents(idle_ports, scope) == ["I live in Porto."]
    assert len(await match_by_word(idle_ports, scope, "Porto")) == 1


async def test_a_new_version_ends_the_memories_only_the_old_one_has(
    idle_ports: Ports, scope: Scope
) -> None:
    old = await distil_text(idle_ports, scope, "I own a red boat. I speak Basque. I drive a van.")
    van = next(memory for memory in await memories(idle_ports, scope) if "van" in memory.content)
    await review_memory(idle_ports, scope, van.id, "accept")
    change = DocumentEdit(frozenset({"content"}), content="I speak Basque. I own a blue kite.")
    new = (await change_document(idle_ports, scope, old.id, change)).document
    await distil_document(idle_ports, scope, new.id)
    assert sorted(await contents(idle_ports, scope)) == [
        "I drive a van.",
        "I own a blue kite.",
        "I speak Basque.",
    ]
    boat = next(
        memory
        for memory in (
            await list_memories(idle_ports, scope, MemoryChoice(state="superseded"), None, 9)
        ).memories
        if "boat" in memory.content
    )
    assert boat.valid_until is not None


async def test_a_memory_saved_by_the_user_stays_when_the_document_is_deleted(
    idle_ports: Ports, scope: Scope
) -> None:
    saved = (await save(idle_ports, scope, "The user owns a red boat.")).memory
    document = await distil_text(idle_ports, scope, "I own a red boat.")
    await forget_document(idle_ports, scope, document.id)
    kept = await get_memory(idle_ports, scope, saved.id)
    assert (kept.source, kept.evidence) == ("api", {})


async def test_a_declined_or_deleted_memory_is_not_inferred_again(
    idle_ports: Ports, scope: Scope
) -> None:
    await distil_text(idle_ports, scope, "I own a red boat. I speak Basque. I drive a van.")
    by_last_word = {
        memory.content.split()[-1]: memory for memory in await memories(idle_ports, scope)
    }
    declined = await review_memory(idle_ports, scope, by_last_word["boat."].id, "decline")
    assert (declined.state, declined.quality) == ("quarantined", "bad")
    assert declined.context == {"review": "declined"}
    await forget_memory(idle_ports, scope, by_last_word["Basque."].id)
    await distil_text(idle_ports, scope, "I own a red boat. I speak Basque. I own a drone.")
    assert sorted(await contents(idle_ports, scope)) == [
        "I drive a van.",
        "I own a drone.",
    ]


async def test_a_full_plan_ends_the_distilling_and_nothing_else(
    idle_ports: Ports, scope: Scope
) -> None:
    await set_limit(idle_ports, scope, 1)
    document = await save_document(idle_ports, scope, "I own a red boat. I speak Basque.")
    with pytest.raises(WaitsForRoom, match="1 memory was not extracted: the plan's limit of 1 "):
        await distil_document(idle_ports, scope, document.id)
    assert len(await contents(idle_ports, scope)) == 1
    assert (await get_document(idle_ports, scope, document.id)).document.status == "done"


async def test_days_are_in_the_named_time_zone(idle_ports: Ports, scope: Scope) -> None:
    metadata = {"date": "2023-05-08T22:30:00Z", "timezone": "Europe/Berlin"}
    await distil_text(idle_ports, scope, "I moved to Berlin yesterday.", metadata=metadata)
    (memory,) = await memories(idle_ports, scope)
    assert memory.content == "I moved to Berlin yesterday."
    assert memory.dates[0]["start"] == "2023-05-07T22:00:00+00:00"


async def test_a_web_page_says_nothing_about_the_user(idle_ports: Ports, scope: Scope) -> None:
    page = "I live in Porto. I own a red boat. We decided to use PostgreSQL last week."
    await distil_text(idle_ports, scope, page, source_url="https://example.org/page")
    assert await contents(idle_ports, scope) == []


DIARY = "We decided to spend Easter at my aunt's. Lena wants a guitar. I sold the red boat."


async def distil_upload(
    ports: Ports, scope: Scope, folder: Path, name: str, content: str, **fields: Any
) -> set[tuple[str, str | None]]:
    path = folder / name
    path.write_text(content)
    draft = Draft(original=Original(path, name=name), **fields)
    document = (await ingest(ports, scope, draft)).document
    await distil_document(ports, scope, document.id)
    return {(memory.content, memory.speaker) for memory in await memories(ports, scope)}


@pytest.mark.parametrize("name", ["diary.md", "diary.txt", "2024-05-01.markdown"])
@pytest.mark.parametrize("address", [None, "file:///home/ann/notes/diary.md"])
@pytest.mark.parametrize("speaker", ["", "me"])
async def test_a_note_gives_the_same_memories_as_a_file_and_as_text(
    idle_ports: Ports, scope: Scope, tmp_path: Path, name: str, address: str | None, speaker: str
) -> None:
    """In a file "I" is nobody until the user says that it is theirs."""
    fields = {"source_url": address, "metadata": {"speaker": speaker} if speaker else {}}
    distilled = await distil_upload(idle_ports, scope, tmp_path, name, DIARY, **fields)
    said_by = "user" if speaker else f"File: {name}"
    assert distilled == {
        ("We decided to spend Easter at my aunt's.", said_by),
        ("Lena wants a guitar.", said_by),
        ("I sold the red boat.", said_by),
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
async def test_a_file_of_somebody_else_says_nothing_about_the_user(
    idle_ports: Ports, scope: Scope, tmp_path: Path, name: str, content: str, address: str
) -> None:
    distilled = await distil_upload(idle_ports, scope, tmp_path, name, content, source_url=address)
    assert "user" not in {speaker for _, speaker in distilled}
    assert not any("We decided" in content for content, _ in distilled)


async def test_a_byline_names_the_speaker_of_a_file(
    idle_ports: Ports, scope: Scope, tmp_path: Path
) -> None:
    text = f"# A year\n\nBy Jane Holloway\n\n{DIARY}"
    distilled = await distil_upload(
        idle_ports, scope, tmp_path, "year.md", text, source_url="file:///year.md"
    )
    assert ("I sold the red boat.", "Jane Holloway") in distilled
    assert "user" not in {speaker for _, speaker in distilled}


async def test_an_old_text_replaces_nothing_that_was_said_later(
    idle_ports: Ports, scope: Scope
) -> None:
    await distil_text(idle_ports, scope, "I live in Berlin.", metadata={"date": "2024-05-08"})
    await distil_text(idle_ports, scope, "I live in Porto.", metadata={"date": "2019-05-08"})
    assert await contents(idle_ports, scope) == ["I live in Berlin."]
    assert await contents(idle_ports, scope, state="superseded") == ["I live in Porto."]
    await distil_text(idle_ports, scope, "I live in Oslo.", metadata={"date": "2025-05-08"})
    assert "I live in Berlin." not in await contents(idle_ports, scope)


# Moving


async def test_memories_that_only_one_document_has_move_with_it(
    idle_ports: Ports, scope: Scope
) -> None:
    await make_project(idle_ports, scope, "there")
    document = await distil_text(idle_ports, scope, "I live in Porto. I own a red boat.")
    await move_document(idle_ports, scope, document.id, "there")
    assert sorted(await contents(idle_ports, scope, project="there")) == [
        "I live in Porto.",
        "I own a red boat.",
    ]
    here, there = await projects(idle_ports, scope)
    assert await contents(idle_ports, scope, project=here) == []
    async with idle_ports.db.transaction(scope) as tx:
        for table in ("postings", "embeddings", "entities", "memories", "chunks"):
            rows = await tx.system.fetch(f"SELECT DISTINCT project_id FROM {table}")
            assert [row["project_id"] for row in rows] == [there], table
        totals = await tx.system.fetch(
            "SELECT project_id, sum(texts)::int AS n FROM text_totals GROUP BY 1"
        )
        moved = await tx.system.fetch("SELECT data FROM events WHERE type = 'move'")
        counted = await tx.system.fetchval("SELECT memory_count FROM subscriptions")
    assert {row["project_id"]: row["n"] for row in totals if row["n"]} == {there: 3}
    assert [row["data"]["to"] for row in moved] == [str(there), str(there)]
    assert counted == 2
    assert len(await match_by_word(idle_ports, scope, "boat")) == 1


async def test_shared_memories_stay_and_edited_ones_move_with_the_document(
    idle_ports: Ports, scope: Scope
) -> None:
    await make_project(idle_ports, scope, "there")
    document = await distil_text(
        idle_ports, scope, "I live in Porto. I own a red boat. I work at Acme."
    )
    await distil_text(idle_ports, scope, "I live in Porto. It rains a lot in this town.")
    by_content = {memory.content: memory for memory in await memories(idle_ports, scope)}
    change = edit.MemoryEdit(frozenset({"content"}), content="I own a blue boat.")
    await edit.edit_memory(idle_ports, scope, by_content["I own a red boat."].id, change)
    await move_document(idle_ports, scope, document.id, "there")
    here, _ = await projects(idle_ports, scope)
    assert sorted(await contents(idle_ports, scope, project="there")) == [
        "I own a blue boat.",
        "I work at Acme.",
    ]
    assert await contents(idle_ports, scope, project=here) == ["I live in Porto."]


async def test_a_memory_the_target_has_already_is_kept_once_with_both_sources(
    idle_ports: Ports, scope: Scope
) -> None:
    await make_project(idle_ports, scope, "there")
    kept = await distil_text(idle_ports, scope, "I live in Porto.", project="there")
    document = await distil_text(idle_ports, scope, "I live in Porto. Hello again.")
    await move_document(idle_ports, scope, document.id, "there")
    (memory,) = await memories(idle_ports, scope)
    places = {place.document_id for place in places_of(memory)}
    assert places == {kept.id, document.id}
    await forget_document(idle_ports, scope, kept.id)
    assert await contents(idle_ports, scope, project="there") == ["I live in Porto."]
    await forget_document(idle_ports, scope, document.id)
    assert await count(idle_ports, scope, "postings") == 0


async def test_older_versions_move_with_the_document(idle_ports: Ports, scope: Scope) -> None:
    await make_project(idle_ports, scope, "there")
    first = await distil_text(idle_ports, scope, "I live in Porto.")
    change = DocumentEdit(frozenset({"content"}), content="I live in Faro.")
    second = (await change_document(idle_ports, scope, first.id, change)).document
    await distil_document(idle_ports, scope, second.id)
    await move_document(idle_ports, scope, second.id, "there")
    async with idle_ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch("SELECT DISTINCT project_id FROM memories")
    assert [row["project_id"] for row in rows] == [(await projects(idle_ports, scope))[1]]
    assert await contents(idle_ports, scope) == ["I live in Faro."]


async def test_an_index_only_document_stays_so_when_it_is_changed(
    idle_ports: Ports, scope: Scope
) -> None:
    document = await save_document(idle_ports, scope, "I live in Oslo.", index_only=True)
    new_metadata = DocumentEdit(frozenset({"metadata"}), metadata={"shelf": 3})
    await change_document(idle_ports, scope, document.id, new_metadata)
    change = DocumentEdit(frozenset({"content"}), content="I live in Bergen.")
    changed = (await change_document(idle_ports, scope, document.id, change)).document
    assert changed.metadata["index_only"] is True and changed.metadata["shelf"] == 3
    await distil_document(idle_ports, scope, changed.id)
    assert await contents(idle_ports, scope) == []


async def make_project(ports: Ports, scope: Scope, name: str) -> None:
    await create_project(ports, scope, name)


async def move_document(ports: Ports, scope: Scope, id: UUID, project: str) -> None:
    await change_document(ports, scope, id, DocumentEdit(frozenset({"project"}), project=project))


async def projects(ports: Ports, scope: Scope) -> list[UUID]:
    """The ids of the projects, the default one first."""
    listed = await list_projects(ports, scope)
    return [project.id for project in sorted(listed, key=lambda project: not project.is_default)]


# Dates, speakers and tags of memories


async def test_a_daily_note_means_its_own_day(idle_ports: Ports, scope: Scope) -> None:
    note = "I met Grace at the museum today. I will call the bank tomorrow."
    await distil_text(idle_ports, scope, note, title="2024-05-01 Monday", content_type="markdown")
    met, call = sorted(
        await memories(idle_ports, scope), key=lambda memory: memory.evidence["start"]
    )
    assert (met.content, met.speaker) == ("I met Grace at the museum today.", "user")
    assert met.said_at == met.occurred_at == datetime(2024, 5, 1, tzinfo=UTC)
    assert call.due_at == datetime(2024, 5, 2, 23, 59, 59, tzinfo=UTC)


async def test_without_a_date_no_day_is_claimed(idle_ports: Ports, scope: Scope) -> None:
    imported = {"imported_from": "elsewhere"}
    await distil_text(idle_ports, scope, "I moved to Berlin yesterday.", metadata=imported)
    (memory,) = await memories(idle_ports, scope)
    assert memory.said_at is memory.occurred_at is None
    assert memory.dates == [{"text": "yesterday", "start": None, "end": None, "certain": False}]


async def test_the_same_words_of_two_people_or_two_days_are_two_memories(
    idle_ports: Ports, scope: Scope
) -> None:
    for speaker, day in (("Ann", "2024-05-01"), ("Ben", "2024-05-01"), ("Ann", "2024-05-09")):
        metadata = {"speaker": speaker, "date": day}
        await distil_text(
            idle_ports, scope, f"I ran a marathon yesterday. {speaker} {day}", metadata=metadata
        )
    distilled = await memories(idle_ports, scope)
    assert sorted(
        (memory.speaker or "", memory.dates[0]["start"][:10]) for memory in distilled
    ) == [
        ("Ann", "2024-04-30"),
        ("Ann", "2024-05-08"),
        ("Ben", "2024-04-30"),
    ]


async def test_a_statement_of_one_speaker_replaces_none_of_another(
    idle_ports: Ports, scope: Scope
) -> None:
    for speaker, place in (("Ann", "Porto"), ("Ben", "Rome"), ("Ann", "Faro")):
        await distil_text(idle_ports, scope, f"I live in {place}.", metadata={"speaker": speaker})
    assert sorted(await contents(idle_ports, scope)) == ["I live in Faro.", "I live in Rome."]
    await save(idle_ports, scope, "I live in Oslo.")
    assert len(await contents(idle_ports, scope)) == 3
    assert len(await match_by_word(idle_ports, scope, "Ben")) == 1


async def test_memories_have_the_tags_of_their_document_and_follow_its_changes(
    idle_ports: Ports, scope: Scope
) -> None:
    document = await distil_text(idle_ports, scope, "I own a red boat.", tags=["harbour", "mine"])
    (memory,) = await memories(idle_ports, scope)
    assert memory.tags == ["harbour", "mine"]
    mark = edit.MemoryEdit(frozenset({"tags"}), tags=["harbour", "mine", "loved"])
    await edit.edit_memory(idle_ports, scope, memory.id, mark)
    await change_document(
        idle_ports, scope, document.id, DocumentEdit(frozenset({"tags"}), tags=["sea"])
    )
    assert (await get_memory(idle_ports, scope, memory.id)).tags == ["loved", "sea"]
