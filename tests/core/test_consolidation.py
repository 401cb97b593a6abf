"""Duplicates are merged, unused memories decay, used ones are promoted; all can be undone."""

from typing import Any
from uuid import UUID

import pytest

from remem.core.errors import Conflict
from remem.core.evolution.jobs.run import run_evolution
from remem.core.evolution.upkeep.consolidate import consolidate
from remem.core.memories.browse import get_memory
from remem.core.memories.consolidation.undo import list_consolidations, undo_consolidation
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.lifecycle import set_lifecycle
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query
from tests.core.memories import contents, events, match_by_word, save

pytestmark = pytest.mark.anyio

FOREVER = float("inf")
STATEMENT = "The user prefers dark roast coffee in the morning."
REWORDED = "In the morning, the user prefers dark roast coffee."


async def save_all(ports: Ports, scope: Scope, *texts: str, **fields: Any) -> list[Memory]:
    """Save statements that have not been compared with each other yet."""
    return [(await save(ports, scope, text, **fields)).memory for text in texts]


async def consolidate_project(ports: Ports, scope: Scope, project_id: UUID) -> dict[str, Any]:
    return (await consolidate(ports, scope, project_id, FOREVER)).result


async def state(ports: Ports, scope: Scope) -> dict[str, list[tuple[Any, ...]]]:
    """Everything stored about memories, except the audit trail and the consolidations."""
    queries = {
        "memories": "SELECT to_jsonb(m) - 'tenant_id' FROM memories m ORDER BY id",
        "postings": "SELECT term, owner_id, tf, length FROM postings ORDER BY 1, 2",
        "embeddings": "SELECT owner_id, model, vector::text FROM embeddings ORDER BY 1",
        "links": "SELECT from_kind, from_id, to_kind, to_id, relation, confidence FROM links"
        " ORDER BY 1, 2, 3, 4, 5",
        "entities": "SELECT id, type, name, mention_count FROM entities ORDER BY 1",
    }
    async with ports.db.transaction(scope) as tx:
        return {
            name: [tuple(row) for row in await tx.system.fetch(query)]
            for name, query in queries.items()
        }


async def test_two_memories_that_say_the_same_are_merged(ports: Ports, scope: Scope) -> None:
    first, second = await save_all(ports, scope, STATEMENT, REWORDED)
    result = await consolidate_project(ports, scope, first.project_id)
    assert (result["merged"], result["compared"]) == (1, 2)
    [remaining] = await contents(ports, scope)
    assert remaining in (STATEMENT, REWORDED)
    merged_away = second if remaining == STATEMENT else first
    superseded = await get_memory(ports, scope, merged_away.id)
    assert (superseded.state, superseded.is_current) == ("superseded", False)
    [(type, data)] = [
        event for event in await events(ports, scope, merged_away.id) if "consol" in event[0]
    ]
    assert type == "consolidation_merge"
    assert data["cosine"] > 0.92
    assert (await consolidate_project(ports, scope, first.project_id))["compared"] == 0


async def test_undoing_restores_the_exact_state(ports: Ports, scope: Scope) -> None:
    first, _ = await save_all(ports, scope, STATEMENT, REWORDED, tags=["drink"])
    await save_all(ports, scope, "The hiking club meets at the old mill.")
    before = await state(ports, scope)
    await consolidate_project(ports, scope, first.project_id)
    assert await state(ports, scope) != before
    [merge], _ = await list_consolidations(ports, scope, "merge", None, None, 10)
    undone = await undo_consolidation(ports, scope, merge.id)
    assert undone.undone_at is not None
    assert await state(ports, scope) == before
    assert len(await match_by_word(ports, scope, "dark roast")) == 2
    with pytest.raises(Conflict):
        await undo_consolidation(ports, scope, merge.id)
    assert (await consolidate_project(ports, scope, first.project_id))["merged"] == 0, (
        "not once more"
    )


async def test_a_detail_is_never_merged_away(ports: Ports, scope: Scope) -> None:
    first, *_ = await save_all(
        ports, scope, "Platform 4 is where the train to Bergen leaves from in the morning.",
        "Anna lent Ben her bike.", "Ben lent Anna her bike.",
    )  # fmt: skip
    await save_all(ports, scope, STATEMENT, speaker="Ann")
    await save_all(ports, scope, REWORDED, speaker="Ben")
    assert (await consolidate_project(ports, scope, first.project_id))["merged"] == 0


async def test_the_merged_memory_has_the_tags_and_accesses_of_both(
    ports: Ports, scope: Scope
) -> None:
    first, second = await save_all(ports, scope, STATEMENT, REWORDED)
    await edit_memory(ports, scope, first.id, MemoryEdit(frozenset({"tags"}), tags=["a"]))
    await edit_memory(ports, scope, second.id, MemoryEdit(frozenset({"tags"}), tags=["b"]))
    for memory in (first, second, second):
        await get_memory(ports, scope, memory.id)
    await consolidate_project(ports, scope, first.project_id)
    [merge], _ = await list_consolidations(ports, scope, None, None, None, 10)
    assert merge.into_id is not None
    merged = await get_memory(ports, scope, merge.into_id)
    assert (sorted(merged.tags), merged.access_count) == (["a", "b"], 4)


async def set_age(ports: Ports, scope: Scope, id: UUID, days: int) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute(
            "UPDATE memories SET created_at = now() - make_interval(days => $2), stated_at = NULL"
            " WHERE id = $1",
            id,
            days,
        )


async def test_an_unused_memory_decays_once_in_sixty_days(ports: Ports, scope: Scope) -> None:
    old, young, used = await save_all(
        ports, scope, "The shed is red.", "Tea is at four.", "Ann runs."
    )
    for memory in (old, used):
        await set_age(ports, scope, memory.id, 61)
    await set_age(ports, scope, young.id, 59)
    await get_memory(ports, scope, used.id)
    assert (await consolidate_project(ports, scope, old.project_id))["decayed"] == 1
    assert (await consolidate_project(ports, scope, old.project_id))["decayed"] == 0
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch("SELECT id, confidence FROM memories")
    assert {row["id"]: round(row["confidence"], 2) for row in rows} == {
        old.id: 0.85,
        young.id: 1.0,
        used.id: 1.0,
    }
    [decay], _ = await list_consolidations(ports, scope, "decay", None, None, 10)
    await undo_consolidation(ports, scope, decay.id)
    assert (await get_memory(ports, scope, old.id)).confidence == 1.0


async def test_confidence_never_falls_below_the_floor(ports: Ports, scope: Scope) -> None:
    [low] = await save_all(ports, scope, "The shed is red.", confidence=0.2)
    await set_age(ports, scope, low.id, 100)
    await consolidate_project(ports, scope, low.project_id)
    assert (await get_memory(ports, scope, low.id)).confidence == pytest.approx(0.1)


async def test_a_memory_read_often_is_promoted_and_that_can_be_undone(
    ports: Ports, scope: Scope
) -> None:
    [often, unsure] = await save_all(ports, scope, "The shed is red.", "Ann runs.")
    await edit_memory(
        ports, scope, unsure.id, MemoryEdit(frozenset({"confidence"}), confidence=0.6)
    )
    for _ in range(5):
        await get_memory(ports, scope, often.id)
        await get_memory(ports, scope, unsure.id)
    assert (await consolidate_project(ports, scope, often.project_id))["promoted"] == 1
    assert (await get_memory(ports, scope, often.id)).quality == "good"
    [promotion], _ = await list_consolidations(ports, scope, "promote", None, None, 10)
    await undo_consolidation(ports, scope, promotion.id)
    assert (await get_memory(ports, scope, often.id)).quality == "unknown"
    assert (await consolidate_project(ports, scope, often.project_id))["promoted"] == 0


async def test_an_edit_keeps_the_accesses_of_its_chain(ports: Ports, scope: Scope) -> None:
    [memory] = await save_all(ports, scope, "The shed is red.")
    for _ in range(3):
        await get_memory(ports, scope, memory.id)
    change = MemoryEdit(frozenset({"content"}), content="The shed is painted red.")
    assert (await edit_memory(ports, scope, memory.id, change)).access_count == 3


async def test_a_run_does_what_is_due_and_then_nothing(ports: Ports, scope: Scope) -> None:
    await save_all(ports, scope, STATEMENT, REWORDED)
    run = await run_evolution(ports, scope)
    assert [job.job_type for job in run.done] == ["derivation", "consolidation", "graph"]
    assert {job.status for job in run.done} == {"completed"}
    assert len(await contents(ports, scope)) == 1
    again = await run_evolution(ports, scope)
    assert (again.scheduled, again.done, again.has_more) == ([], [], False)


async def test_a_promoted_memory_ranks_higher(ports: Ports, scope: Scope) -> None:
    texts = [f"The {animal} barn at the old mill was painted." for animal in ("goat", "sheep")]
    first, second = await save_all(ports, scope, *texts)
    query = Query("Which barn at the old mill was painted?", None, fusion="rrf")

    async def score(memory: Memory) -> float:
        hits = (await find(ports, scope, query)).hits
        return next(
            hit.score for hit in hits if memory.id in {hit_memory.id for hit_memory in hit.memories}
        )

    before = await score(second) - await score(first)
    for _ in range(5):
        await get_memory(ports, scope, second.id)
    await consolidate_project(ports, scope, first.project_id)
    promoted = await score(second) - await score(first)
    assert promoted > before
    await set_lifecycle(ports, scope, second.id, None, "bad")
    assert await score(second) - await score(first) < before
