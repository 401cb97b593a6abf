"""Vectors move to another model of this machine: what is found stays the same at every moment."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import timedelta
from math import inf
from typing import cast
from uuid import UUID

import pytest

from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.embedding.networks import MODELS
from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import Unavailable, WorkRemains
from remem.core.evolution.jobs.schedule import due
from remem.core.evolution.upkeep.embed import embed_all
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import forget_memory
from remem.core.memories.index_memory import embed, store_vector
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Embedder, Ports, Queue
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query
from remem.core.stats.count import count_all
from remem.core.time import now
from remem.core.upkeep import move_model, reembed
from remem.core.upkeep.reembed import choose_model, reembed_tenant
from remem.core.vector_models import state as vector_models
from remem.core.vector_models.model import VectorModel
from tests.conftest import new_scope
from tests.core.test_failing_model import CollectedJobs
from tests.tools.second_model import FIRST, ROTATED, SECOND

pytestmark = pytest.mark.anyio

# No question shares a word with its note, so only its meaning finds it.
NOTES = {
    "What may we feed the puppy?": "Our young dog eats dry kibble twice daily.",
    "Which automobile repair place is good?": "The car workshop behind the station is honest.",
    "Who plays piano?": "My sister practises keyboard music each evening.",
    "How do I unlock the vacation home?": "The holiday house opens with a brass key.",
    "When is garbage collected?": "Rubbish bins are emptied on Tuesdays.",
    "Which physician treats children?": "Doctor Wexler is the kids' paediatrician.",
}


@pytest.fixture(autouse=True)
def second_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(MODELS, SECOND, ROTATED)
    monkeypatch.setattr(reembed, "KEPT", timedelta())
    yield


@pytest.fixture
async def first(ports: Ports) -> AsyncIterator[Ports]:
    embedder = LocalEmbedder(model=FIRST)
    yield replace(ports, embedder=embedder, distils=False)
    await embedder.close()


@pytest.fixture
async def second(ports: Ports) -> AsyncIterator[Ports]:
    embedder = LocalEmbedder(model=SECOND)
    yield replace(ports, embedder=embedder, distils=False)
    await embedder.close()


async def save_notes(ports: Ports, scope: Scope) -> None:
    for place, text in enumerate(NOTES.values()):
        if place % 2:
            await save_memory(ports, scope, MemoryDraft(text))
        else:
            await ingest(ports, scope, Draft(text))


async def found(ports: Ports, scope: Scope, question: str) -> list[tuple[UUID, float]]:
    results = (await find(ports, scope, Query(question))).hits
    return [(hit.id, round(hit.parts.vector, 3)) for hit in results]


async def answers(ports: Ports, scope: Scope) -> dict[str, list[tuple[UUID, float]]]:
    return {question: await found(ports, scope, question) for question in NOTES}


async def choose(ports: Ports, scope: Scope) -> VectorModel | None:
    await choose_model(ports, scope)
    async with ports.db.transaction(scope) as tx:
        return await vector_models.find(tx)


async def vectors(ports: Ports, scope: Scope) -> dict[str, int]:
    async with ports.db.transaction(scope) as tx:
        rows = await tx.fetch(
            "SELECT model, count(*)::int AS number FROM embeddings WHERE tenant_id = $1"
            " GROUP BY model"
        )
    return {row["model"]: row["number"] for row in rows}


async def events(ports: Ports, scope: Scope) -> list[str]:
    async with ports.db.transaction(scope) as tx:
        rows = await tx.fetch(
            "SELECT type FROM events WHERE tenant_id = $1 AND subject_kind = 'tenant'"
            " AND type LIKE 'vectors%' ORDER BY id"
        )
    return [row["type"] for row in rows]


async def move_a_part(ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    """Move two texts and stop."""
    with monkeypatch.context() as patch:
        patch.setattr(move_model, "READ_BATCH", 2)
        patch.setattr(reembed, "PART_S", 0.0)
        with pytest.raises(WorkRemains):
            await reembed_tenant(ports, scope, scope.tenant_id)


async def test_the_same_is_found_before_during_and_after(
    first: Ports, second: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save_notes(first, scope)
    before = await answers(first, scope)
    assert all(before.values())
    assert await choose(second, scope) == VectorModel(FIRST, SECOND)
    for _ in range(2):
        await move_a_part(second, scope, monkeypatch)
        counts = await vectors(second, scope)
        assert counts[FIRST] == 6 and 0 < counts[SECOND] < 6
        assert await answers(second, scope) == before
        assert (await count_all(second, scope)).embedding_coverage == 1
    await reembed_tenant(second, scope, scope.tenant_id)
    assert await vectors(second, scope) == {SECOND: 6}
    assert await answers(second, scope) == before
    assert (await count_all(second, scope)).embedding_coverage == 1
    assert await events(second, scope) == ["vectors_moving", "vectors_moved"]


async def test_what_is_saved_changed_and_deleted_meanwhile(
    first: Ports, second: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save_notes(first, scope)
    await choose(second, scope)
    changed = (await save_memory(first, scope, MemoryDraft("The ferry departs at dawn."))).memory
    deleted = (await save_memory(first, scope, MemoryDraft("The blender is broken."))).memory
    titled = (
        await ingest(first, scope, Draft("It is on the upper floor.", title="Attic"))
    ).document
    await move_a_part(second, scope, monkeypatch)
    await move_a_part(second, scope, monkeypatch)
    await move_a_part(second, scope, monkeypatch)
    await move_a_part(second, scope, monkeypatch)
    edit = MemoryEdit(frozenset({"content"}), content="The ferry departs after sunset.")
    edited = await edit_memory(second, scope, changed.id, edit)
    await forget_memory(second, scope, deleted.id)
    fields = frozenset({"title"})
    await change_document(second, scope, titled.id, DocumentEdit(fields, title="Swimming pool"))
    saved = (await save_memory(second, scope, MemoryDraft("Grandma bakes rye loaves."))).memory
    questions = ("Does the boat leave in the evening?", "Which bread does granny make?")

    async def check() -> None:
        assert (await found(second, scope, questions[0]))[0][0] == edited.id
        assert (await found(second, scope, questions[1]))[0][0] == saved.id
        assert deleted.id not in [id for id, _ in await found(second, scope, "broken mixer")]

    await check()
    await reembed_tenant(second, scope, scope.tenant_id)
    await check()
    counts = await vectors(second, scope)
    assert set(counts) == {SECOND}


async def test_maintenance_leaves_moved_memories_alone(
    first: Ports, second: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save_notes(first, scope)
    await choose(second, scope)
    for _ in range(3):
        await move_a_part(second, scope, monkeypatch)
    before = await vectors(second, scope)
    assert (await embed_all(second, scope, None, inf)).result == {"embedded": 0}
    async with second.db.transaction(scope) as tx:
        assert ("embedding", None) not in await due(second, tx, now())
    assert await vectors(second, scope) == before


async def test_a_process_with_a_paid_model_leaves_a_move_alone(
    first: Ports, second: Ports, scope: Scope
) -> None:
    class Paid:
        model, dimensions = "text-embedding-3-small", 384

    await save_notes(first, scope)
    await choose(second, scope)
    paid = replace(first, embedder=cast(Embedder, Paid()))
    with pytest.raises(Unavailable, match="another provider"):
        await reembed_tenant(paid, scope, scope.tenant_id)
    known = await choose(paid, scope)
    assert known and (known.model, known.moving_to) == (FIRST, None)


async def test_naming_the_old_model_stays_with_it(
    first: Ports, second: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save_notes(first, scope)
    before = await answers(first, scope)
    await choose(second, scope)
    await move_a_part(second, scope, monkeypatch)
    known = await choose(first, scope)
    assert known and (known.model, known.moving_to) == (FIRST, None)
    assert await answers(first, scope) == before
    await reembed_tenant(first, scope, scope.tenant_id)
    assert await vectors(first, scope) == {FIRST: 6}
    assert await answers(first, scope) == before
    assert await events(first, scope) == ["vectors_moving", "vectors_stay"]


async def test_naming_the_old_model_after_the_move_moves_back(
    first: Ports, second: Ports, scope: Scope
) -> None:
    await save_notes(first, scope)
    before = await answers(first, scope)
    for ports in (second, first):
        await choose(ports, scope)
        await reembed_tenant(ports, scope, scope.tenant_id)
    assert await vectors(first, scope) == {FIRST: 6}
    assert await answers(first, scope) == before


async def test_each_tenant_has_its_own_model(first: Ports, second: Ports) -> None:
    one, other = await new_scope(first), await new_scope(first)
    for scope in (one, other):
        await save_notes(first, scope)
    expected = [len(await found(first, scope, "Who plays piano?")) for scope in (one, other)]
    await choose(second, one)
    await reembed_tenant(second, one, one.tenant_id)
    assert [await vectors(second, scope) for scope in (one, other)] == [{SECOND: 6}, {FIRST: 6}]
    counts = [len(await found(second, scope, "Who plays piano?")) for scope in (one, other)]
    assert counts == expected


async def test_a_vector_made_before_the_switch_is_made_again_by_a_job(
    first: Ports, second: Ports, scope: Scope
) -> None:
    await save_notes(first, scope)
    memory = (await save_memory(first, scope, MemoryDraft("The stove is in the yard."))).memory
    old = await embed(second, scope, "The stove is in the yard.")
    assert old and old.model == FIRST
    await choose(second, scope)
    await reembed_tenant(second, scope, scope.tenant_id)
    async with second.db.transaction(scope) as tx:
        assert not await store_vector(second, tx, memory, old)
    assert set(await vectors(second, scope)) == {SECOND}


async def test_what_an_older_process_saved_after_the_switch_is_embedded_an_hour_later(
    first: Ports, second: Ports, scope: Scope
) -> None:
    await save_notes(first, scope)
    before = await answers(first, scope)
    await choose(second, scope)
    await reembed_tenant(second, scope, scope.tenant_id)
    async with second.db.transaction(scope) as tx:
        for table in ("chunks", "memories"):
            await tx.execute(f"UPDATE {table} SET embedded_with = $2 WHERE tenant_id = $1", FIRST)
        await tx.execute("UPDATE embeddings SET model = $2 WHERE tenant_id = $1", FIRST)
        await tx.execute(
            "UPDATE vector_models SET moved_at = now() - interval '2 hours' WHERE tenant_id = $1"
        )
    await reembed_tenant(second, scope, scope.tenant_id)
    assert await vectors(second, scope) == {SECOND: 6}
    assert await answers(second, scope) == before
    async with second.db.transaction(scope) as tx:
        assert await vector_models.find(tx) == VectorModel(SECOND)


async def test_a_missing_model_is_replaced_by_the_other_of_the_same_space(
    first: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here both names are those of one network. Until the end, the vectors keep the old one."""
    monkeypatch.setitem(MODELS, SECOND, MODELS[FIRST])
    second = replace(first, embedder=LocalEmbedder(model=SECOND))
    await save_notes(first, scope)
    before = await answers(first, scope)
    await choose(second, scope)
    gone = MODELS[FIRST]._replace(folder="no such folder")
    monkeypatch.setitem(MODELS, FIRST, gone)
    assert await answers(second, scope) == before
    await save_memory(second, scope, MemoryDraft("Grandma bakes rye loaves."))
    assert await found(second, scope, "Which bread does granny make?")
    assert await vectors(second, scope) == {FIRST: 7}
    await reembed_tenant(second, scope, scope.tenant_id)
    assert await vectors(second, scope) == {SECOND: 7}
    await second.embedder.close()


async def test_vectors_of_a_paid_model_stay(first: Ports, scope: Scope) -> None:
    await save_notes(first, scope)
    async with first.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE vector_models SET model = 'text-embedding-3-small'")
    known = await choose(first, scope)
    assert known == VectorModel("text-embedding-3-small")


async def test_a_worker_queues_one_job_for_each_tenant_that_moves(
    first: Ports, second: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = await new_scope(first), await new_scope(first)
    for scope in (one, other):
        await save_memory(first, scope, MemoryDraft("Grandma bakes rye loaves."))

    async def two_tenants(_: Ports) -> AsyncIterator[Scope]:
        yield one
        yield other

    monkeypatch.setattr(reembed, "every_tenant", two_tenants)
    queue = CollectedJobs()
    second = replace(second, queue=cast(Queue, queue))
    await reembed.start_moving(second)
    assert await reembed.resume_moving(second) == 2
    assert queue.jobs == [("reembed", one.tenant_id), ("reembed", other.tenant_id)]
    for scope in (one, other):
        await reembed_tenant(second, scope, scope.tenant_id)
        async with second.db.transaction(scope) as tx:
            await tx.execute("UPDATE jobs SET status = 'completed' WHERE tenant_id = $1")
    # An hour later another job looks for what older processes saved; until then nothing is queued.
    assert await reembed.resume_moving(second) == 2
    assert len(queue.jobs) == 2
