"""Tenants take turns in the queue, and large jobs leave a slot for small ones."""

import asyncio
from collections import Counter
from dataclasses import replace
from uuid import UUID

import numpy as np
import pytest

from remem.adapters.llm.openai import OpenAILlm
from remem.adapters.queue.pgqueuer import PgQueuerQueue
from remem.core.documents.ingest import ingest
from remem.core.documents.model import LARGE_SENTENCES, Draft
from remem.core.embedding import embed_each
from remem.core.jobs.enqueue import enqueue
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports, Vector
from remem.core.queued import Job
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transaction import AnyTx
from tests.conftest import new_scope
from tests.tools.llm import completion, model, with_llm
from tests.tools.waiting import until_async

pytestmark = pytest.mark.anyio
MANY = 40


async def add(ports: Ports, scope: Scope, name: str, count: int = 1, **options: int | bool) -> None:
    async with ports.db.transaction(scope) as tx:
        for _ in range(count):
            await enqueue(ports, tx, name, new_id(), **options)  # type: ignore[arg-type]


async def run_until_empty(ports: Ports, name: str, concurrency: int = 2) -> list[UUID]:
    """The tenants of the jobs in the order in which they began."""
    order: list[UUID] = []

    async def handle(job: Job) -> None:
        order.append(job.tenant_id)

    queue = PgQueuerQueue(ports.db)
    working = asyncio.create_task(queue.work({name: handle}, concurrency=concurrency))

    async def is_empty() -> bool:
        waiting = await queue.waiting()
        return not [jobs for jobs in waiting if jobs.name == name] and bool(order)

    await until_async(is_empty)
    queue.drain()
    await working
    return order


async def test_many_jobs_of_one_tenant_do_not_delay_another(ports: Ports, scope: Scope) -> None:
    name, other = f"test_{new_id().hex}", await new_scope(ports)
    await add(ports, scope, name, MANY)
    await add(ports, other, name, 3)
    order = await run_until_empty(ports, name)
    assert Counter(order) == {scope.tenant_id: MANY, other.tenant_id: 3}
    places = [place for place, tenant_id in enumerate(order) if tenant_id == other.tenant_id]
    assert max(places) < 15


async def test_a_job_of_low_priority_waits_for_the_others_of_its_tenant(
    ports: Ports, scope: Scope
) -> None:
    name, late = f"test_{new_id().hex}", f"test_{new_id().hex}"
    await add(ports, scope, late, 1, priority=-20)
    await add(ports, scope, name, 5)
    query = "SELECT entrypoint FROM pgqueuer WHERE entrypoint = ANY($1) ORDER BY priority DESC, id"
    async with ports.db.unbound() as tx:
        rows = await tx.fetch(query, [name, late])
    assert [row["entrypoint"] for row in rows] == [name] * 5 + [late]
    await run_until_empty(ports, name)
    await run_until_empty(ports, late)


@pytest.mark.parametrize("concurrency", [2, 4, 7])
async def test_large_jobs_leave_a_slot(ports: Ports, scope: Scope, concurrency: int) -> None:
    name, small = f"test_{new_id().hex}", f"test_{new_id().hex}"
    release, running, small_done = asyncio.Event(), 0, asyncio.Event()
    most = 0

    async def hang(job: Job) -> None:
        nonlocal running, most
        assert job.name == name
        running += 1
        most = max(most, running)
        await release.wait()
        running -= 1

    async def finish(job: Job) -> None:
        small_done.set()

    await add(ports, scope, name, 3 * concurrency, large=True)
    queue = PgQueuerQueue(ports.db)
    work = queue.work({name: hang, small: finish}, concurrency=concurrency)
    working = asyncio.create_task(work)

    async def some_run() -> bool:
        return running >= max(1, concurrency // 2)

    await until_async(some_run)
    await add(ports, await new_scope(ports), small)
    await asyncio.wait_for(small_done.wait(), 20)
    assert most < concurrency

    async def the_others_wait() -> bool:
        [waiting] = [jobs for jobs in await queue.waiting() if jobs.name == name]
        return waiting.count == 3 * concurrency - running

    await until_async(the_others_wait)
    release.set()

    async def is_empty() -> bool:
        return not [jobs for jobs in await queue.waiting() if jobs.name == name] and not running

    await until_async(is_empty)
    queue.drain()
    await working


async def test_jobs_of_a_dead_worker_leave_slots_and_stay_lost(ports: Ports, scope: Scope) -> None:
    name, small = f"test_{new_id().hex}", f"test_{new_id().hex}"
    release, small_done = asyncio.Event(), asyncio.Event()
    begun: list[Job] = []

    async def hang(job: Job) -> None:
        begun.append(job)
        await release.wait()

    async def finish(job: Job) -> None:
        small_done.set()

    await add(ports, scope, name, 4)
    async with ports.db.unbound() as tx:
        lose = "UPDATE pgqueuer SET headers = '{\"begun\": 1}' WHERE entrypoint = $1"
        await tx.execute(lose, name)
    queue = PgQueuerQueue(ports.db)
    working = asyncio.create_task(queue.work({name: hang, small: finish}, concurrency=4))

    async def one_runs() -> bool:
        return len(begun) == 1

    await until_async(one_runs)
    await add(ports, await new_scope(ports), small)
    await asyncio.wait_for(small_done.wait(), 20)
    assert len(begun) == 1
    release.set()

    async def all_ran() -> bool:
        return len(begun) == 4

    await until_async(all_ran)
    queue.drain()
    await working
    assert {(job.lost, job.attempt) for job in begun} == {(1, 2)}


class _RecordingQueue:
    """Records which jobs are large."""

    def __init__(self) -> None:
        self.jobs: list[tuple[str, bool]] = []

    async def enqueue(self, tx: AnyTx, job: Job, *, large: bool = False, **_: object) -> None:
        self.jobs.append((job.name, large))


async def test_the_jobs_of_a_large_document_are_large(ports: Ports, scope: Scope) -> None:
    line = "The harbour opens at nine and closes at five on every working day. "
    queue = _RecordingQueue()
    ports = replace(ports, queue=queue)  # type: ignore[arg-type]
    for sentences in (LARGE_SENTENCES, LARGE_SENTENCES + 1):
        text = line * sentences
        await ingest(ports, scope, Draft(content=text, in_background=True))
    assert queue.jobs == [("process_document", False), ("process_document", True)]


class _CountingEmbedder:
    """Counts the texts that it embeds."""

    model, dimensions = "counting", 2

    def __init__(self) -> None:
        self.count = 0

    async def embed(self, texts: list[str]) -> list[Vector]:
        self.count += len(texts)
        return [np.array([len(text), 1], dtype=np.float32) for text in texts]


async def test_a_text_that_repeats_is_embedded_once() -> None:
    embedder = _CountingEmbedder()
    texts = ["((((", "b", "((((", "((((", "b", "ccc"]
    result = await embed_each(embedder, texts)  # type: ignore[arg-type]
    assert embedder.count == 3
    assert {place: vector[0] for place, vector in result.vectors.items()} == {
        place: len(text) for place, text in enumerate(texts)
    }


async def test_jobs_that_ask_a_language_model_are_large(ports: Ports, scope: Scope) -> None:
    """It may take half a minute for each answer."""
    queue = _RecordingQueue()
    with model(completion("")) as site:
        llm = OpenAILlm(f"{site.url}/v1", None, "tiny", waits_s=())
        asking = replace(with_llm(ports, llm), queue=queue, distils=True)  # type: ignore[arg-type]
        text = (
            "I moved to Graz in May. " + "The river is high in spring and the bridge is old. " * 30
        )
        await ingest(asking, scope, Draft(content=text))
        await save_memory(asking, scope, MemoryDraft("Mara lives in Graz."))
        await llm.close()
    names = ("distil_document", "find_mentions", "sum_up_document")
    assert sorted(queue.jobs) == [(name, True) for name in names]
