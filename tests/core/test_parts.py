"""The parts of a memory are inside it: a thing is found once, and due once for each of its days."""

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
from tests.core.memories import by_word, contents, count, save

pytestmark = pytest.mark.anyio

OUT, BACK = datetime.now(UTC) + timedelta(days=20), datetime.now(UTC) + timedelta(days=24)
FLIGHT = f"I fly to Oslo on {OUT:%d %B %Y} and I return on {BACK:%d %B %Y}. Seat 14A is mine."


async def flight(ports: Ports, scope: Scope) -> Memory:
    whole = (await save(ports, scope, FLIGHT)).memory
    assert len((await derive_memory(ports, scope, whole.id)).facts) > 1
    return whole


async def due(ports: Ports, scope: Scope) -> list[str]:
    return [f"{one.due_at:%d %B %Y}" for one in await upcoming(ports, scope, None, 10)]


async def test_a_thing_is_listed_and_found_once_and_due_once_a_day(
    ports: Ports, scope: Scope
) -> None:
    whole = await flight(ports, scope)
    assert await contents(ports, scope) == [FLIGHT]
    assert await by_word(ports, scope, "Oslo") == [whole.id]
    hits = (await find(ports, scope, Query("When do I fly to Oslo?", None))).hits
    assert [memory.id for hit in hits for memory in hit.memories] == [whole.id]
    assert await due(ports, scope) == [f"{OUT:%d %B %Y}", f"{BACK:%d %B %Y}"]
    parts = await upcoming(ports, scope, None, 10)
    assert {one.part_of for one in parts} == {whole.id}


async def test_what_is_said_again_leads_to_the_memory(ports: Ports, scope: Scope) -> None:
    whole = await flight(ports, scope)
    saved = await save(ports, scope, "Seat 14A is mine.")
    assert (saved.status, saved.memory.id) == ("duplicate", whole.id)


async def test_parts_go_where_their_memory_goes(ports: Ports, scope: Scope) -> None:
    whole = await flight(ports, scope)
    await forget_memory(ports, scope, whole.id)
    assert await due(ports, scope) == []
    await restore_memory(ports, scope, whole.id)
    assert len(await due(ports, scope)) == 2
    later = f"I fly to Oslo on {BACK:%d %B %Y}."
    await edit_memory(ports, scope, whole.id, MemoryEdit(frozenset({"content"}), content=later))
    assert await due(ports, scope) == [f"{BACK:%d %B %Y}"]
    await erase_memory(ports, scope, whole.id)
    assert await count(ports, scope, "memories") == 0


async def test_a_memory_that_is_done_has_no_part_left_to_do(ports: Ports, scope: Scope) -> None:
    whole = await flight(ports, scope)
    done = MemoryEdit(frozenset({"context"}), context={"done": "2026-11-16"})
    [first, _] = await upcoming(ports, scope, None, 10)
    await edit_memory(ports, scope, first.id, done)
    assert await due(ports, scope) == [f"{BACK:%d %B %Y}"]
    await edit_memory(ports, scope, whole.id, done)
    assert await due(ports, scope) == []


async def test_a_part_says_what_its_memory_says(ports: Ports, scope: Scope) -> None:
    await flight(ports, scope)
    [part, _] = await upcoming(ports, scope, None, 10)
    assert (await get_memory(ports, scope, part.id)).part_of == part.part_of
    with pytest.raises(Conflict):
        await edit_memory(ports, scope, part.id, MemoryEdit(frozenset({"content"}), content="No."))


async def test_derivation_is_listed_and_undone(ports: Ports, scope: Scope) -> None:
    text = f"The voucher is valid until {BACK:%d %B %Y}. Ann lives in Rome and Bob works at ACME."
    whole = (await save(ports, scope, text)).memory
    before = await get_memory(ports, scope, whole.id)
    await derive_memory(ports, scope, whole.id)
    changed = await get_memory(ports, scope, whole.id)
    assert changed.valid_until and changed.updated_at != before.updated_at
    [done], _ = await list_consolidations(ports, scope, "derive", None, None, 10)
    assert done.memory_id == whole.id and len(done.before["parts"]) > 1
    await undo_consolidation(ports, scope, done.id)
    after = await get_memory(ports, scope, whole.id)
    assert (after.valid_until, after.updated_at) == (None, before.updated_at)
    assert await count(ports, scope, "memories") == 1
    with pytest.raises(Conflict):
        await undo_consolidation(ports, scope, done.id)
