"""A document that turns out to be a copy when it is read gives what it brings to the first one."""

from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft, SavedDocument
from remem.core.documents.process import process_document
from remem.core.documents.read import get_document
from remem.core.ports import Original, Ports
from remem.core.scope import Scope
from tests.surfaces.rest.test_uploads import pdf
from tests.tools.idle_queue import IdleQueue

pytestmark = pytest.mark.anyio
TEXT = "The ferry costs 4 euros."


@pytest.fixture
def idle(ports: Ports) -> Ports:
    """Jobs are run by the tests themselves."""
    return replace(ports, queue=IdleQueue())


async def read(ports: Ports, scope: Scope, id: UUID) -> Document:
    return (await get_document(ports, scope, id)).document


async def upload(
    ports: Ports, scope: Scope, folder: Path, name: str, content: bytes, **fields: object
) -> SavedDocument:
    path = folder / name
    path.write_bytes(content)
    fields = {"in_background": True, **fields}
    return await ingest(ports, scope, Draft(original=Original(path, name=name), **fields))  # type: ignore[arg-type]


async def test_its_tags_are_added_to_the_first(idle: Ports, scope: Scope, tmp_path: Path) -> None:
    first = (await ingest(idle, scope, Draft(content=TEXT, tags=["sea"]))).document
    late = await upload(idle, scope, tmp_path, "a.txt", TEXT.encode(), tags=["Sea", "prices"])
    assert not late.existing
    await process_document(idle, scope, late.document.id)
    assert (await read(idle, scope, late.document.id)).duplicate_of == first.id
    assert (await read(idle, scope, first.id)).tags == ["sea", "prices"]


async def test_a_connected_document_that_is_also_uploaded_is_the_persons(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    draft = Draft(content=TEXT, source="connection:notion", metadata={"connection_id": "1"})
    first = (await ingest(idle, scope, draft)).document
    late = await upload(idle, scope, tmp_path, "a.txt", TEXT.encode())
    await process_document(idle, scope, late.document.id)
    async with idle.db.transaction(scope) as tx:
        source = await tx.system.fetchval("SELECT source FROM documents WHERE id = $1", first.id)
    assert source == "api"


async def test_a_copy_with_its_own_original_adds_tags_to_the_first(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    """Also when the same file is saved a third time."""
    text = "The glacier lost forty metres."
    one = await upload(idle, scope, tmp_path, "one.pdf", pdf(text), title="Ice", tags=["ice"])
    await process_document(idle, scope, one.document.id)
    other = pdf(text) + b"\n%another printer\n"
    two = await upload(idle, scope, tmp_path, "two.pdf", other, tags=["north"])
    await process_document(idle, scope, two.document.id)
    assert (await read(idle, scope, two.document.id)).duplicate_of == one.document.id
    again = await upload(idle, scope, tmp_path, "two.pdf", other, title="Snow", tags=["melt"])
    assert (again.existing, again.added_tags, again.not_taken) == (True, ("melt",), ("title",))
    tags = (await read(idle, scope, one.document.id)).tags
    assert {"ice", "north", "melt"} <= set(tags)
