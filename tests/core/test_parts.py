"""Parts of a memory: the memory is listed and found once, and is due once for each of its days."""

from datetime import UTC, datetime, timedelta

import pytest

from remem.core.errors import Conflict
from remem.core.memories.browse import get_memory, upcoming
from remem.core.memories.consolidation.undo import list_consolidations, undo_consolidation
from remem.core.memories.derive import derive_memory
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import erase_memory, forget_memory
from remem.core.memories.model import Memory
from remem.core.memories.versions.restore import restore_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query
from tests.core.memories import contents, count, match_by_word, save

pytestmark = pytest.mark.anyio

OUT, BACK = datetime.now(UTC) + timedelta(days=20), datetime.now(UTC) + timedelta(days=24)
FLIGHT = f"I fly to Oslo on {OUT:%d %B %Y} and I return on {BACK:%d %B %Y}. Seat 14A is mine."


async def save_flight(ports: Ports, scope: Scope) -> Memory:
    memory = (await save(ports, scope, FLIGHT)).memory
    assert len((await derive_memory(ports, scope, memory.id)).facts) > 1
    return memory


async def due_days(ports: Ports, scope: Scope) -> list[str]:
    return [f"{memory.due_at:%d %B %Y}" for memory in await upcoming(ports, scope, None, 10)]


async def test_a_memory_is_listed_and_found_once_and_due_on_each_of_its_days(
    ports: Ports, scope: Scope
) -> None:
    memory = await save_flight(ports, scope)
    assert await contents(ports, scope) == [FLIGHT]
    assert await match_by_word(ports, scope, "Oslo") == [memory.id]
    hits = (await find(ports, scope, Query("When do I fly to Oslo?", None))).hits
    assert [found.id for hit in hits for found in hit.memories] == [memory.id]
    assert await due_days(ports, scope) == [f"{OUT:%d %B %Y}", f"{BACK:%d %B %Y}"]
    parts = await upcoming(ports, scope, None, 10)
    assert {part.part_of for part in parts} == {memory.id}


async def test_a_repeated_part_is_a_duplicate_of_the_memory(ports: Ports, scope: Scope) -> None:
    memory = await save_flight(ports, scope)
    saved = await save(ports, scope, "Seat 14A is mine.")
    assert (saved.status, saved.memory.id) == ("duplicate", memory.id)


async def test_parts_are_deleted_and_restored_with_their_memory(ports: Ports, scope: Scope) -> None:
    memory = await save_flight(ports, scope)
    await forget_memory(ports, scope, memory.id)
    assert await due_days(ports, scope) == []
    await restore_memory(ports, scope, memory.id)
    assert len(await due_days(ports, scope)) == 2
    later = f"I fly to Oslo on {BACK:%d %B %Y}."
    await edit_memory(ports, scope, memory.id, MemoryEdit(frozenset({"content"}), content=later))
    assert await due_days(ports, scope) == [f"{BACK:%d %B %Y}"]
    await erase_memory(ports, scope, memory.id)
    assert await count(ports, scope, "memories") == 0


async def test_a_memory_that_is_done_has_no_upcoming_part(ports: Ports, scope: Scope) -> None:
    memory = await save_flight(ports, scope)
    done = MemoryEdit(frozenset({"context"}), context={"done": "2026-11-16"})
    [first, _] = await upcoming(ports, scope, None, 10)
    await edit_memory(ports, scope, first.id, done)
    assert await due_days(ports, scope) == [f"{BACK:%d %B %Y}"]
    await edit_memory(ports, scope, memory.id, done)
    assert await due_days(ports, scope) == []


async def test_the_content_of_a_part_cannot_be_edited(ports: Ports, scope: Scope) -> None:
    await save_flight(ports, scope)
    [part, _] = await upcoming(ports, scope, None, 10)
    assert (await get_memory(ports, scope, part.id)).part_of == part.part_of
    with pytest.raises(Conflict):
        await edit_memory(ports, scope, part.id, MemoryEdit(frozenset({"content"}), content="No."))


async def test_derivation_is_listed_and_undone(ports: Ports, scope: Scope) -> None:
    text = f"The voucher is valid until {BACK:%d %B %Y}. Ann lives in Rome and Bob works at ACME."
    memory = (await save(ports, scope, text)).memory
    # A memory of an older version has no end yet.
    before = await edit_memory(ports, scope, memory.id, MemoryEdit(frozenset({"valid_until"})))
    await derive_memory(ports, scope, memory.id)
    changed = await get_memory(ports, scope, memory.id)
    assert changed.valid_until and changed.updated_at != before.updated_at
    [consolidation], _ = await list_consolidations(ports, scope, "derive", None, None, 10)
    assert consolidation.memory_id == memory.id and len(consolidation.before["parts"]) > 1
    await undo_consolidation(ports, scope, consolidation.id)
    after = await get_memory(ports, scope, memory.id)
    assert (after.valid_until, after.updated_at) == (None, before.updated_at)
    assert await count(ports, scope, "memories") == 1
    with pytest.raises(Conflict):
        await undo_consolidation(ports, scope, consolidation.id)
