"""Repair what a crash of the database lost between two transactions of a save."""

from uuid import UUID

import structlog

from remem.core.blobs.read import DamagedOriginal
from remem.core.documents import document_store
from remem.core.documents.originals import find_original
from remem.core.documents.retry import retry_document
from remem.core.errors import NotFound
from remem.core.identity.everyone import every_tenant
from remem.core.ports import Ports
from remem.core.scope import Scope

log = structlog.get_logger()


async def repair_originals(ports: Ports) -> int:
    """Make missing rows of originals again from the stored bytes, and retry the documents that
    failed without them. Return how many were repaired."""
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            ids = await document_store.without_original_row(tx)
        for id in ids:
            count += await _repair(ports, scope, id)
    return count


async def _repair(ports: Ports, scope: Scope, id: UUID) -> bool:
    async with ports.db.transaction(scope) as tx:
        document = await document_store.find(tx, id)
    if document is None:
        return False
    try:
        await find_original(ports, scope, document)
    except (NotFound, DamagedOriginal) as error:
        log.warning("original_missing", document=str(id), error=error.code)
        return False
    if document.status == "failed" and document.is_latest:
        await retry_document(ports, scope, id)
    return True
