"""A long text of any kind is stored in small steps, embedded once for each part that differs, and
gives other jobs their turn."""

from contextlib import suppress
from dataclasses import replace
from uuid import UUID

import numpy as np
import pytest

from remem.adapters.analysis.deadline import Deadline
from remem.core.documents import process
from remem.core.documents.chunks import chunk_store
from remem.core.documents.chunks.cut import header_of, text_to_embed
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft
from remem.core.documents.read import get_document
from remem.core.errors import WorkRemains
from remem.core.jobs.run import JobKind, run
from remem.core.ports import Ports, Vector
from remem.core.queued import Job
from remem.core.scope import Scope
from remem.core.transaction import AnyTx

pytestmark = pytest.mark.anyio
CHARS = 120_000
NOISE = ["a\n", "a", "(", '"', "<div>", "# a\n", "- ", "```\n", "漢", "😀", "[{(<>)}]"]


class _CountingEmbedder:
    """Counts the texts that it embeds."""

    def __init__(self, ports: Ports) -> None:
        self.model, self.dimensions = ports.embedder.model, ports.embedder.dimensions
        self.count = 0

    async def embed(self, texts: list[str]) -> list[Vector]:
        self.count += len(texts)
        return [np.eye(1, self.dimensions, dtype=np.float32)[0] for _ in texts]


class _RecordingQueue:
    """Keeps the jobs, so that no worker of the server has them."""

    def __init__(self) -> None:
        self.jobs: list[tuple[Job, int, bool]] = []

    async def enqueue(
        self, tx: AnyTx, job: Job, *, priority: int = 0, large: bool = False, **_: object
    ) -> None:
        self.jobs.append((job, priority, large))


def numbered(count: int) -> str:
    return "".join(f"Harbour {number} opens at nine on day {number}.\n" for number in range(count))


async def queued(ports: Ports, scope: Scope, text: str) -> tuple[Ports, _CountingEmbedder, Job]:
    """A text that is saved but not processed, and its job."""
    embedder, queue = _CountingEmbedder(ports), _RecordingQueue()
    ports = replace(ports, embedder=embedder, queue=queue)  # type: ignore[arg-type]
    saved = await ingest(ports, scope, Draft(content=text, content_type="text", in_background=True))
    assert saved.job_id
    id = saved.document.id
    job = Job(saved.job_id, process.JOB, scope.tenant_id, scope.user_id, id)
    return ports, embedder, job


async def document_of(ports: Ports, scope: Scope, id: UUID) -> Document:
    return (await get_document(ports, scope, id)).document


async def chunk_ends(ports: Ports, scope: Scope, document: Document) -> list[int]:
    async with ports.db.transaction(scope) as tx:
        chunks = await chunk_store.of_document(tx, document.id)
    assert [chunk.chunk_index for chunk in chunks] == list(range(len(chunks)))
    return [chunk.end_offset for chunk in chunks]


@pytest.mark.parametrize("unit", NOISE)
async def test_repeated_text_is_embedded_once(ports: Ports, scope: Scope, unit: str) -> None:
    text = unit * (CHARS // len(unit))
    ports, embedder, job = await queued(ports, scope, text)
    await process.process_document(ports, scope, job.subject_id)
    full = await get_document(ports, scope, job.subject_id)
    assert full.document.status == "done" and len(full.chunks) > process.EMBED_BATCH
    assert embedder.count == len(
        {text_to_embed(header_of(full.document), chunk) for chunk in full.chunks}
    )


async def test_a_project_is_locked_for_few_chunks_at_a_time(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "STORE_BATCH", 4)
    ports, _, job = await queued(ports, scope, numbered(1_000))
    await process.process_document(ports, scope, job.subject_id)
    async with ports.db.transaction(scope) as tx:
        counts = await tx.system.fetch(
            "SELECT count(DISTINCT p.owner_id) FROM postings p JOIN chunks c"
            " ON c.tenant_id = p.tenant_id AND c.id = p.owner_id"
            " WHERE c.document_id = $1 GROUP BY p.xmin::text",
            job.subject_id,
        )
    assert len(counts) > 3 and max(row["count"] for row in counts) <= 4


async def test_storing_continues_where_it_was_stopped(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "STORE_BATCH", 4)
    whole_ports, _, whole = await queued(ports, scope, numbered(999) + "The end of one.")
    await process.process_document(whole_ports, scope, whole.subject_id)
    ports, _, job = await queued(ports, scope, numbered(999) + "The end of two.")
    store_batch, count = process._store_batch, 0

    async def store_two(*arguments: object) -> bool:
        nonlocal count
        count += 1
        if count == 3:
            raise ConnectionError
        return await store_batch(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(process, "_store_batch", store_two)
    with pytest.raises(ConnectionError):
        await process.process_document(ports, scope, job.subject_id)
    stopped = await document_of(ports, scope, job.subject_id)
    assert stopped.chunk_count == 8 and stopped.status != "done"
    await process.process_document(ports, scope, job.subject_id)
    document = await document_of(ports, scope, job.subject_id)
    expected = await document_of(ports, scope, whole.subject_id)
    assert document.status == "done"
    assert await chunk_ends(ports, scope, document) == await chunk_ends(ports, scope, expected)


async def test_a_long_text_gives_others_their_turn_and_continues(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "TURN_S", 0)
    ports, embedder, job = await queued(ports, scope, numbered(4_000))
    with pytest.raises(WorkRemains):
        await process.process_document(ports, scope, job.subject_id)
    document = await document_of(ports, scope, job.subject_id)
    assert (document.chunk_count, embedder.count) == (process.STORE_BATCH, 0)
    while document.status != "done":
        chunks, embedded = document.chunk_count, embedder.count
        with suppress(WorkRemains):
            await process.process_document(ports, scope, job.subject_id)
        document = await document_of(ports, scope, job.subject_id)
        assert document.chunk_count - chunks <= process.STORE_BATCH
        assert embedder.count - embedded <= process.EMBED_BATCH
    assert embedder.count == document.chunk_count > process.STORE_BATCH


async def test_a_job_with_more_to_do_waits_behind_the_others(ports: Ports, scope: Scope) -> None:
    ports, _, job = await queued(ports, scope, "A short text.")

    async def do_a_part(*_: object) -> None:
        raise WorkRemains

    await run(ports, job, JobKind(do_a_part))
    async with ports.db.transaction(scope) as tx:
        row = await tx.system.fetchrow("SELECT status, error FROM jobs WHERE id = $1", job.id)
    assert (row["status"], row["error"]) == ("pending", None)
    queue = ports.queue
    assert isinstance(queue, _RecordingQueue)
    [(_, first_priority, _), (again, priority, is_large)] = queue.jobs
    assert again.id == job.id and priority <= first_priority and is_large


def test_no_text_is_analysed_for_minutes() -> None:
    assert Deadline().seconds(("a" * 8_000_000,)) <= 60
