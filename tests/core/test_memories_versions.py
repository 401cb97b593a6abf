"""The versions of a memory: edited, restored, read as of a time, judged, forgotten, listed."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from remem.core.errors import Conflict, Invalid, LimitExceeded, NotFound
from remem.core.events.model import EventChoice
from remem.core.events.read import list_events
from remem.core.identity.plans import get_subscription
from remem.core.judges import by_rules as judging
from remem.core.judges.by_rules import RulesJudge
from remem.core.memories.browse import get_memories, get_memory, list_memories, timeline, upcoming
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import erase_memory, forget_memory
from remem.core.memories.lifecycle import give_feedback, set_lifecycle
from remem.core.memories.model import DueSpan, Memory, MemoryChoice
from remem.core.memories.related import related_memories
from remem.core.memories.versions.history import get_history
from remem.core.memories.versions.restore import restore_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id, now
from tests.conftest import new_scope
from tests.core.memories import (
    contents,
    count,
    events,
    get_memory_after_jobs,
    match_by_meaning,
    match_by_word,
    relate_by_first_word,
    save,
    set_limit,
)
from tests.core.test_documents import with_answers

pytestmark = pytest.mark.anyio


async def edit(ports: Ports, scope: Scope, id: UUID, **fields: Any) -> Memory:
    return await edit_memory(ports, scope, id, MemoryEdit(fields=frozenset(fields), **fields))


async def saved(ports: Ports, scope: Scope, content: str, **fields: Any) -> Memory:
    return (await save(ports, scope, content, **fields)).memory


async def versions(ports: Ports, scope: Scope, id: UUID) -> list[str]:
    return [memory.content for memory in (await get_history(ports, scope, id)).versions]


# Edited


async def test_an_edit_of_the_content_makes_a_version(ports: Ports, scope: Scope) -> None:
    old = await saved(ports, scope, "Ada drinks tea.", tags=["drink"], title="Drinks")
    new = await edit(ports, scope, old.id, content="Ada drinks coffee.")
    assert (new.version, new.root_id, new.supersedes_id) == (2, old.id, old.id)
    assert (new.tags, new.title) == (["drink"], "Drinks")
    assert await contents(ports, scope) == ["Ada drinks coffee."]
    assert await match_by_word(ports, scope, "ada drinks tea") == [new.id]
    assert await match_by_meaning(ports, scope, "drinks") == [new.id]
    assert await versions(ports, scope, old.id) == ["Ada drinks tea.", "Ada drinks coffee."]


async def test_an_edit_of_other_fields_makes_no_version(ports: Ports, scope: Scope) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.", tags=["drink"], title="Old")
    due = now() + timedelta(days=1)
    changed = await edit(ports, scope, memory.id, title="Quokka", tags=["wombat"], due_at=due)
    assert (changed.id, changed.version, changed.due_at) == (memory.id, 1, due)
    assert await match_by_word(ports, scope, "quokka wombat") == [memory.id]
    assert await match_by_word(ports, scope, "old drink") != []
    cleared = await edit(ports, scope, memory.id, title=None, due_at=None)
    assert (cleared.title, cleared.due_at) == (None, None)
    assert await match_by_word(ports, scope, "quokka") == []
    body = [data for kind, data in await events(ports, scope, memory.id) if kind == "update"]
    assert body[0] == {"fields": ["due_at", "tags", "title"], "version": 1}


async def test_an_old_version_is_not_edited(ports: Ports, scope: Scope) -> None:
    old = await saved(ports, scope, "Ada drinks tea.")
    await edit(ports, scope, old.id, content="Ada drinks coffee.")
    with pytest.raises(Conflict, match="restore") as refused:
        await edit(ports, scope, old.id, content="Ada drinks juice.")
    assert refused.value.code == "old_version"


async def test_an_edit_that_repeats_another_memory_is_refused(ports: Ports, scope: Scope) -> None:
    other = await saved(ports, scope, "The build is green.")
    memory = await saved(ports, scope, "Ada drinks tea.")
    with pytest.raises(Conflict) as refused:
        await edit(ports, scope, memory.id, content="The build is green.")
    assert refused.value.details == {"id": str(other.id)}
    assert len(await contents(ports, scope)) == 2


async def test_an_edit_without_an_embedder_is_embedded_later(ports: Ports, scope: Scope) -> None:
    old = await saved(ports, scope, "Ada drinks tea.")
    new = await edit(with_answers(ports, 0), scope, old.id, content="The dentist is on Friday.")
    assert await match_by_word(ports, scope, "dentist") == [new.id]
    await get_memory_after_jobs(ports, scope, new.id)
    assert await match_by_meaning(ports, scope, "teeth") == [new.id]


async def test_concurrent_edits_leave_one_current_version(ports: Ports, scope: Scope) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.")
    edits = [edit(ports, scope, memory.id, content=f"Ada drinks juice {n}.") for n in range(8)]
    results = await asyncio.gather(*edits, return_exceptions=True)
    assert sum(isinstance(result, Memory) for result in results) == 1
    assert sum(isinstance(result, Conflict) for result in results) == 7
    assert len(await contents(ports, scope)) == 1


async def test_a_memory_moves_with_its_versions(ports: Ports, scope: Scope) -> None:
    old = await saved(ports, scope, "Ada drinks tea.", project="one", create_project=True)
    new = await edit(ports, scope, old.id, content="Ada drinks coffee.")
    await saved(ports, scope, "Elsewhere.", project="two", create_project=True)
    moved = await edit(ports, scope, new.id, project="two")
    assert moved.project_ref == "two"
    assert await contents(ports, scope, project="one") == []
    assert "Ada drinks coffee." in await contents(ports, scope, project="two")
    assert (await get_memory(ports, scope, old.id)).project_ref == "two"
    again = await save(ports, scope, "Ada drinks coffee.", project="one", create_project=True)
    assert again.status == "saved"


@pytest.mark.parametrize("field", ["content", "category", "tags", "context", "confidence"])
async def test_required_fields_cannot_be_cleared(ports: Ports, scope: Scope, field: str) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.")
    with pytest.raises(Invalid) as refused:
        await edit(ports, scope, memory.id, **{field: None})
    assert refused.value.field == field


async def test_an_end_before_the_start_is_refused(ports: Ports, scope: Scope) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.", valid_from=now())
    with pytest.raises(Invalid, match="valid_until"):
        await edit(ports, scope, memory.id, valid_until=now() - timedelta(days=1))


# Restored


async def test_an_old_version_becomes_current_as_a_new_one(ports: Ports, scope: Scope) -> None:
    old = await saved(ports, scope, "Ada drinks tea.")
    await edit(ports, scope, old.id, content="Ada drinks coffee.")
    restored = await restore_memory(ports, scope, old.id)
    assert (restored.version, restored.content, restored.root_id) == (3, "Ada drinks tea.", old.id)
    assert await contents(ports, scope) == ["Ada drinks tea."]
    assert await match_by_word(ports, scope, "coffee tea") == [restored.id]
    assert await match_by_meaning(ports, scope, "drinks") == [restored.id]
    expected = ["Ada drinks tea.", "Ada drinks coffee.", "Ada drinks tea."]
    assert await versions(ports, scope, restored.id) == expected
    with pytest.raises(Conflict, match="current already"):
        await restore_memory(ports, scope, restored.id)


async def test_only_the_current_version_counts_for_the_plan(ports: Ports, scope: Scope) -> None:
    await set_limit(ports, scope, 1)
    old = await saved(ports, scope, "Ada drinks tea.")
    await edit(ports, scope, old.id, content="Ada drinks coffee.")
    await restore_memory(ports, scope, old.id)
    assert await contents(ports, scope) == ["Ada drinks tea."]
    assert (await get_subscription(ports, scope)).memory_count == 1
    with pytest.raises(LimitExceeded):
        await saved(ports, scope, "Something else.")


# As of a time


async def test_memories_as_of_a_time(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def year(number: int) -> datetime:
        return datetime(number, 1, 1, tzinfo=UTC)

    monkeypatch.setattr(judging, "relate", relate_by_first_word())
    await saved(ports, scope, "Berlin is home to Ada.", valid_from=year(2020))
    await saved(ports, scope, "Max leads.", valid_from=year(2021), valid_until=year(2023))
    monkeypatch.setattr(judging, "relate", relate_by_first_word(Berlin="update"))
    await saved(ports, scope, "Paris is home to Ada.", valid_from=year(2022))
    for time, expected in (
        (year(2019), set()),
        (year(2020), {"Berlin is home to Ada."}),
        (datetime(2021, 6, 1, tzinfo=UTC), {"Berlin is home to Ada.", "Max leads."}),
        (year(2022), {"Paris is home to Ada.", "Max leads."}),
        (year(2023), {"Paris is home to Ada."}),
        (now(), {"Paris is home to Ada."}),
    ):
        assert set(await contents(ports, scope, as_of=time)) == expected, time
    assert await contents(ports, scope) == ["Paris is home to Ada."]


async def test_an_edit_is_valid_from_the_start_of_the_first_version(
    ports: Ports, scope: Scope
) -> None:
    """An edit corrects a statement; it does not say that something changed."""
    start = datetime(2020, 1, 1, tzinfo=UTC)
    old = await saved(ports, scope, "Ada lives in Berlln.", valid_from=start)
    await edit(ports, scope, old.id, content="Ada lives in Berlin.")
    then = start + timedelta(days=1)
    assert await contents(ports, scope, as_of=then) == ["Ada lives in Berlin."]


async def test_a_restored_version_is_valid_from_now_on(ports: Ports, scope: Scope) -> None:
    start = datetime(2020, 1, 1, tzinfo=UTC)
    old = await saved(ports, scope, "Ada lives in Berlin.", valid_from=start)
    await edit(ports, scope, old.id, content="Ada lives in Paris.", valid_from=start)
    await restore_memory(ports, scope, old.id)
    then = start + timedelta(days=1)
    assert await contents(ports, scope, as_of=then) == ["Ada lives in Paris."]
    assert await contents(ports, scope, as_of=now()) == ["Ada lives in Berlin."]


# Judged


async def test_a_quarantined_memory_is_hidden_until_it_is_active_again(
    ports: Ports, scope: Scope
) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.")
    await set_lifecycle(ports, scope, memory.id, "quarantined", None)
    assert await contents(ports, scope) == []
    assert await contents(ports, scope, state="quarantined") == ["Ada drinks tea."]
    assert await match_by_word(ports, scope, "tea") == []
    assert await match_by_meaning(ports, scope, "tea") == []
    lifted = await set_lifecycle(ports, scope, memory.id, "active", "good")
    assert (lifted.state, lifted.quality) == ("active", "good")
    assert await match_by_word(ports, scope, "tea") == [memory.id]
    assert await match_by_meaning(ports, scope, "tea") == [memory.id]
    body = [data for kind, data in await events(ports, scope, memory.id) if kind == "lifecycle"]
    assert body == [
        {"state": ["active", "quarantined"]},
        {"state": ["quarantined", "active"], "quality": ["unknown", "good"]},
    ]


async def test_a_quarantined_memory_that_was_saved_again_cannot_be_activated(
    ports: Ports, scope: Scope
) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.")
    await set_lifecycle(ports, scope, memory.id, "quarantined", None)
    assert (await save(ports, scope, "Ada drinks tea.")).status == "saved"
    with pytest.raises(Conflict, match="says the same"):
        await set_lifecycle(ports, scope, memory.id, "active", None)


async def test_a_memory_is_superseded_by_hand_and_activated_again(
    ports: Ports, scope: Scope
) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.")
    superseded = await set_lifecycle(ports, scope, memory.id, "superseded", None)
    assert (superseded.is_current, superseded.state) == (False, "superseded")
    assert await contents(ports, scope) == []
    assert await contents(ports, scope, as_of=now()) == []
    assert await contents(ports, scope, state="superseded") == ["Ada drinks tea."]
    active = await set_lifecycle(ports, scope, memory.id, "active", None)
    assert (active.is_current, active.valid_until) == (True, None)
    assert await match_by_meaning(ports, scope, "tea") == [memory.id]


async def test_a_replaced_version_cannot_be_activated(ports: Ports, scope: Scope) -> None:
    old = await saved(ports, scope, "Ada drinks tea.")
    await edit(ports, scope, old.id, content="Ada drinks coffee.")
    for state in ("active", "quarantined"):
        with pytest.raises(Conflict):
            await set_lifecycle(ports, scope, old.id, state, None)


async def test_feedback_decides_the_quality(ports: Ports, scope: Scope) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.")
    assert (await give_feedback(ports, scope, memory.id, "helpful")).quality == "good"
    assert (await give_feedback(ports, scope, memory.id, "wrong")).quality == "bad"
    body = [data for kind, data in await events(ports, scope, memory.id) if kind == "feedback"]
    assert [data["type"] for data in body] == ["helpful", "wrong"]


async def test_a_change_without_a_field_is_refused(ports: Ports, scope: Scope) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.")
    with pytest.raises(Invalid, match="state"):
        await set_lifecycle(ports, scope, memory.id, None, None)


# Forgotten


async def assert_gone(ports: Ports, scope: Scope, ids: list[UUID]) -> None:
    assert await contents(ports, scope) == []
    assert await contents(ports, scope, state="superseded") == []
    assert await contents(ports, scope, as_of=now()) == []
    assert (await timeline(ports, scope, MemoryChoice(), None, 10)).memories == []
    assert await upcoming(ports, scope, None, 10, DueSpan()) == []
    for id in ids:
        for verb in (get_memory, get_history, related_memories, forget_memory):
            with pytest.raises(NotFound):
                await verb(ports, scope, id)
        for verdict in (
            give_feedback(ports, scope, id, "wrong"),
            edit(ports, scope, id, title="x"),
        ):
            with pytest.raises(NotFound):
                await verdict
        with pytest.raises(NotFound):
            await set_lifecycle(ports, scope, id, "active", None)
    assert await get_memories(ports, scope, ids) == ([], list(ids))
    for table in ("postings", "embeddings"):
        assert await count(ports, scope, table) == 0, table
    async with ports.db.transaction(scope) as tx:
        assert await tx.system.fetchval("SELECT sum(texts) FROM text_totals") == 0
        assert await tx.system.fetchval("SELECT sum(terms) FROM text_totals") == 0
    assert (await get_subscription(ports, scope)).memory_count == 0


async def two_versions(ports: Ports, scope: Scope) -> tuple[Memory, Memory]:
    old = await saved(ports, scope, "Ada drinks tea.", due_at=now() + timedelta(days=1))
    return old, await edit(ports, scope, old.id, content="Ada drinks coffee.")


async def test_a_soft_deleted_memory_is_read_nowhere(ports: Ports, scope: Scope) -> None:
    old, new = await two_versions(ports, scope)
    await forget_memory(ports, scope, new.id)
    await assert_gone(ports, scope, [old.id, new.id])
    assert await count(ports, scope, "memories") == 2


async def test_a_soft_delete_is_undone(ports: Ports, scope: Scope) -> None:
    old, new = await two_versions(ports, scope)
    await forget_memory(ports, scope, old.id)
    restored = await restore_memory(ports, scope, new.id)
    assert (restored.id, restored.version, restored.embedded_with) == (
        new.id,
        2,
        ports.embedder.model,
    )
    assert await contents(ports, scope) == ["Ada drinks coffee."]
    assert await match_by_word(ports, scope, "drinks") == [new.id]
    assert await match_by_meaning(ports, scope, "drinks") == [new.id]
    assert await versions(ports, scope, new.id) == ["Ada drinks tea.", "Ada drinks coffee."]
    assert (await get_subscription(ports, scope)).memory_count == 1
    event_types = [kind for kind, _ in await events(ports, scope, new.id)]
    assert event_types[-1:] == ["restore"]


async def test_a_deleted_memory_that_was_saved_again_is_not_restored(
    ports: Ports, scope: Scope
) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.")
    await forget_memory(ports, scope, memory.id)
    again = await saved(ports, scope, "Ada drinks tea.")
    assert again.id != memory.id
    with pytest.raises(Conflict, match=str(again.id)):
        await restore_memory(ports, scope, memory.id)
    await set_limit(ports, scope, 1)
    await edit(ports, scope, again.id, title="There")
    await forget_memory(ports, scope, again.id)
    await saved(ports, scope, "Something else.")
    with pytest.raises(LimitExceeded):
        await restore_memory(ports, scope, memory.id)


async def test_concurrent_restores_restore_once(ports: Ports, scope: Scope) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.")
    await forget_memory(ports, scope, memory.id)
    restores = (restore_memory(ports, scope, memory.id) for _ in range(5))
    results = await asyncio.gather(*restores, return_exceptions=True)
    # A restore that comes too late is told that there is nothing left to restore.
    errors = [result for result in results if isinstance(result, BaseException)]
    assert all(
        isinstance(error, Conflict) and "current already" in error.message for error in errors
    )
    assert {result.id for result in results if isinstance(result, Memory)} == {memory.id}
    assert (await get_subscription(ports, scope)).memory_count == 1
    async with ports.db.transaction(scope) as tx:
        assert await tx.system.fetchval("SELECT texts FROM text_totals") == 1


@pytest.mark.parametrize("soft_deleted_first", [False, True])
async def test_erasing_leaves_only_the_event(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch, soft_deleted_first: bool
) -> None:
    other = await saved(ports, scope, "Beta is the stage we are in.")
    monkeypatch.setattr(judging, "relate", relate_by_first_word(Beta="extend"))
    old = await saved(ports, scope, "Zebra stripes are part of the stage we are in.")
    new = await edit(ports, scope, old.id, content="Zebra dots are part of the stage.")
    assert await related_memories(ports, scope, other.id)
    if soft_deleted_first:
        await forget_memory(ports, scope, new.id)
    await erase_memory(ports, scope, old.id)
    assert await related_memories(ports, scope, other.id) == []
    assert await count(ports, scope, "links") == 0
    await forget_memory(ports, scope, other.id)
    await assert_gone(ports, scope, [old.id, new.id])
    for id in (old.id, new.id):
        with pytest.raises(NotFound):
            await restore_memory(ports, scope, id)
        page = await list_events(ports, scope, EventChoice(id, "erase"), None, 10)
        assert [event.data for event in page.events] == [{}]
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch("SELECT data::text FROM events")
    assert "zebra" not in str(rows).lower()


async def test_the_reasons_of_a_decision_quote_no_content(ports: Ports, scope: Scope) -> None:
    """Events outlive erased memories, so no reason may repeat their words."""
    for content in ("Ada lives in Zanzibar.", "Ada lives in Ouagadougou.", "Ada, in Zanzibar?"):
        await save(ports, scope, content)
    async with ports.db.transaction(scope) as tx:
        roots = await tx.system.fetch("SELECT DISTINCT root_id FROM memories")
    for row in roots:
        await erase_memory(ports, scope, row["root_id"])
    async with ports.db.transaction(scope) as tx:
        body = str(await tx.system.fetch("SELECT data::text FROM events")).lower()
    assert "lives" not in body
    assert "zanzibar" not in body
    assert "ouagadougou" not in body


async def test_another_tenant_cannot_touch_a_memory(ports: Ports, scope: Scope) -> None:
    memory = await saved(ports, scope, "Ada drinks tea.")
    stranger = await new_scope(ports)
    for verb in (get_memory, get_history, forget_memory, erase_memory, restore_memory):
        with pytest.raises(NotFound):
            await verb(ports, stranger, memory.id)
    assert await contents(ports, scope) == ["Ada drinks tea."]


# Listed


async def test_the_timeline_is_ordered_by_occurrence(ports: Ports, scope: Scope) -> None:
    day = timedelta(days=1)
    await saved(ports, scope, "Ada drinks tea.", occurred_at=now() - 3 * day)
    await saved(ports, scope, "The build broke.", occurred_at=now() - 5 * day)
    await saved(ports, scope, "It is said now.")
    seen = []
    cursor = None
    while True:
        page = await timeline(ports, scope, MemoryChoice(), cursor, 1)
        seen += [memory.content for memory in page.memories]
        if (cursor := page.next) is None:
            break
    assert seen == ["It is said now.", "Ada drinks tea.", "The build broke."]
    within = MemoryChoice(since=now() - 4 * day, until=now() - 2 * day)
    page = await timeline(ports, scope, within, None, 10)
    assert [memory.content for memory in page.memories] == ["Ada drinks tea."]


async def test_upcoming_memories_are_ordered_by_due_time(ports: Ports, scope: Scope) -> None:
    day = timedelta(days=1)
    await saved(ports, scope, "Taxes are due.", due_at=now() + 2 * day)
    await saved(ports, scope, "Call the plumber.", due_at=now() + day)
    await saved(ports, scope, "The form was due.", due_at=now() - day)
    await saved(ports, scope, "Nothing is to be done.")
    due = [memory.content for memory in await upcoming(ports, scope, None, 10)]
    assert due == ["Call the plumber.", "Taxes are due."]
    with_overdue = await upcoming(ports, scope, None, 10, DueSpan())
    assert [memory.content for memory in with_overdue] == ["The form was due.", *due]


async def test_memories_are_returned_in_the_requested_order(ports: Ports, scope: Scope) -> None:
    first, second = (
        await saved(ports, scope, "One thing."),
        await saved(ports, scope, "Second matter."),
    )
    unknown = new_id()
    memories, missing = await get_memories(ports, scope, [second.id, unknown, first.id, second.id])
    assert ([memory.id for memory in memories], missing) == ([second.id, first.id], [unknown])


async def test_related_memories_are_followed_to_a_depth(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = replace(ports, reader=None, judge=RulesJudge(ports.analysis))
    monkeypatch.setattr(judging, "relate", relate_by_first_word())
    ids = [(await saved(ports, scope, "s0 the thing")).id]
    for n in range(1, 5):
        monkeypatch.setattr(judging, "relate", relate_by_first_word(**{f"s{n - 1}": "extend"}))
        ids.append((await saved(ports, scope, f"s{n} the thing")).id)
    for depth in (1, 2, 3):
        related = await related_memories(ports, scope, ids[0], depth)
        assert [(item.memory.id, item.depth) for item in related] == [
            (ids[n], n) for n in range(1, depth + 1)
        ]
    assert await related_memories(ports, scope, ids[0], 3, ["similar"]) == []
    await forget_memory(ports, scope, ids[1])
    assert await related_memories(ports, scope, ids[0], 3) == []
    with pytest.raises(Invalid, match="depth"):
        await related_memories(ports, scope, ids[0], 4)
    with pytest.raises(Invalid, match="relation"):
        await related_memories(ports, scope, ids[0], 1, ["likes"])


async def test_a_page_says_how_many_there_are(ports: Ports, scope: Scope) -> None:
    for content in ("Ada drinks tea.", "The build broke.", "Taxes are due."):
        await saved(ports, scope, content)
    page = await list_memories(ports, scope, MemoryChoice(), None, 2)
    assert (len(page.memories), page.total) == (2, 3)
    rest = await list_memories(ports, scope, MemoryChoice(), page.next, 2)
    assert (len(rest.memories), rest.total, rest.next) == (1, 3, None)
