"""Documents that are saved, deleted and restored concurrently take their locks in one order."""

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

COUNT = 12
STATEMENTS = "I own a boat called Zorvalia. I work at the harbour of Zorbrecht."


async def test_concurrent_changes_do_not_deadlock(ports: Ports, scope: Scope) -> None:
    async def save(number: int) -> None:
        text = f"The ferry number {number} leaves at noon. It carries forty cars."
        await ingest(ports, scope, Draft(text))

    async def delete_and_restore(number: int) -> None:
        saved = await ingest(ports, scope, Draft(f"The tram number {number} is late again."))
        await delete_document(ports, scope, saved.document.id)
        await restore_document(ports, scope, saved.document.id)
        await forget_document(ports, scope, saved.document.id)

    await asyncio.gather(
        *(save(number) for number in range(COUNT)),
        *(delete_and_restore(number) for number in range(COUNT)),
    )


async def test_concurrent_changes_of_shared_memories_do_not_deadlock(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Retries are switched off, so a deadlock would fail the test."""
    monkeypatch.setattr(db, "_DEADLOCK_ATTEMPTS", 1)
    slugs = ("fleet", "yard")
    for slug in slugs:
        await create_project(ports, scope, slug)

    async def change(number: int) -> None:
        draft = Draft(f"{STATEMENTS} Note {number}.", project=slugs[number % 2])
        id = (await ingest(ports, scope, draft)).document.id
        await distil_document(ports, scope, id)
        for slug in slugs:
            fields = frozenset({"project", "title"})
            edit = DocumentEdit(fields, project=slug, title=f"Note {number} of the {slug}")
            await change_document(ports, scope, id, edit)
            await change_tags(ports, scope, id, added=[slug])
            await delete_document(ports, scope, id)
            await restore_document(ports, scope, id)

    await asyncio.gather(*(change(number) for number in range(COUNT // 2)))
