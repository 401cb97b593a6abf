"""A document that is deleted and restored while a job works on it is completed in the end."""

from uuid import UUID

import pytest

from remem.core.documents import process
from remem.core.documents.chunks import chunk_store
from remem.core.documents.distil import JOB as DISTIL
from remem.core.documents.process import JOB as PROCESS
from remem.core.documents.process import process_document
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.conftest import Person
from tests.core.memories import wait_for_jobs
from tests.surfaces.rest.test_undo_delete import (
    delete,
    read,
    restore,
    scope_of,
    statements,
    wait_until_done,
)
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

PLACES = ("Ghent", "Leuven", "Antwerp", "Bruges")
TEXT = " ".join(f"Anna bought {n} green chairs in {place}." for n, place in enumerate(PLACES, 3))


async def save_and_settle(person: Person, ports: Ports, **fields: str) -> UUID:
    id = UUID(person.save(TEXT, **fields)["id"])
    await wait_for_jobs(ports, scope_of(person), id)
    until(lambda: len(statements(person, str(id))) == len(PLACES))
    return id


async def begin_job(ports: Ports, scope: Scope, name: str, subject_id: UUID) -> UUID:
    """Insert a job that a worker has begun, after it read its document."""
    id = new_id()
    async with ports.db.transaction(scope) as tx:
        await tx.execute(
            "INSERT INTO jobs (tenant_id, id, user_id, name, subject_id, status)"
            " VALUES ($1, $2, $3, $4, $5, 'processing')",
            id,
            scope.user_id,
            name,
            subject_id,
        )
    return id


@pytest.mark.parametrize("name", [PROCESS, DISTIL, "sum_up_document"])
async def test_a_running_job_does_not_block_a_restore(
    user: Person, ports: Ports, name: str
) -> None:
    id, scope = await save_and_settle(user, ports), scope_of(user)
    running = await begin_job(ports, scope, name, id)
    delete(user, str(id))
    await _erase_deleted(ports, scope, "memory")
    restore(user, str(id))
    wait_until_done(user, str(id))
    until(lambda: len(statements(user, str(id))) == len(PLACES))
    async with ports.db.transaction(scope) as tx:
        assert (
            await tx.system.fetchval("SELECT status FROM jobs WHERE id = $1", running)
            == "processing"
        )


async def _erase_deleted(ports: Ports, scope: Scope, kind: str) -> None:
    """Make it look as if the document had been deleted before these rows were written."""
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute("DELETE FROM deleted_rows WHERE kind = $1", kind)


async def test_a_document_is_not_done_while_it_lacks_vectors(
    user: Person, ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, scope = await save_and_settle(user, ports), scope_of(user)
    await _reset_to_embedding(ports, scope, id)
    without_vector, results = chunk_store.without_vector, []

    async def nothing_the_first_time(*args: object) -> object:
        results.append(await without_vector(*args))  # type: ignore[arg-type]
        return [] if len(results) == 1 else results[-1]

    monkeypatch.setattr(process.chunk_store, "without_vector", nothing_the_first_time)
    await process_document(ports, scope, id)
    assert results[0] and read(user, str(id))["status"] == "done"
    assert await count_without_vector(ports, scope, id) == 0


async def _reset_to_embedding(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE documents SET status = 'embedding' WHERE id = $1", id)
        await tx.system.execute("UPDATE chunks SET embedded_with = NULL WHERE document_id = $1", id)


async def count_without_vector(ports: Ports, scope: Scope, id: UUID) -> int:
    async with ports.db.transaction(scope) as tx:
        return await tx.system.fetchval(
            "SELECT count(*) FROM chunks WHERE document_id = $1 AND embedded_with IS NULL", id
        )


async def test_a_document_without_a_job_is_retried(user: Person, ports: Ports) -> None:
    id, scope = await save_and_settle(user, ports), scope_of(user)
    await _reset_to_embedding(ports, scope, id)
    reply = user.post(f"/v3/documents/{id}/retry", {})
    assert reply.status_code == 202 and reply.json()["job_id"], reply.text
    wait_until_done(user, str(id))
    assert user.post(f"/v3/documents/{id}/retry", {}).json()["job_id"] is None


async def test_a_document_with_a_running_job_is_not_retried(user: Person, ports: Ports) -> None:
    id, scope = await save_and_settle(user, ports), scope_of(user)
    await _reset_to_embedding(ports, scope, id)
    await begin_job(ports, scope, PROCESS, id)
    assert user.post(f"/v3/documents/{id}/retry", {}).json()["job_id"] is None
