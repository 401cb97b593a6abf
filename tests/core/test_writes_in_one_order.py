"""Documents that are saved, deleted and restored at the same time wait for each other in turn."""

import asyncio

import pytest

from remem.core.documents.deleted.keep import delete_document
from remem.core.documents.deleted.restore import restore_document
from remem.core.documents.forget import forget_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.ports import Ports
from remem.core.scope import Scope

pytestmark = pytest.mark.anyio

MANY = 12


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
