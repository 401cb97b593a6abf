"""A document is deleted and restored while a job works on it: it is done in the end, and whole."""

from uuid import UUID

import pytest

from remem.core.documents import process
from remem.core.documents.chunks import store as chunk_store
from remem.core.documents.distil import JOB as DISTIL
from remem.core.documents.process import JOB as PROCESS
from remem.core.documents.process import process_document
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.conftest import Person
from tests.core.memories import settled_jobs
from tests.surfaces.rest.test_undo_delete import delete, done, read, restore, scope_of, statements
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

PLACES = ("Ghent", "Leuven", "Antwerp", "Bruges")
TEXT = " ".join(f"Anna bought {n} green chairs in {place}." for n, place in enumerate(PLACES, 3))


async def saved(person: Person, ports: Ports, **fields: str) -> UUID:
    id = UUID(person.save(TEXT, **fields)["id"])
    await settled_jobs(ports, scope_of(person), id)
    until(lambda: len(statements(person, str(id))) == len(PLACES))
    return id


async def begin_job(ports: Ports, scope: Scope, name: str, subject_id: UUID) -> UUID:
    """A job that a worker has begun, and that has read already what it works on."""
    id = new_id()
    async with ports.db.transaction(scope) as tx:
        await tx.execute(
            "INSERT INTO jobs (tenant_id, id, user_id, name, subject_id, status)"
            " VALUES ($1, $2, $3, $4, $5, 'processing')",
            scope.tenant_id,
            id,
            scope.user_id,
            name,
            subject_id,
        )
    return id


@pytest.mark.parametrize("name", [PROCESS, DISTIL, "sum_up_document"])
async def test_a_job_that_runs_already_is_not_waited_for(
    keeper: Person, ports: Ports, name: str
) -> None:
    id, scope = await saved(keeper, ports), scope_of(keeper)
    running = await begin_job(ports, scope, name, id)
    delete(keeper, str(id))
    await _erase_deleted(ports, scope, "memory")
    restore(keeper, str(id))
    done(keeper, str(id))
    until(lambda: len(statements(keeper, str(id))) == len(PLACES))
    async with ports.db.transaction(scope) as tx:
        assert await tx.fetchval("SELECT status FROM jobs WHERE id = $1", running) == "processing"


async def _erase_deleted(ports: Ports, scope: Scope, kind: str) -> None:
    """As if the document had been deleted before these were written."""
    async with ports.db.transaction(scope) as tx:
        await tx.execute("DELETE FROM deleted_rows WHERE kind = $1", kind)


async def test_a_document_is_not_done_while_it_lacks_vectors(
    keeper: Person, ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, scope = await saved(keeper, ports), scope_of(keeper)
    await _embedding_again(ports, scope, id)
    without_vector, found = chunk_store.without_vector, []

    async def deleted_and_restored_since(*args: object) -> object:
        found.append(await without_vector(*args))  # type: ignore[arg-type]
        return [] if len(found) == 1 else found[-1]

    monkeypatch.setattr(process.chunk_store, "without_vector", deleted_and_restored_since)
    await process_document(ports, scope, id)
    assert found[0] and read(keeper, str(id))["status"] == "done"
    assert await without_vector_of(ports, scope, id) == 0


async def _embedding_again(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.execute("UPDATE documents SET status = 'embedding' WHERE id = $1", id)
        await tx.execute("UPDATE chunks SET embedded_with = NULL WHERE document_id = $1", id)


async def without_vector_of(ports: Ports, scope: Scope, id: UUID) -> int:
    async with ports.db.transaction(scope) as tx:
        return await tx.fetchval(
            "SELECT count(*) FROM chunks WHERE document_id = $1 AND embedded_with IS NULL", id
        )


async def test_a_document_that_no_job_works_on_is_tried_again(keeper: Person, ports: Ports) -> None:
    id, scope = await saved(keeper, ports), scope_of(keeper)
    await _embedding_again(ports, scope, id)
    reply = keeper.post(f"/v3/documents/{id}/retry", {})
    assert reply.status_code == 202 and reply.json()["job_id"], reply.text
    done(keeper, str(id))
    assert keeper.post(f"/v3/documents/{id}/retry", {}).json()["job_id"] is None


async def test_a_document_that_a_job_works_on_is_not_tried_again(
    keeper: Person, ports: Ports
) -> None:
    id, scope = await saved(keeper, ports), scope_of(keeper)
    await _embedding_again(ports, scope, id)
    await begin_job(ports, scope, PROCESS, id)
    assert keeper.post(f"/v3/documents/{id}/retry", {}).json()["job_id"] is None
