"""Restore a deleted document: its versions, chunks and memories."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

from remem.core.blobs.sweep import cancel_release
from remem.core.db import retry_on_deadlock
from remem.core.documents import document_store
from remem.core.documents.deleted import deleted_document_store
from remem.core.documents.imported.index_imported import index_chunks, settle
from remem.core.documents.model import Document
from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.identity.plans import require_room
from remem.core.memories.evidence import lock_evidence_again
from remem.core.memories.restore_evidence import restore_memory_row, settle_restored
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx


@retry_on_deadlock
async def restore_document(ports: Ports, scope: Scope, id: UUID) -> Document:
    """Restore the document as it was: searchable by word at once, by meaning once its job is
    done."""
    async with ports.db.transaction(scope) as tx:
        deletion = await deleted_document_store.find_deletion(tx, id)
        if deletion is None:
            raise NotFound("document", id)
        rows = await deleted_document_store.memories(tx, deletion["id"])
        find_linked = partial(deleted_document_store.linked_projects, tx, deletion["id"])
        await lock_evidence_again(tx, deletion["project_id"], rows, find_linked)
        if await deleted_document_store.find_deletion(tx, id) is None:
            # Another call restored it, by the id of another version, while this one waited.
            raise NotFound("document", id)
        ids = await _insert_documents(tx, deletion["id"])
        chunks = await deleted_document_store.insert_chunks(tx, deletion["id"])
        await index_chunks(tx, chunks)
        await _restore_memories(ports, tx, deletion["id"], rows)
        await deleted_document_store.insert_links(tx, deletion["id"])
        await settle_restored(ports, tx, rows)
        await deleted_document_store.delete_rows(tx, deletion["id"])
        await settle(ports, tx, ids)
        for restored_id in ids:
            await record(tx, "document", restored_id, "restore")
        document = await document_store.latest_of_chain(tx, deletion["id"])
    if document is None:
        raise NotFound("document", id)
    return document


async def _insert_documents(tx: Tx, deletion_id: UUID) -> list[UUID]:
    keys = await deleted_document_store.blob_keys(tx, deletion_id)
    ids = await deleted_document_store.insert_documents(tx, deletion_id)
    if len(ids) < len(keys):
        raise Conflict(
            "The same content has been saved again since; delete that one first to restore this.",
            code="saved_again",
        )
    await cancel_release(tx, [key for key in keys if key])
    return ids


async def _restore_memories(
    ports: Ports, tx: Tx, deletion_id: UUID, rows: Sequence[dict[str, Any]]
) -> None:
    full_rows = [row for row in rows if "content" in row]
    missing = await deleted_document_store.missing_memories(
        tx, [UUID(row["id"]) for row in full_rows]
    )
    current = {UUID(row["id"]) for row in full_rows if row["is_current"] and not row["deleted_at"]}
    await require_room(tx, len(current.intersection(missing)))
    for row in full_rows:
        await _restore_memory(ports, tx, deletion_id, row)
    for row in rows:
        await deleted_document_store.restore_references(tx, row)


async def _restore_memory(ports: Ports, tx: Tx, deletion_id: UUID, row: dict[str, Any]) -> None:
    async def insert() -> bool:
        return await deleted_document_store.insert_memory(tx, deletion_id, UUID(row["id"]))

    await restore_memory_row(ports, tx, row, insert)
