"""Move a document to the trash, so that it can be restored for a month."""

from datetime import datetime, timedelta
from uuid import UUID

from remem.core.blobs.sweep import release_later, sweep_if_due
from remem.core.db import retry_on_deadlock
from remem.core.documents import document_store
from remem.core.documents.deleted import deleted_document_store
from remem.core.documents.forget import erase_rows
from remem.core.memories.evidence import lock_evidence
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import iso, now
from remem.core.transaction import Tx

RESTORABLE_FOR = timedelta(days=30)


@retry_on_deadlock
async def delete_document(ports: Ports, scope: Scope, id: UUID) -> datetime:
    """Remove the document, its versions and the memories that rest on them alone from everything
    that is searched, listed, counted or exported. Until the returned time, `restore_document`
    brings them back."""
    expires_at = now() + RESTORABLE_FOR
    async with ports.db.transaction(scope) as tx:
        document = await document_store.require_locked(tx, id)
        versions = await document_store.versions(tx, document.root_id)
        await lock_evidence(tx, [document.project_id], [version.id for version in versions])
        await deleted_document_store.delete_rows(tx, document.root_id)
        await deleted_document_store.copy_rows(
            tx, document.root_id, document.project_id, expires_at
        )
        details = {"restorable_until": iso(expires_at)}
        for version in versions:
            key = await erase_rows(ports, tx, document.project_id, version.id, details)
            await release_later(tx, key, expires_at)
    return expires_at


async def move_deleted(tx: Tx, project_id: UUID, to: UUID) -> None:
    """Make what was deleted in a project restorable to another one."""
    await deleted_document_store.move_rows(tx, project_id, to)


async def purge_deleted(ports: Ports, scope: Scope) -> None:
    """Finalise the deletions that can no longer be undone."""
    async with ports.db.transaction(scope) as tx:
        await deleted_document_store.delete_expired(tx)
        await sweep_if_due(ports, tx)
