"""What somebody changes on a document while its file is read, which may take minutes, is kept."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.process import process_document
from remem.core.documents.read import get_document
from remem.core.extraction_ports import Extracted
from remem.core.ports import Original, Ports
from remem.core.scope import Scope
from tests.tools.idle_queue import IdleQueue

pytestmark = pytest.mark.anyio
TEXT = b"The ferry costs 4 euros."


@dataclass(frozen=True)
class Interrupted:
    """Reads a file, and then something happens before the text is stored."""

    reader: Any
    then: Callable[[], Awaitable[object]]

    async def extract(self, original: Original, **options: Any) -> Extracted:
        extracted = await self.reader.extract(original, **options)
        await self.then()
        return extracted

    async def close(self) -> None: ...


@pytest.mark.parametrize(
    ("edit", "kept"),
    [
        ({"title": "Ferry"}, {"title": "Ferry"}),
        ({"tags": ["sea", "price"]}, {"tags": ["sea", "price"]}),
        ({"tags": []}, {"tags": []}),
        ({"metadata": {"author": "Ann"}}, {"author": "Ann", "from": None}),
        ({"mine": True}, {"speaker": "user", "from": "web"}),
        ({"title": "Ferry", "mine": True}, {"title": "Ferry", "speaker": "user"}),
    ],
)
async def test_an_edit_is_kept(
    ports: Ports, scope: Scope, tmp_path: Path, edit: dict[str, Any], kept: dict[str, Any]
) -> None:
    path = tmp_path / "prices.txt"
    path.write_bytes(TEXT)
    fields: dict[str, Any] = {"metadata": {"from": "web"}, "tags": ["boat"]}
    idle = replace(ports, queue=IdleQueue())
    draft = Draft(original=Original(path, name=path.name), in_background=True, **fields)
    id = (await ingest(idle, scope, draft)).document.id

    async def change() -> None:
        await change_document(idle, scope, id, DocumentEdit(frozenset(edit), **edit))

    await process_document(replace(idle, extractor=Interrupted(ports.extractor, change)), scope, id)
    document = (await get_document(ports, scope, id)).document
    assert document.content == TEXT.decode() and document.status == "done"
    for name, value in kept.items():
        found = getattr(document, name) if hasattr(document, name) else document.metadata.get(name)
        assert found == value, name
    assert document.metadata["category"] == "note"
