"""Try a document once more that failed."""

from uuid import UUID

from remem.core.documents import store
from remem.core.documents.process import JOB
from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports
from remem.core.scope import Scope


async def retry_document(ports: Ports, scope: Scope, id: UUID) -> UUID:
    """The job that begins where the last one stopped."""
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, id)
        document = await store.find(tx, scope, id)
        if document is None:
            raise NotFound("document", id)
        if document.status != "failed":
            raise Conflict(
                f"This document is {document.status}; only one that failed is tried again."
            )
        await store.set_status(tx, scope, id, "queued")
        await record(tx, scope, "document", id, "retry")
        return await enqueue(ports, tx, scope, JOB, id)
