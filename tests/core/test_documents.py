"""Documents at the core: saved, indexed, found, replaced and deleted."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

import anyio
import numpy as np
import pytest

from remem.core.documents import process
from remem.core.documents.forget import forget_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import CONTENT_LIMIT, DocumentChoice, Draft, SavedDocument
from remem.core.documents.prepare import INLINE_TOKENS
from remem.core.documents.process import process_document
from remem.core.documents.read import get_document, list_documents
from remem.core.errors import Invalid, NotFound, TextRefused, Unavailable
from remem.core.filters import Filters
from remem.core.index.kinds import CHUNK
from remem.core.jobs.run import run
from remem.core.memories.model import MemoryDraft
from remem.core.memories.process import relate_memory
from remem.core.memories.save import save_memory
from remem.core.ports import Embedder, Ports, Queue, Vector
from remem.core.queued import Job
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.core.time import new_id, now
from remem.surfaces.worker.jobs import JOBS
from tests.conftest import new_scope
from tests.tools.idle_queue import IdleQueue

pytestmark = pytest.mark.anyio

TIMEOUT_S = 120


@dataclass
class FlakyEmbedder:
    """An embedder that works until it has answered a number of requests."""

    real: Embedder
    answers: int
    asked: list[str] = field(default_factory=list)

    @property
    def model(self) -> str:
        return self.real.model

    @property
    def dimensions(self) -> int:
        return self.real.dimensions

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self._answer()
        self.asked += texts
        return await self.real.embed(texts)

    async def embed_query(self, text: str) -> Vector:
        self._answer()
        return await self.real.embed_query(text)

    def _answer(self) -> None:
        if self.answers <= 0:
            raise Unavailable("The model does not answer.")
        self.answers -= 1


class InstantEmbedder(FlakyEmbedder):
    """A fast embedder, for texts whose vectors do not matter."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self._answer()
        return [np.full(self.dimensions, self.dimensions**-0.5, np.float32) for _ in texts]


def with_answers(ports: Ports, answers: int) -> Ports:
    return replace(ports, embedder=FlakyEmbedder(ports.embedder, answers))


async def search(ports: Ports, scope: Scope, query: str, **fields: Any) -> list[UUID]:
    reply = await recall(ports, scope, Query(query, **fields))
    return [result.id for result in reply.results]


async def wait_until_done(ports: Ports, scope: Scope, id: UUID) -> None:
    """Wait until the server's own worker has processed it."""
    with anyio.fail_after(TIMEOUT_S):
        while (await get_document(ports, scope, id)).document.status != "done":
            await anyio.sleep(0.05)


async def count(ports: Ports, scope: Scope, table: str) -> int:
    async with ports.db.transaction(scope) as tx:
        return await tx.system.fetchval(f"SELECT count(*) FROM {table}")


def long_text(tokens: int) -> str:
    words = "harbour letter engine orchard window ledger comet violin".split()
    return ". ".join(f"{random.choice(words)} {n}" for n in range(tokens // 3))


# Saved and found


async def test_a_saved_document_is_found_by_word_and_by_meaning(ports: Ports, scope: Scope) -> None:
    saved = await ingest(ports, scope, Draft("The dentist moved my appointment to Friday."))
    assert (saved.document.status, saved.job_id, saved.existing) == ("done", None, False)
    assert await search(ports, scope, "dentist") == [saved.document.id]
    reply = await recall(ports, scope, Query("when do I have my teeth looked at?"))
    assert reply.results[0].document.document_id == saved.document.id
    assert reply.results[0].hits[0].parts.text == 0
    assert reply.results[0].hits[0].parts.vector > 0.2


async def test_chunks_point_into_the_content(ports: Ports, scope: Scope) -> None:
    text = "  # Ünïcödé 😀\r\n\r\n" + long_text(3_000) + " 日本語。\n\n\n\n"
    instant = replace(ports, embedder=InstantEmbedder(ports.embedder, answers=1))
    saved = await ingest(instant, scope, Draft(text))
    detail = await get_document(ports, scope, saved.document.id)
    assert len(detail.chunks) > 3
    for chunk in detail.chunks:
        assert detail.document.content[chunk.start_offset : chunk.end_offset] == chunk.content


async def test_a_document_is_found_by_its_title(ports: Ports, scope: Scope) -> None:
    saved = await ingest(
        ports, scope, Draft("Nothing but numbers: 1, 2, 3.", title="Quokka census")
    )
    assert await search(ports, scope, "quokka") == [saved.document.id]


async def test_the_same_content_is_kept_once(ports: Ports, scope: Scope) -> None:
    first = await ingest(ports, scope, Draft("Same thing."))
    again = await ingest(ports, scope, Draft("Same thing.  \r\n", title="Another title"))
    assert (again.existing, again.document.id) == (True, first.document.id)
    assert await count(ports, scope, "documents") == 1


async def test_the_same_content_in_another_project_is_another_document(
    ports: Ports, scope: Scope
) -> None:
    first = await ingest(ports, scope, Draft("Same thing.", project="a", create_project=True))
    second = await ingest(ports, scope, Draft("Same thing.", project="b", create_project=True))
    assert first.document.id != second.document.id
    assert await search(ports, scope, "same thing", project="a") == [first.document.id]


async def test_the_same_content_saved_ten_times_at_once_is_kept_once(
    ports: Ports, scope: Scope
) -> None:
    drafts = [Draft("Everybody saves this now.") for _ in range(10)]
    saved: list[SavedDocument] = await asyncio.gather(
        *(ingest(ports, scope, draft) for draft in drafts)
    )
    assert len({result.document.id for result in saved}) == 1
    assert sum(not result.existing for result in saved) == 1
    for table in ("documents", "chunks", "embeddings"):
        assert await count(ports, scope, table) == 1, table


async def test_many_saved_at_once_are_all_found(ports: Ports, scope: Scope) -> None:
    words = [f"zulu{n}" for n in range(20)]
    await asyncio.gather(*(ingest(ports, scope, Draft(f"The word is {w}.")) for w in words))
    for word in words:
        assert len(await search(ports, scope, word, limit=1)) == 1
    async with ports.db.transaction(scope) as tx:
        text_count_sql = "SELECT texts FROM text_totals WHERE owner_kind = 'chunk'"
        assert await tx.system.fetchval(text_count_sql) == len(words)


# Without an embedder


async def test_without_an_embedder_a_document_is_found_by_word_and_embedded_later(
    ports: Ports, scope: Scope
) -> None:
    down = with_answers(ports, 0)
    saved = await ingest(down, scope, Draft("The dentist moved my appointment to Friday."))
    assert saved.document.status == "embedding"
    assert saved.job_id
    assert await search(down, scope, "dentist") == [saved.document.id]
    await wait_until_done(ports, scope, saved.document.id)
    reply = await recall(ports, scope, Query("when do I have my teeth looked at?"))
    assert reply.results[0].hits[0].parts.vector > 0.2


async def test_recall_without_an_embedder_answers_by_word(ports: Ports, scope: Scope) -> None:
    saved = await ingest(ports, scope, Draft("The dentist moved my appointment to Friday."))
    down = with_answers(ports, 0)
    assert await search(down, scope, "dentist") == [saved.document.id]
    assert await search(down, scope, "teeth") == []


async def test_a_job_that_was_interrupted_resumes_where_it_stopped(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With some chunks embedded, those are found by meaning and only the others are embedded."""
    monkeypatch.setattr(process, "EMBED_BATCH", 2)
    id = await _unprocessed(ports, scope, long_text(2_400))
    first = with_answers(ports, 1)
    with pytest.raises(Unavailable):
        await process_document(first, scope, id)
    chunks = (await get_document(ports, scope, id)).chunks
    assert len(chunks) > 4
    assert await count(ports, scope, "embeddings") == 2
    assert (await get_document(ports, scope, id)).document.status == "embedding"
    second = with_answers(ports, 100)
    await process_document(second, scope, id)
    assert isinstance(second.embedder, FlakyEmbedder)
    assert len(second.embedder.asked) == len(chunks) - 2
    assert (await get_document(ports, scope, id)).document.status == "done"
    assert await count(ports, scope, "embeddings") == len(chunks)


async def test_a_waiting_document_shows_the_error_it_waits_for(ports: Ports, scope: Scope) -> None:
    id = await _unprocessed(ports, scope, "The heron stands by the pond.")
    job = Job(new_id(), process.JOB, scope.tenant_id, scope.user_id, id)
    kind = JOBS[process.JOB]
    with pytest.raises(Unavailable):
        await run(with_answers(ports, 0), job, kind)
    document = (await get_document(ports, scope, id)).document
    assert (document.status, document.error) == ("embedding", "The model does not answer.")
    await run(ports, job, kind)
    document = (await get_document(ports, scope, id)).document
    assert (document.status, document.error) == ("done", None)


async def test_saving_again_adds_the_new_tags(ports: Ports, scope: Scope) -> None:
    draft = Draft(content="The crane lifts nine tons.", tags=["Yard"])
    first = await ingest(ports, scope, draft)
    again = await ingest(ports, scope, replace(draft, tags=["yard", "crane"]))
    assert (again.existing, again.document.id) == (True, first.document.id)
    assert set(again.document.tags) >= {"Yard", "crane"} and "yard" not in again.document.tags
    stored = (await get_document(ports, scope, first.document.id)).document
    assert stored.tags == again.document.tags


async def test_a_job_that_runs_twice_changes_nothing(ports: Ports, scope: Scope) -> None:
    id = await _unprocessed(ports, scope, long_text(1_000))
    instant = replace(ports, embedder=InstantEmbedder(ports.embedder, answers=99))
    await asyncio.gather(*(process_document(instant, scope, id) for _ in range(3)))
    once = {t: await count(ports, scope, t) for t in ("chunks", "embeddings", "postings")}
    async with ports.db.transaction(scope) as tx:
        totals = await tx.system.fetchrow("SELECT texts, terms FROM text_totals")
    await process_document(instant, scope, id)
    assert {t: await count(ports, scope, t) for t in once} == once
    assert once["chunks"] == once["embeddings"] == totals["texts"]


async def _unprocessed(ports: Ports, scope: Scope, text: str) -> UUID:
    """A document as a crash leaves it: saved, with no job."""
    instant = replace(ports, embedder=InstantEmbedder(ports.embedder, answers=1))
    saved = await ingest(instant, scope, Draft(text))
    async with ports.db.transaction(scope) as tx:
        for table in ("chunks", "postings", "embeddings", "text_totals"):
            await tx.execute(f"DELETE FROM {table} WHERE tenant_id = $1")
        await tx.system.execute(
            "UPDATE documents SET status = 'queued' WHERE id = $1", saved.document.id
        )
    return saved.document.id


async def test_a_long_text_is_done_in_the_background(ports: Ports, scope: Scope) -> None:
    saved = await ingest(ports, scope, Draft(long_text(INLINE_TOKENS + 60) + " xylophone"))
    assert saved.document.status == "queued"
    assert saved.job_id
    await wait_until_done(ports, scope, saved.document.id)
    assert await search(ports, scope, "xylophone") == [saved.document.id]
    async with ports.db.transaction(scope) as tx:
        job = await tx.system.fetchrow("SELECT * FROM jobs WHERE id = $1", saved.job_id)
    assert (job["status"], job["subject_id"]) == ("completed", saved.document.id)


async def test_a_job_whose_document_is_gone_ends_quietly(ports: Ports, scope: Scope) -> None:
    await process_document(ports, scope, new_id())
    assert await count(ports, scope, "chunks") == 0


# Versions


async def test_changed_content_of_a_url_is_a_new_version(ports: Ports, scope: Scope) -> None:
    url = "https://example.org/page"
    old = await ingest(ports, scope, Draft("The old zebra text.", source_url=url))
    new = await ingest(ports, scope, Draft("The new giraffe text.", source_url=url))
    assert (new.document.version, new.document.root_id) == (2, old.document.id)
    assert new.document.previous_id == old.document.id
    assert await search(ports, scope, "zebra") == [new.document.id], "by meaning alone"
    reply = await recall(with_answers(ports, 0), scope, Query("a zebra"))
    assert reply.results == []
    detail = await get_document(ports, scope, new.document.id)
    assert [(version.version, version.is_latest) for version in detail.versions] == [
        (2, True),
        (1, False),
    ]
    assert (await get_document(ports, scope, old.document.id)).chunks, "a version keeps its text"


async def test_a_named_document_gets_a_new_version(ports: Ports, scope: Scope) -> None:
    old = await ingest(ports, scope, Draft("First wording."))
    second = await ingest(ports, scope, Draft("Second wording.", updates_id=old.document.id))
    third = await ingest(ports, scope, Draft("Third wording.", updates_id=old.document.id))
    assert third.document.previous_id == second.document.id, "the chain goes on at its end"
    assert await search(ports, scope, "wording") == [third.document.id]


async def test_versions_saved_at_once_form_one_chain(ports: Ports, scope: Scope) -> None:
    url = "https://example.org/busy"
    drafts = [Draft(f"Wording number {n}.", source_url=url) for n in range(8)]
    await asyncio.gather(*(ingest(ports, scope, draft) for draft in drafts))
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch(
            "SELECT version, is_latest, root_id FROM documents ORDER BY version"
        )
        texts = await tx.system.fetchval("SELECT texts FROM text_totals")
    assert [row["version"] for row in rows] == list(range(1, 9))
    assert [row["is_latest"] for row in rows] == [False] * 7 + [True]
    assert len({row["root_id"] for row in rows}) == 1
    assert texts == 1


@pytest.mark.parametrize("owner", ["nobody's", "another's"])
async def test_a_version_of_an_unknown_or_foreign_document_is_refused(
    ports: Ports, scope: Scope, owner: str
) -> None:
    id = new_id()
    if owner == "another's":
        stranger = await new_scope(ports)
        id = (await ingest(ports, stranger, Draft("Not yours."))).document.id
    with pytest.raises(NotFound):
        await ingest(ports, scope, Draft("Mine now.", updates_id=id))


# Deleted


async def test_a_deleted_document_is_found_nowhere(ports: Ports, scope: Scope) -> None:
    url = "https://example.org/page"
    first = await ingest(ports, scope, Draft("The old zebra text.", source_url=url))
    last = await ingest(ports, scope, Draft("The new zebra text.", source_url=url))
    kept = await ingest(ports, scope, Draft("Something else."))
    await forget_document(ports, scope, last.document.id)
    assert await search(ports, scope, "zebra") in ([], [kept.document.id])
    for id in (first.document.id, last.document.id):
        with pytest.raises(NotFound):
            await get_document(ports, scope, id)
    for table in ("documents", "chunks", "embeddings"):
        assert await count(ports, scope, table) == 1, table
    async with ports.db.transaction(scope) as tx:
        assert await tx.system.fetchval("SELECT count(DISTINCT owner_id) FROM postings") == 1
        events = await tx.system.fetch(
            "SELECT type, data FROM events WHERE subject_id = $1 ORDER BY id", last.document.id
        )
    assert [row["type"] for row in events] == ["update", "delete"]
    assert all("zebra" not in str(row["data"]) for row in events)


async def test_a_result_without_the_embedder_is_not_cached(ports: Ports, scope: Scope) -> None:
    """A result without the embedder is incomplete, so it is not cached."""
    saved = await ingest(ports, scope, Draft("The cat dozes on the sofa."))
    down = with_answers(ports, 0)
    for _ in range(2):
        reply = await recall(down, scope, Query("feline pet"))
        assert (reply.results, reply.cached) == ([], False)
    assert await search(ports, scope, "feline pet") == [saved.document.id]
    assert (await recall(down, scope, Query("feline pet"))).cached


async def test_an_expired_document_is_gone_for_every_reader(ports: Ports, scope: Scope) -> None:
    saved = await ingest(ports, scope, Draft("Milk.", forget_after=now() + timedelta(days=1)))
    assert await search(ports, scope, "milk") == [saved.document.id]
    await _expire(ports, scope, saved.document.id)
    # With another query, because for the cache no time has passed.
    assert await search(ports, scope, "the milk") == []
    assert await search(ports, scope, "") == []
    assert (await list_documents(ports, scope, DocumentChoice(), None, 10)).documents == []
    with pytest.raises(NotFound):
        await get_document(ports, scope, saved.document.id)


async def test_an_expired_document_can_be_saved_again(ports: Ports, scope: Scope) -> None:
    old = await ingest(ports, scope, Draft("Milk.", forget_after=now() + timedelta(days=1)))
    await _expire(ports, scope, old.document.id)
    again = await ingest(ports, scope, Draft("Milk."))
    assert not again.existing
    assert await search(ports, scope, "milk") == [again.document.id]


async def _expire(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute(
            "UPDATE documents SET forget_after = now() - interval '1 second' WHERE id = $1", id
        )


async def test_another_tenant_neither_finds_nor_deletes_a_document(
    ports: Ports, scope: Scope
) -> None:
    saved = await ingest(ports, scope, Draft("The dentist moved my appointment to Friday."))
    stranger = await new_scope(ports)
    assert await search(ports, stranger, "dentist appointment") == []
    assert await search(ports, stranger, "") == []
    for verb in (get_document, forget_document):
        with pytest.raises(NotFound):
            await verb(ports, stranger, saved.document.id)
    assert await search(ports, scope, "dentist") == [saved.document.id]


# Invalid input


@pytest.mark.parametrize(
    ("field_name", "draft"),
    [
        ("content", Draft("")),
        ("content", Draft(" \n\t ")),
        ("content", Draft("x" * (CONTENT_LIMIT + 1))),
        ("content", Draft("a\x00b")),
        ("content", Draft("a\ud800b")),
        ("title", Draft("x", title="t" * 501)),
        ("title", Draft("x", title="a\x00b")),
        ("content_type", Draft("x", content_type="spell")),
        ("source_url", Draft("x", source_url="https://example.org/" + "x" * 2_048)),
        ("forget_after", Draft("x", forget_after=now() - timedelta(seconds=1))),
        ("tags", Draft("x", tags=["t"] * 101)),
        ("tags", Draft("x", tags=["t" * 101])),
        ("metadata", Draft("x", metadata={"k": "v" * 64_000})),
    ],
)
async def test_bad_input_is_refused_by_name(
    ports: Ports, scope: Scope, field_name: str, draft: Draft
) -> None:
    with pytest.raises(Invalid) as refused:
        await ingest(ports, scope, draft)
    assert refused.value.field == field_name
    assert await count(ports, scope, "documents") == 0


async def test_an_unknown_project_is_refused(ports: Ports, scope: Scope) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        await ingest(ports, scope, Draft("x", project="nowhere"))


# Queries


async def test_an_empty_query_returns_the_latest_documents(ports: Ports, scope: Scope) -> None:
    ids = [(await ingest(ports, scope, Draft(f"Note {n}."))).document.id for n in range(4)]
    assert await search(ports, scope, " ", limit=3) == ids[:0:-1]


async def test_filters_narrow_the_results(ports: Ports, scope: Scope) -> None:
    note = await ingest(ports, scope, Draft("A zebra.", content_type="note", tags=["a", "b"]))
    text = await ingest(ports, scope, Draft("Two zebras.", tags=["b"]))
    for filters, expected in (
        (Filters(content_types=("note",)), {note.document.id}),
        (Filters(tags=("a",)), {note.document.id}),
        (Filters(tags=("b",)), {note.document.id, text.document.id}),
        (Filters(tags=("a", "c")), set()),
        (Filters(created_before=note.document.created_at), set()),
        (Filters(created_after=text.document.created_at), {text.document.id}),
    ):
        assert set(await search(ports, scope, "zebra", filters=filters)) == expected, filters


@pytest.mark.parametrize(
    ("field_name", "query"),
    [
        ("limit", Query("x", limit=0)),
        ("limit", Query("x", limit=101)),
        ("query", Query("x" * 10_001)),
    ],
)
async def test_the_limits_of_a_query(
    ports: Ports, scope: Scope, field_name: str, query: Query
) -> None:
    with pytest.raises(Invalid) as refused:
        await recall(ports, scope, query)
    assert refused.value.field == field_name


# One text that the model refuses


@dataclass
class RefusingEmbedder(FlakyEmbedder):
    """Refuses a batch with the word in it, as vendors do, without saying which text it is."""

    word: str = "forbidden"
    batches: list[int] = field(default_factory=list)

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.batches.append(len(texts))
        if any(self.word in text for text in texts):
            raise TextRefused("The embedding server refused the request (status 400).")
        return await super().embed(texts)


async def test_one_refused_chunk_does_not_prevent_the_vectors_of_the_others(
    ports: Ports, scope: Scope
) -> None:
    paragraphs = [f"## Part {n}\n\n" + f"Topic{n} is described here. " * 70 for n in range(6)]
    paragraphs[3] += "The forbidden word."
    embedder = RefusingEmbedder(ports.embedder, answers=99)
    refusing_ports = replace(ports, embedder=embedder, queue=cast(Queue, IdleQueue()))
    saved = await ingest(refusing_ports, scope, Draft(content="\n\n".join(paragraphs)))
    assert saved.document.status == "embedding"
    await process_document(refusing_ports, scope, saved.document.id)
    stored = await get_document(ports, scope, saved.document.id)
    refused = [chunk for chunk in stored.chunks if "forbidden" in chunk.content]
    assert stored.document.status == "done"
    assert f"refused {len(refused)} of {len(stored.chunks)} parts" in (stored.document.error or "")
    async with ports.db.transaction(scope) as tx:
        ids = [chunk.id for chunk in stored.chunks]
        points = await ports.vectors.read(tx, ports.embedder.model, CHUNK, ids)
        events = await tx.system.fetch("SELECT data FROM events WHERE type = 'embedding_refused'")
    assert {point.id for point in points} == set(ids) - {chunk.id for chunk in refused}
    assert "status 400" in str(events[0]["data"])
    assert await search(ports, scope, "forbidden word") == [saved.document.id]
    # The refused text is not sent again.
    batch_count = len(embedder.batches)
    await process_document(refusing_ports, scope, saved.document.id)
    assert len(embedder.batches) == batch_count


async def test_a_model_that_refuses_everything_counts_as_down(ports: Ports, scope: Scope) -> None:
    embedder = RefusingEmbedder(ports.embedder, answers=99, word="")
    refusing_ports = replace(ports, embedder=embedder, queue=cast(Queue, IdleQueue()))
    saved = await ingest(refusing_ports, scope, Draft(content="The boat is called Marlin."))
    assert saved.document.status == "embedding"
    with pytest.raises(Unavailable):
        await process_document(refusing_ports, scope, saved.document.id)
    await process_document(ports, scope, saved.document.id)
    stored = await get_document(ports, scope, saved.document.id)
    assert (stored.document.status, stored.document.error) == ("done", None)


async def test_a_refused_memory_is_found_by_word_and_says_why(ports: Ports, scope: Scope) -> None:
    embedder = RefusingEmbedder(ports.embedder, answers=99)
    refusing_ports = replace(ports, embedder=embedder, queue=cast(Queue, IdleQueue()))
    saved = await save_memory(refusing_ports, scope, MemoryDraft("The forbidden island is Sark."))
    await relate_memory(refusing_ports, scope, saved.memory.id)
    async with ports.db.transaction(scope) as tx:
        [event] = await tx.system.fetch("SELECT data FROM events WHERE type = 'embedding_refused'")
    assert "status 400" in event["data"]["reason"]
    assert await search(ports, scope, "forbidden island") == [saved.memory.id]


async def test_a_save_does_not_wait_for_a_model_that_hangs(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hanging(FlakyEmbedder):
        async def embed(self, texts: Sequence[str]) -> list[Vector]:
            await asyncio.Event().wait()
            return []

    monkeypatch.setattr("remem.core.embedding.embed_with_timeout.__defaults__", (0.01,))
    hanging = replace(ports, embedder=Hanging(ports.embedder, answers=0))
    saved = await ingest(hanging, scope, Draft(content="The boat is called Marlin."))
    assert saved.document.status == "embedding"
    assert (await recall(ports, scope, Query("boat Marlin"))).results
