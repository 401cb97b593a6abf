"""Retry a document that failed, or that no job works on."""

from uuid import UUID

from remem.core.documents import document_store
from remem.core.documents.model import Document, is_large
from remem.core.documents.process import JOB
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue, find_underway
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx


async def retry_document(
    ports: Ports, scope: Scope, id: UUID, *, fetch_again: bool = False
) -> tuple[str, UUID | None]:
    """Return the document's status and the job that continues where the last one stopped; no job
    when it is done or a job works on it, so that two calls retry once. With `fetch_again`, a page
    that could not be read is fetched again: it may have changed."""
    async with ports.db.transaction(scope) as tx:
        await document_store.lock(tx, id)
        document = await document_store.require(tx, id)
        if document.status != "failed" and not await _is_stuck(tx, document):
            return document.status, None
        if fetch_again and not document.is_read:
            # The page is stored under the same key; if it is not, the sweep finds the old one.
            await document_store.set_blob(tx, id, None)
        await document_store.set_status(tx, id, "queued")
        await record(tx, "document", id, "retry")
        return "queued", await enqueue(ports, tx, JOB, id, large=is_large(document.content))


async def _is_stuck(tx: Tx, document: Document) -> bool:
    """Whether the document is not done and no job works on it."""
    if document.status == "done":
        return False
    return await find_underway(tx, JOB, document.id) is None
