"""Documents that are saved, deleted and restored at the same time wait for each other in turn."""

import asyncio

import pytest

from remem.core import db
from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.deleted.delete import delete_document
from remem.core.documents.deleted.restore import restore_document
from remem.core.documents.distil import distil_document
from remem.core.documents.forget import forget_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.tags import change_tags
from remem.core.ports import Ports
from remem.core.projects.manage import create_project
from remem.core.scope import Scope

pytestmark = pytest.mark.anyio

MANY = 12
SAID = "I own a boat called Zorvalia. I work at the harbour of Zorbrecht."


async def test_nothing_waits_for_what_waits_for_it(ports: Ports, scope: Scope) -> None:
    async def saved(number: int) -> None:
        text = f"The ferry number {number} leaves at noon. It carries forty cars."
        await ingest(ports, scope, Draft(text))

    async def deleted_and_back(number: int) -> None:
        found = await ingest(ports, scope, Draft(f"The tram number {number} is late again."))
        await delete_document(ports, scope, found.document.id)
        await restore_document(ports, scope, found.document.id)
        await forget_document(ports, scope, found.document.id)

    await asyncio.gather(
        *(saved(number) for number in range(MANY)),
        *(deleted_and_back(number) for number in range(MANY)),
    )


async def test_nor_where_documents_of_several_projects_say_the_same(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change that met another is not made again here: there is none."""
    monkeypatch.setattr(db, "_DEADLOCK_ATTEMPTS", 1)
    slugs = ("fleet", "yard")
    for slug in slugs:
        await create_project(ports, scope, slug)

    async def change(number: int) -> None:
        draft = Draft(f"{SAID} Note {number}.", project=slugs[number % 2])
        id = (await ingest(ports, scope, draft)).document.id
        await distil_document(ports, scope, id)
        for slug in slugs:
            edit = DocumentEdit(frozenset({"project"}), project=slug)
            await change_document(ports, scope, id, edit)
            await change_tags(ports, scope, id, added=[slug])
            await delete_document(ports, scope, id)
            await restore_document(ports, scope, id)

    await asyncio.gather(*(change(number) for number in range(MANY // 2)))
