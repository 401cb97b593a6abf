"""Memories in a project other than their document's: a change affects both projects."""

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
from tests.tools.waiting import until_async

pytestmark = pytest.mark.anyio
FACT = "I work at the harbour of Zorbrecht."


@pytest.fixture
def idle_ports(ports: Ports) -> Ports:
    return replace(ports, queue=IdleQueue())


async def distilled(ports: Ports, scope: Scope, content: str) -> Document:
    document = (await ingest(ports, scope, Draft(content))).document
    await distil_document(ports, scope, document.id)
    return document


async def only_memory(ports: Ports, scope: Scope) -> Memory:
    [memory] = (await list_memories(ports, scope, MemoryChoice(), None, 10)).memories
    return memory


async def move_by_hand(ports: Ports, scope: Scope, memory: Memory, project: Project) -> None:
    await edit_memory(
        ports, scope, memory.id, MemoryEdit(frozenset({"project"}), project=project.id)
    )


async def move(ports: Ports, scope: Scope, document: Document, slug: str) -> None:
    change = DocumentEdit(frozenset({"project"}), project=slug)
    await change_document(ports, scope, document.id, change)


async def generation(ports: Ports, scope: Scope, id: UUID) -> int:
    async with ports.db.transaction(scope) as tx:
        return await tx.system.fetchval("SELECT generation FROM projects WHERE id = $1", id)


async def test_a_memory_of_two_documents_moves_with_the_last_one(
    idle_ports: Ports, scope: Scope
) -> None:
    first = await distilled(idle_ports, scope, FACT)
    second = await distilled(idle_ports, scope, f"{FACT} Hello again.")
    fleet = await create_project(idle_ports, scope, "Fleet")
    before = await only_memory(idle_ports, scope)
    for document, project_id in ((first, before.project_id), (second, fleet.id)):
        await move(idle_ports, scope, document, "fleet")
        assert (await only_memory(idle_ports, scope)).project_id == project_id


async def test_a_memory_follows_the_last_document_of_its_project(
    idle_ports: Ports, scope: Scope
) -> None:
    first = await distilled(idle_ports, scope, FACT)
    second = await distilled(idle_ports, scope, f"{FACT} Hello again.")
    project_ids = {
        slug: (await create_project(idle_ports, scope, slug)).id
        for slug in ("fleet", "yard", "attic")
    }
    await move(idle_ports, scope, first, "fleet")
    memory = await only_memory(idle_ports, scope)
    assert (memory.project_id, memory.document_id) == (first.project_id, second.id)
    assert [place.document_id for place in places_of(memory)] == [second.id]
    for slug in ("yard", "attic"):
        await move(idle_ports, scope, second, slug)
        assert (await only_memory(idle_ports, scope)).project_id == project_ids[slug]
    await distil_document(idle_ports, scope, first.id)
    memories = (await list_memories(idle_ports, scope, MemoryChoice(), None, 10)).memories
    assert {memory.project_id for memory in memories} == {
        project_ids["fleet"],
        project_ids["attic"],
    }


@pytest.mark.parametrize("delete", [delete_document, forget_document])
async def test_a_project_that_loses_a_memory_has_changed(
    idle_ports: Ports, scope: Scope, delete: object
) -> None:
    """Its cached answers are not used again."""
    document = await distilled(idle_ports, scope, FACT)
    fleet = await create_project(idle_ports, scope, "Fleet")
    await move_by_hand(idle_ports, scope, await only_memory(idle_ports, scope), fleet)
    before = await generation(idle_ports, scope, fleet.id)
    await delete(idle_ports, scope, document.id)  # type: ignore[operator]
    assert await generation(idle_ports, scope, fleet.id) > before


async def test_a_memory_is_restored_where_it_was(idle_ports: Ports, scope: Scope) -> None:
    document = await distilled(idle_ports, scope, FACT)
    fleet = await create_project(idle_ports, scope, "Fleet")
    memory = await only_memory(idle_ports, scope)
    await move_by_hand(idle_ports, scope, memory, fleet)
    await delete_document(idle_ports, scope, document.id)
    before = await generation(idle_ports, scope, fleet.id)
    await restore_document(idle_ports, scope, document.id)
    assert (await get_memory(idle_ports, scope, memory.id)).project_id == fleet.id
    assert await generation(idle_ports, scope, fleet.id) > before


async def test_a_memory_whose_project_was_deleted_is_restored_in_its_documents_project(
    idle_ports: Ports, scope: Scope
) -> None:
    document = await distilled(idle_ports, scope, FACT)
    fleet = await create_project(idle_ports, scope, "Fleet")
    memory = await only_memory(idle_ports, scope)
    await move_by_hand(idle_ports, scope, memory, fleet)
    await delete_document(idle_ports, scope, document.id)
    await delete_project(idle_ports, scope, fleet.id)
    await restore_document(idle_ports, scope, document.id)
    assert (await get_memory(idle_ports, scope, memory.id)).project_id == document.project_id


async def test_a_restored_document_waits_for_the_projects_of_what_states_the_same(
    idle_ports: Ports, scope: Scope
) -> None:
    """It restores the memory that they state, too, while they may be changed or restored."""
    first = await distilled(idle_ports, scope, FACT)
    second = await distilled(idle_ports, scope, f"{FACT} Hello again.")
    fleet = await create_project(idle_ports, scope, "Fleet")
    await delete_document(idle_ports, scope, first.id)
    await move(idle_ports, scope, second, "fleet")
    await delete_document(idle_ports, scope, second.id)
    async with idle_ports.db.transaction(scope) as tx:
        await lock_project(tx, fleet.id)
        restoring = asyncio.create_task(restore_document(idle_ports, scope, first.id))

        async def waits() -> bool:
            return restoring.done() or await tx.connection.fetchval(
                "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"
            )

        await until_async(waits)
        assert not restoring.done()
    await restoring


async def test_two_deadlocked_transactions_are_both_committed(ports: Ports, scope: Scope) -> None:
    projects = [(await create_project(ports, scope, name)).id for name in ("Fleet", "Yard")]
    barrier = asyncio.Barrier(2)
    attempts = 0

    @retry_on_deadlock
    async def lock_both(first: UUID, second: UUID) -> None:
        nonlocal attempts
        attempts += 1
        async with ports.db.transaction(scope) as tx:
            await lock_project(tx, first)
            if attempts <= 2:
                await barrier.wait()
            await lock_project(tx, second)

    generations = [await generation(ports, scope, id) for id in projects]
    await asyncio.gather(lock_both(*projects), lock_both(*reversed(projects)))
    # One of them is retried, or both if each was aborted once.
    assert attempts > 2
    assert [await generation(ports, scope, id) for id in projects] == [n + 2 for n in generations]


async def test_repeated_deadlocks_end_in_an_error_that_says_to_try_again() -> None:
    attempts = 0

    @retry_on_deadlock
    async def deadlock() -> None:
        nonlocal attempts
        attempts += 1
        raise Deadlocked

    with pytest.raises(Deadlocked, match="try again"):
        await deadlock()
    assert attempts == 3
