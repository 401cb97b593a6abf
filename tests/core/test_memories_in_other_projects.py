"""Memories in another project than the document that says them: both are changed in turn."""

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest

from remem.core.db import retry_on_deadlock
from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.deleted.delete import delete_document
from remem.core.documents.deleted.restore import restore_document
from remem.core.documents.distil import distil_document
from remem.core.documents.forget import forget_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft
from remem.core.errors import Deadlocked
from remem.core.memories.browse import get_memory, list_memories
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.evidence import places_of
from remem.core.memories.model import Memory, MemoryChoice
from remem.core.ports import Ports
from remem.core.projects.manage import create_project, delete_project, lock_project
from remem.core.projects.model import Project
from remem.core.scope import Scope
from tests.tools.idle_queue import IdleQueue

pytestmark = pytest.mark.anyio
FACT = "I work at the harbour of Zorbrecht."


@pytest.fixture
def idle(ports: Ports) -> Ports:
    return replace(ports, queue=IdleQueue())


async def distilled(ports: Ports, scope: Scope, content: str) -> Document:
    document = (await ingest(ports, scope, Draft(content))).document
    await distil_document(ports, scope, document.id)
    return document


async def only_memory(ports: Ports, scope: Scope) -> Memory:
    [memory] = (await list_memories(ports, scope, MemoryChoice(), None, 10)).memories
    return memory


async def moved_by_hand(ports: Ports, scope: Scope, memory: Memory, project: Project) -> None:
    await edit_memory(
        ports, scope, memory.id, MemoryEdit(frozenset({"project"}), project=project.id)
    )


async def move(ports: Ports, scope: Scope, document: Document, slug: str) -> None:
    change = DocumentEdit(frozenset({"project"}), project=slug)
    await change_document(ports, scope, document.id, change)


async def generation(ports: Ports, scope: Scope, id: UUID) -> int:
    async with ports.db.transaction(scope) as tx:
        return await tx.fetchval("SELECT generation FROM projects WHERE id = $1", id)


async def test_what_several_documents_say_moves_with_the_last_of_them(
    idle: Ports, scope: Scope
) -> None:
    first = await distilled(idle, scope, FACT)
    second = await distilled(idle, scope, f"{FACT} Hello again.")
    there = await create_project(idle, scope, "Fleet")
    before = await only_memory(idle, scope)
    for document, project_id in ((first, before.project_id), (second, there.id)):
        await move(idle, scope, document, "fleet")
        assert (await only_memory(idle, scope)).project_id == project_id


async def test_a_memory_follows_the_last_document_that_says_it_there(
    idle: Ports, scope: Scope
) -> None:
    first = await distilled(idle, scope, FACT)
    second = await distilled(idle, scope, f"{FACT} Hello again.")
    places = {
        slug: (await create_project(idle, scope, slug)).id for slug in ("fleet", "yard", "attic")
    }
    await move(idle, scope, first, "fleet")
    memory = await only_memory(idle, scope)
    assert (memory.project_id, memory.document_id) == (first.project_id, second.id)
    assert [place.document_id for place in places_of(memory)] == [second.id]
    for slug in ("yard", "attic"):
        await move(idle, scope, second, slug)
        assert (await only_memory(idle, scope)).project_id == places[slug]
    await distil_document(idle, scope, first.id)
    found = (await list_memories(idle, scope, MemoryChoice(), None, 10)).memories
    assert {one.project_id for one in found} == {places["fleet"], places["attic"]}


@pytest.mark.parametrize("delete", [delete_document, forget_document])
async def test_a_project_that_loses_a_memory_has_changed(
    idle: Ports, scope: Scope, delete: object
) -> None:
    """What was answered from it before is not answered again."""
    document = await distilled(idle, scope, FACT)
    there = await create_project(idle, scope, "Fleet")
    await moved_by_hand(idle, scope, await only_memory(idle, scope), there)
    before = await generation(idle, scope, there.id)
    await delete(idle, scope, document.id)  # type: ignore[operator]
    assert await generation(idle, scope, there.id) > before


async def test_a_memory_is_restored_where_it_was(idle: Ports, scope: Scope) -> None:
    document = await distilled(idle, scope, FACT)
    there = await create_project(idle, scope, "Fleet")
    memory = await only_memory(idle, scope)
    await moved_by_hand(idle, scope, memory, there)
    await delete_document(idle, scope, document.id)
    before = await generation(idle, scope, there.id)
    await restore_document(idle, scope, document.id)
    assert (await get_memory(idle, scope, memory.id)).project_id == there.id
    assert await generation(idle, scope, there.id) > before


async def test_a_memory_whose_project_is_gone_is_restored_beside_its_document(
    idle: Ports, scope: Scope
) -> None:
    document = await distilled(idle, scope, FACT)
    there = await create_project(idle, scope, "Fleet")
    memory = await only_memory(idle, scope)
    await moved_by_hand(idle, scope, memory, there)
    await delete_document(idle, scope, document.id)
    await delete_project(idle, scope, there.id)
    await restore_document(idle, scope, document.id)
    assert (await get_memory(idle, scope, memory.id)).project_id == document.project_id


async def test_of_two_that_wait_for_each_other_both_are_made(ports: Ports, scope: Scope) -> None:
    projects = [(await create_project(ports, scope, name)).id for name in ("Fleet", "Yard")]
    waiting = asyncio.Barrier(2)
    attempts = 0

    @retry_on_deadlock
    async def lock_both(first: UUID, second: UUID) -> None:
        nonlocal attempts
        attempts += 1
        async with ports.db.transaction(scope) as tx:
            await lock_project(tx, scope, first)
            if attempts <= 2:
                await waiting.wait()
            await lock_project(tx, scope, second)

    before = [await generation(ports, scope, id) for id in projects]
    await asyncio.gather(lock_both(*projects), lock_both(*reversed(projects)))
    # One of them is made again; both are where each is chosen to give way.
    assert attempts > 2
    assert [await generation(ports, scope, id) for id in projects] == [n + 2 for n in before]


async def test_who_waits_for_another_again_and_again_is_told_to_try_later() -> None:
    attempts = 0

    @retry_on_deadlock
    async def unlucky() -> None:
        nonlocal attempts
        attempts += 1
        raise Deadlocked

    with pytest.raises(Deadlocked, match="try again"):
        await unlucky()
    assert attempts == 3
