"""A document that is still being read and is saved again becomes a version with its own text."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft
from remem.core.documents.process import process_document
from remem.core.documents.read import get_document
from remem.core.documents.receive import INLINE_BYTES
from remem.core.errors import Unreadable
from remem.core.ports import Original, Ports
from remem.core.scope import Scope
from tests.tools.idle_queue import IdleQueue

pytestmark = pytest.mark.anyio
URL = "https://example.org/prices"
FIRST, SECOND, THIRD = (f"The ferry costs {price} euros." for price in (4, 7, 9))


@pytest.fixture
def idle(ports: Ports) -> Ports:
    """Jobs are run by the tests themselves."""
    return replace(ports, queue=IdleQueue())


async def save(ports: Ports, scope: Scope, content: str, **fields: Any) -> Document:
    return (await ingest(ports, scope, Draft(content=content, **fields))).document


async def upload(
    ports: Ports, scope: Scope, folder: Path, content: str | bytes, **fields: Any
) -> Document:
    """A document that waits to be read."""
    path = folder / "prices.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    draft = Draft(original=Original(path, name=path.name), in_background=True, **fields)
    document = (await ingest(ports, scope, draft)).document
    assert not document.is_read
    return document


async def process(ports: Ports, scope: Scope, *documents: Document) -> None:
    for document in documents:
        await process_document(ports, scope, document.id)


async def read(ports: Ports, scope: Scope, id: UUID) -> Document:
    return (await get_document(ports, scope, id)).document


async def texts(ports: Ports, scope: Scope) -> list[tuple[str, int, bool, str]]:
    """The text, version, whether it is the latest, and status of all documents."""
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch(
            "SELECT content, version, is_latest, status FROM documents ORDER BY version"
        )
        chains = await tx.system.fetchval("SELECT count(DISTINCT root_id) FROM documents")
    assert chains == 1, rows
    return [tuple(row.values()) for row in rows]


def history(*contents: str) -> list[tuple[str, int, bool, str]]:
    last = len(contents)
    return [(text, at, at == last, "done") for at, text in enumerate(contents, 1)]


async def test_a_text_replaces_a_file_that_is_not_read_yet(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    first = await upload(idle, scope, tmp_path, FIRST)
    second = await save(idle, scope, SECOND, updates_id=first.id)
    assert (second.version, second.title) == (2, SECOND)
    assert (await read(idle, scope, first.id)).status == "queued"
    await process(idle, scope, first)
    assert await texts(idle, scope) == history(FIRST, SECOND)


async def test_the_file_keeps_its_given_title_in_the_new_version(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    first = await upload(idle, scope, tmp_path, FIRST, title="Ferry")
    assert (await save(idle, scope, SECOND, updates_id=first.id)).title == "Ferry"


async def test_a_change_of_the_text_of_a_file_that_is_not_read_yet(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    first = await upload(idle, scope, tmp_path, FIRST)
    change = DocumentEdit(fields=frozenset({"content"}), content=SECOND)
    await change_document(idle, scope, first.id, change)
    await process(idle, scope, first)
    assert await texts(idle, scope) == history(FIRST, SECOND)


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_files_that_replace_each_other_are_read_in_any_order(
    idle: Ports, scope: Scope, tmp_path: Path, order: tuple[int, ...]
) -> None:
    first = await upload(idle, scope, tmp_path, FIRST)
    second = await upload(idle, scope, tmp_path, SECOND, updates_id=first.id)
    third = await upload(idle, scope, tmp_path, THIRD, updates_id=second.id)
    await process(idle, scope, *((first, second, third)[at] for at in order))
    assert await texts(idle, scope) == history(FIRST, SECOND, THIRD)


async def test_a_text_replaces_a_file_that_will_replace_another_document(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    first = await save(idle, scope, FIRST)
    second = await upload(idle, scope, tmp_path, SECOND, updates_id=first.id)
    third = await save(idle, scope, THIRD, updates_id=second.id)
    async with idle.db.transaction(scope) as tx:
        current = await tx.system.fetch(
            "SELECT id FROM documents WHERE is_latest AND content <> ''"
        )
    assert [row["id"] for row in current] == [third.id]
    await process(idle, scope, second)
    assert await texts(idle, scope) == history(FIRST, SECOND, THIRD)


async def test_a_text_at_the_url_of_a_file_that_is_not_read_yet(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    first = await upload(idle, scope, tmp_path, FIRST, source_url=URL)
    await save(idle, scope, SECOND, source_url=URL)
    await process(idle, scope, first)
    assert await texts(idle, scope) == history(FIRST, SECOND)


async def test_a_version_by_id_while_its_url_has_an_older_document(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    await save(idle, scope, FIRST, source_url=URL)
    second = await upload(idle, scope, tmp_path, SECOND, source_url=URL)
    await save(idle, scope, THIRD, updates_id=second.id)
    await process(idle, scope, second)
    assert await texts(idle, scope) == history(FIRST, SECOND, THIRD)


async def test_a_file_that_repeats_a_document_is_replaced_with_it(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    await save(idle, scope, FIRST)
    again = await upload(idle, scope, tmp_path, FIRST)
    await save(idle, scope, SECOND, updates_id=again.id)
    await process(idle, scope, again)
    assert await texts(idle, scope) == history(FIRST, FIRST, SECOND)


async def test_a_version_of_a_copy_is_one_of_the_document_with_its_text(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    first = await save(idle, scope, FIRST)
    copy = await upload(idle, scope, tmp_path, FIRST)
    await process(idle, scope, copy)
    assert (await read(idle, scope, copy.id)).duplicate_of == first.id
    second = await save(idle, scope, SECOND, updates_id=copy.id)
    assert (second.root_id, second.version) == (first.root_id, 2)
    assert not (await read(idle, scope, first.id)).is_latest


async def test_a_text_that_is_being_cut_keeps_its_text(idle: Ports, scope: Scope) -> None:
    long = "# Prices\n\n" + "The ferry leaves at noon from the pier.\n" * (INLINE_BYTES // 20)
    first = await save(idle, scope, long, in_background=True)
    assert first.status != "done"
    await save(idle, scope, SECOND, updates_id=first.id)
    await process(idle, scope, first)
    assert await texts(idle, scope) == history(long.strip(), SECOND)


async def test_a_replaced_file_that_cannot_be_read_says_so(
    idle: Ports, scope: Scope, tmp_path: Path
) -> None:
    first = await upload(idle, scope, tmp_path, b"%PDF-1.7 broken \x00")
    second = await save(idle, scope, SECOND, updates_id=first.id)
    with pytest.raises(Unreadable):
        await process(idle, scope, first)
    assert (await read(idle, scope, second.id)).version == 2
