"""The last step of a save: insert the document, chunks, vectors and jobs in one transaction."""

import asyncio
from dataclasses import replace
from datetime import datetime
from pathlib import PurePath
from typing import Any
from uuid import UUID

from remem.core.blobs.save import insert_blob
from remem.core.blobs.sweep import release
from remem.core.db import retry_on_deadlock
from remem.core.documents import document_store
from remem.core.documents.chunks.cut import Header
from remem.core.documents.distil import enqueue_distil
from remem.core.documents.encoded import content_type_of_file
from remem.core.documents.forget import erase
from remem.core.documents.model import (
    LARGE_CHARS,
    Document,
    Draft,
    SavedDocument,
    columns,
    is_large,
)
from remem.core.documents.originals import placeholder_title
from remem.core.documents.prepare import PreparedDocument
from remem.core.documents.process import JOB, put_vectors, store_chunks
from remem.core.documents.receive import ReceivedDraft, is_text
from remem.core.documents.retire import retire
from remem.core.documents.save_once import note_saved
from remem.core.documents.sum_up import enqueue_summary
from remem.core.documents.versions.find import find_copy, find_previous, inherited_columns
from remem.core.documents.voice import author_of, day_in_name
from remem.core.errors import Unavailable
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue
from remem.core.memories.highlights.highlights import follow_text
from remem.core.ports import Ports
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.text import content_hash, shorten, unique_tags
from remem.core.time import now
from remem.core.transaction import Tx
from remem.core.vector_models.current import keep_model


class _SavedConcurrently(Exception):
    """The same content was saved concurrently; roll this save back."""


@retry_on_deadlock
async def insert(
    ports: Ports, scope: Scope, received: ReceivedDraft, prepared: PreparedDocument
) -> SavedDocument:
    try:
        async with ports.db.transaction(scope, turn=received.project_id) as tx:
            return await _insert(ports, tx, received, prepared)
    except _SavedConcurrently:
        return await require_same(ports, scope, received, prepared.parsed.hash)


async def require_same(
    ports: Ports, scope: Scope, received: ReceivedDraft, hash: str
) -> SavedDocument:
    if same := await find_same(ports, scope, received, hash):
        return same
    async with ports.db.transaction(scope) as tx:
        await _release_original(ports, tx, received)
    raise Unavailable("The same content was saved and deleted just now; try again.")


async def find_same(
    ports: Ports, scope: Scope, received: ReceivedDraft, hash: str
) -> SavedDocument | None:
    """The document that has the content already. The original of this one is released, unless it
    is a binary file with other bytes: then it is kept as that of a copy."""
    blob = received.blob
    async with ports.db.transaction(scope) as tx:
        original_hash = blob.sha256 if blob else None
        root_id = received.replaced_root
        same = await find_copy(tx, received.project_id, hash, original_hash, root_id)
        if same is None:
            return None
        keeps_original = await _keeps_original(tx, received, same.id)
        if not keeps_original:
            await _release_original(ports, tx, received)
    if keeps_original:
        return await insert_unread(ports, scope, received)
    return SavedDocument(same, existing=True)


async def _keeps_original(tx: Tx, received: ReceivedDraft, same_id: UUID) -> bool:
    original, blob = received.draft.original, received.blob
    if original is None or blob is None or await asyncio.to_thread(is_text, original.path):
        return False
    return await document_store.original_hash(tx, same_id) != blob.sha256


async def _release_original(ports: Ports, tx: Tx, received: ReceivedDraft) -> None:
    await release(ports, tx, received.blob.key if received.blob else None)


async def _insert(
    ports: Ports, tx: Tx, received: ReceivedDraft, prepared: PreparedDocument
) -> SavedDocument:
    draft, parsed = received.draft, prepared.parsed
    prepared = await _without_old_vectors(ports, tx, prepared)
    await _erase_expired(ports, tx, received, parsed.hash)
    previous = await find_previous(tx, received.project_id, draft.updates_id, draft.versioned_url)
    await note_write(tx, received.project_id)
    if previous:
        await retire(ports, tx, previous)
    values: dict[str, Any] = {
        **_common_columns(received, previous),
        **columns(parsed),
        "status": prepared.status,
    }
    if previous:
        values |= inherited_columns(previous, draft, parsed.tags)
        values["metadata"] = {**previous.metadata, **parsed.metadata}
        values["shares_text"] = await _has_other(tx, received, parsed.hash)
    if not await _insert_row(tx, received, values):
        raise _SavedConcurrently
    if previous:
        await document_store.inherit_flags(tx, received.id, previous.id)
        await follow_text(ports, tx, previous.root_id, received.id, parsed.content)
    parsed, author = prepared.parsed, author_of(values["metadata"])
    header = Header(parsed.title, values["tags"], author, parsed.content_type)
    await _index(ports, tx, received, prepared, header)
    job_id = await _enqueue(ports, tx, received, prepared, previous)
    await record(tx, "document", received.id, "update" if previous else "create")
    return SavedDocument(await _reload(tx, received), job_id=job_id)


async def _without_old_vectors(
    ports: Ports, tx: Tx, prepared: PreparedDocument
) -> PreparedDocument:
    """Leave embedding to a job if the vectors belong to another model since these were made."""
    if not prepared.model or await keep_model(ports, tx, prepared.model):
        return prepared
    return replace(prepared, embedded=())


async def _insert_row(tx: Tx, received: ReceivedDraft, values: dict[str, Any]) -> bool:
    """False when the project has the same content already."""
    if not await document_store.insert(tx, values):
        return False
    if key := received.draft.key:
        await note_saved(tx, key, received.id)
    if received.blob:
        await insert_blob(tx, received.blob)
    if received.draft.unread:
        await document_store.set_flag(tx, values["root_id"], "unread", is_set=True)
    return True


async def _has_other(tx: Tx, received: ReceivedDraft, hash: str) -> bool:
    """Whether another document that was read has the same content."""
    original_hash = received.blob.sha256 if received.blob else None
    other = await find_copy(tx, received.project_id, hash, original_hash, None)
    return other is not None and other.is_read


async def _index(
    ports: Ports, tx: Tx, received: ReceivedDraft, prepared: PreparedDocument, header: Header
) -> None:
    model = prepared.model if prepared.embedded else None
    if prepared.chunks:
        await store_chunks(tx, received.project_id, header, prepared.chunks, model)
    if model:
        await put_vectors(ports, tx, received.project_id, model, prepared.embedded)


async def _enqueue(
    ports: Ports,
    tx: Tx,
    received: ReceivedDraft,
    prepared: PreparedDocument,
    previous: Document | None,
) -> UUID | None:
    """Queue what is left to do: processing the document, or summarising and distilling it. Return
    the id of a job that the caller may wait for."""
    if prepared.status != "done":
        large = is_large(prepared.parsed.content)
        return await enqueue(ports, tx, JOB, received.id, large=large)
    await enqueue_summary(ports, tx, received.id, prepared.parsed.content)
    if prepared.has_statements or previous:
        await enqueue_distil(ports, tx, received.id, prepared.parsed.content)
    return None


@retry_on_deadlock
async def insert_unread(ports: Ports, scope: Scope, received: ReceivedDraft) -> SavedDocument:
    """Insert a document whose text is not known yet, with the job that will read it."""
    draft, blob = received.draft, received.blob
    pending = f"file:{blob.sha256}" if blob else f"url:{content_hash(draft.source_url or '')}"
    async with ports.db.transaction(scope) as tx:
        if draft.updates_id:
            await document_store.require(tx, draft.updates_id)
        await _erase_expired(ports, tx, received, pending)
        values = _unread_columns(received, pending)
        if received.replaced_root:
            values["shares_text"] = await _has_other(tx, received, pending)
        if await _insert_row(tx, received, values):
            large = (blob is not None and blob.size > LARGE_CHARS) or is_large(draft.content)
            job_id = await enqueue(ports, tx, JOB, received.id, large=large)
            await record(tx, "document", received.id, "create")
            return SavedDocument(await _reload(tx, received), job_id=job_id)
    return await require_same(ports, scope, received, pending)


def _unread_columns(received: ReceivedDraft, pending: str) -> dict[str, Any]:
    draft = received.draft
    return {
        **_common_columns(received, None),
        "title": draft.title or shorten(placeholder_title(draft.original, draft.source_url), 200),
        "content": "",
        "content_type": draft.content_type or content_type_of_file(draft) or "text",
        "content_hash": pending,
        "metadata": draft.metadata,
        "tags": unique_tags(draft.tags),
        "previous_id": draft.updates_id,
        "status": "queued",
    }


async def _erase_expired(ports: Ports, tx: Tx, received: ReceivedDraft, hash: str) -> None:
    original_hash = received.blob.sha256 if received.blob else None
    for document in await document_store.find_expired(tx, received.project_id, hash, original_hash):
        await erase(ports, tx, document.project_id, document.id)


def _common_columns(received: ReceivedDraft, previous: Document | None) -> dict[str, Any]:
    draft, blob = received.draft, received.blob
    return {
        "id": received.id,
        "project_id": received.project_id,
        "source_url": draft.source_url,
        "blob_key": blob.key if blob else None,
        "original_hash": blob.sha256 if blob else None,
        "previous_id": previous.id if previous else None,
        "root_id": previous.root_id if previous else received.id,
        "version": previous.version + 1 if previous else 1,
        "forget_after": draft.forget_after,
        "source": draft.source,
        "title_given": bool(draft.title),
        **({"created_at": moment} if (moment := _written_at(draft)) else {}),
    }


def _written_at(draft: Draft) -> datetime | None:
    """The time given by the caller, or the date in the file name: "2024-02-17.md"."""
    name = draft.original.name if draft.original else None
    day = day_in_name(PurePath(name).stem) if name else None
    return draft.created_at or (day if day and day <= now() else None)


async def _reload(tx: Tx, received: ReceivedDraft) -> Document:
    document = await document_store.find(tx, received.id)
    assert document is not None
    return document
