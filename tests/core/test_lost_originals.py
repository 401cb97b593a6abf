"""The row of an original that a crash lost is made again from the stored bytes."""

from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from remem.core.blobs.read import DamagedOriginal
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft
from remem.core.documents.originals import get_original
from remem.core.documents.process import process_document, show_failure
from remem.core.documents.read import get_document
from remem.core.documents.repair import repair_originals
from remem.core.documents.retry import retry_document
from remem.core.errors import NotFound, Unreadable
from remem.core.jobs.run import Failure
from remem.core.ports import Original, Ports
from remem.core.scope import Scope
from tests.surfaces.rest.test_uploads import pdf
from tests.tools.idle_queue import IdleQueue

pytestmark = pytest.mark.anyio

CONTENT = pdf("The glacier lost forty metres.")
HARBOUR = pdf("The harbour froze over in March.")


@pytest.fixture
def idle(ports: Ports) -> Ports:
    """Jobs are run by the tests themselves."""
    return replace(ports, queue=IdleQueue())


def draft(folder: Path, content: bytes = CONTENT) -> Draft:
    path = folder / "ice.pdf"
    path.write_bytes(content)
    return Draft(original=Original(path, name="ice.pdf"), in_background=True)


async def save(ports: Ports, scope: Scope, folder: Path) -> UUID:
    """Save a document whose text is not read yet, then lose the row of its original."""
    id = (await ingest(ports, scope, draft(folder))).document.id
    await lose_row(ports, scope)
    return id


async def lose_row(ports: Ports, scope: Scope) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.execute("DELETE FROM blobs WHERE tenant_id = $1")


async def fail(ports: Ports, scope: Scope, id: UUID) -> None:
    await show_failure(ports, scope, id, Failure("an earlier version gave up", is_final=True))


async def read(ports: Ports, scope: Scope, id: UUID) -> Document:
    await process_document(ports, scope, id)
    return (await get_document(ports, scope, id)).document


async def original_of(ports: Ports, scope: Scope, id: UUID) -> bytes:
    _, stream = await get_original(ports, scope, id)
    return b"".join([part async for part in stream])


async def test_a_document_is_read_without_the_row(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    document = await read(idle, scope, await save(idle, scope, tmp_path))
    assert document.status == "done" and "glacier" in document.content
    assert await original_of(idle, scope, document.id) == CONTENT


async def test_a_failed_document_is_repaired_by_a_retry(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    id = await save(idle, scope, tmp_path)
    await fail(idle, scope, id)
    assert (await retry_document(idle, scope, id))[0] == "queued"
    assert (await read(idle, scope, id)).status == "done"


async def test_documents_are_repaired_at_the_start(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    """Also those that are done: their originals would be missing in backups."""
    failed_id = await save(idle, scope, tmp_path)
    await fail(idle, scope, failed_id)
    done = await ingest(idle, scope, draft(tmp_path, HARBOUR))
    await read(idle, scope, done.document.id)
    await lose_row(idle, scope)
    assert await repair_originals(idle) == 2
    assert (await read(idle, scope, failed_id)).status == "done"
    assert await original_of(idle, scope, done.document.id) == HARBOUR
    assert await repair_originals(idle) == 0


async def test_other_bytes_are_not_taken_for_the_original(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    id = await save(idle, scope, tmp_path)
    other = tmp_path / "other"
    other.write_bytes(pdf("Something else."))
    await idle.blobs.put(f"{scope.tenant_id}/{id}", other)
    with pytest.raises(DamagedOriginal):
        await process_document(idle, scope, id)
    assert await repair_originals(idle) == 0


async def test_without_the_bytes_the_error_says_what_to_do(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    id = await save(idle, scope, tmp_path)
    await idle.blobs.delete(f"{scope.tenant_id}/{id}")
    with pytest.raises(Unreadable, match="save the file again"):
        await process_document(idle, scope, id)
    with pytest.raises(NotFound):
        await get_original(idle, scope, id)
    await fail(idle, scope, id)
    again = await ingest(idle, scope, draft(tmp_path))
    assert (again.document.id, again.document.status) == (id, "queued")
    assert (await read(idle, scope, id)).status == "done"
    assert await original_of(idle, scope, id) == CONTENT
