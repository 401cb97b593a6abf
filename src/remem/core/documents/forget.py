"""Erase a document: its row, chunks, index entries, vectors and original, in one transaction."""

from typing import Any
from uuid import UUID

from remem.core.blobs.sweep import release
from remem.core.db import retry_on_deadlock
from remem.core.documents import document_store
from remem.core.documents.chunks import chunk_store
from remem.core.documents.deleted import deleted_document_store
from remem.core.documents.distil import distil_again
from remem.core.events.record import record
from remem.core.identity.plans import resume_waiting_jobs
from remem.core.index.kinds import CHUNK
from remem.core.index.write import unindex
from remem.core.memories.evidence import lock_evidence
from remem.core.memories.withdraw_evidence import forget_evidence
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx


@retry_on_deadlock
async def forget_document(ports: Ports, scope: Scope, id: UUID) -> None:
    """Erase the document with all its versions, so that it is never found again. A document that
    was deleted but could still be restored is erased for good."""
    async with ports.db.transaction(scope) as tx:
        if deletion := await deleted_document_store.find_deletion(tx, id):
            await _make_final(ports, tx, deletion["id"], id)
            return
        document = await document_store.require_locked(tx, id)
        await erase_versions(ports, tx, document.project_id, document.root_id)


async def erase_versions(ports: Ports, tx: Tx, project_id: UUID, root_id: UUID) -> None:
    versions = await document_store.versions(tx, root_id)
    await lock_evidence(tx, [project_id], [version.id for version in versions])
    for version in versions:
        await erase(ports, tx, project_id, version.id)


async def _make_final(ports: Ports, tx: Tx, deletion_id: UUID, id: UUID) -> None:
    for key in await deleted_document_store.blob_keys(tx, deletion_id):
        await release(ports, tx, key)
    await deleted_document_store.delete_rows(tx, deletion_id)
    await record(tx, "document", id, "erase")


async def erase(ports: Ports, tx: Tx, project_id: UUID, id: UUID) -> None:
    key = await erase_rows(ports, tx, project_id, id)
    await release(ports, tx, key)


async def erase_rows(
    ports: Ports, tx: Tx, project_id: UUID, id: UUID, data: dict[str, Any] | None = None
) -> str | None:
    """Erase everything but the original, and return its key. `data` is stored with the event."""
    chunks = await chunk_store.ids_of_document(tx, id)
    await unindex(ports, tx, CHUNK, project_id, chunks)
    to_distil = await forget_evidence(ports, tx, project_id, id)
    key = await document_store.delete(tx, id)
    await distil_again(ports, tx, to_distil)
    await record(tx, "document", id, "delete", data)
    await resume_waiting_jobs(ports, tx)
    return key
