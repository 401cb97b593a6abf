"""The last step of a save: the document's row with all that belongs to it, in one transaction."""

from datetime import datetime
from pathlib import PurePath
from typing import Any
from uuid import UUID

from remem.core.blobs.sweep import release
from remem.core.db import Tx, repeat_after_deadlock
from remem.core.documents import store
from remem.core.documents.distil import enqueue_distil
from remem.core.documents.forget import erase
from remem.core.documents.model import Document, Draft, SavedDocument, columns
from remem.core.documents.originals import untitled
from remem.core.documents.prepare import PreparedDocument
from remem.core.documents.process import JOB, keep_chunks, put_vectors
from remem.core.documents.receive import ReceivedDraft
from remem.core.documents.retire import retire
from remem.core.documents.sum_up import enqueue_summary
from remem.core.documents.versions.find import find_previous, kept_from
from remem.core.documents.voice import day_in_name
from remem.core.errors import Unavailable
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.text import content_hash, shorten, unique_tags
from remem.core.time import now


class _SavedMeanwhile(Exception):
    """The same content was saved concurrently; nothing of this save may stay."""


@repeat_after_deadlock
async def insert(
    ports: Ports, scope: Scope, arrival: ReceivedDraft, prepared: PreparedDocument
) -> SavedDocument:
    try:
        async with ports.db.transaction(scope) as tx:
            return await _insert(ports, tx, scope, arrival, prepared)
    except _SavedMeanwhile:
        return await same_as(ports, scope, arrival, prepared.reading.hash)


async def same_as(ports: Ports, scope: Scope, arrival: ReceivedDraft, hash: str) -> SavedDocument:
    if same := await find_same(ports, scope, arrival, hash):
        return same
    async with ports.db.transaction(scope) as tx:
        await _give_up_original(ports, tx, scope, arrival)
    raise Unavailable("The same content was saved and deleted just now; try again.")


async def find_same(
    ports: Ports, scope: Scope, arrival: ReceivedDraft, hash: str
) -> SavedDocument | None:
    """The document that has the content already; the original of this one is given up."""
    blob = arrival.blob
    async with ports.db.transaction(scope) as tx:
        same = await store.find_same(tx, scope, arrival.project_id, hash)
        if same is None and blob:
            same = await store.find_same_original(tx, scope, arrival.project_id, blob.sha256)
        if same:
            await _give_up_original(ports, tx, scope, arrival)
    return SavedDocument(same, existing=True) if same else None


async def _give_up_original(ports: Ports, tx: Tx, scope: Scope, arrival: ReceivedDraft) -> None:
    await release(ports, tx, scope, arrival.blob.key if arrival.blob else None)


async def _insert(
    ports: Ports, tx: Tx, scope: Scope, arrival: ReceivedDraft, prepared: PreparedDocument
) -> SavedDocument:
    draft, reading = arrival.draft, prepared.reading
    await _clear_expired(ports, tx, scope, arrival, reading.hash)
    previous = await find_previous(
        tx, scope, arrival.project_id, draft.updates_id, draft.versioned_url
    )
    await note_write(tx, scope, arrival.project_id)
    if previous:
        await retire(ports, tx, scope, previous)
    values = {**_common(arrival, previous), **columns(reading), "status": prepared.status}
    if previous:
        values |= kept_from(previous, draft, reading.tags)
        values["metadata"] = {**previous.metadata, **reading.metadata}
    if not await store.insert(tx, scope, values):
        raise _SavedMeanwhile
    await _index(ports, tx, scope, arrival, prepared)
    job_id = await _enqueue(ports, tx, scope, arrival, prepared, previous)
    await record(tx, scope, "document", arrival.id, "update" if previous else "create")
    return SavedDocument(await _reread(tx, scope, arrival), job_id=job_id)


async def _index(
    ports: Ports, tx: Tx, scope: Scope, arrival: ReceivedDraft, prepared: PreparedDocument
) -> None:
    if prepared.chunks:
        model = ports.embedder.model if prepared.embedded else None
        title = prepared.reading.title
        await keep_chunks(tx, scope, arrival.project_id, title, prepared.chunks, model)
    if prepared.embedded:
        await put_vectors(ports, tx, scope, arrival.project_id, prepared.embedded)


async def _enqueue(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    arrival: ReceivedDraft,
    prepared: PreparedDocument,
    previous: Document | None,
) -> UUID | None:
    """What is left to do: the rest of the reading, or a summary and memories. The id is of a job
    that the caller may wait for."""
    if prepared.status != "done":
        return await enqueue(ports, tx, scope, JOB, arrival.id)
    await enqueue_summary(ports, tx, scope, arrival.id, prepared.reading.content)
    if prepared.has_statements or previous:
        await enqueue_distil(ports, tx, scope, arrival.id)
    return None


@repeat_after_deadlock
async def insert_unread(ports: Ports, scope: Scope, arrival: ReceivedDraft) -> SavedDocument:
    """Store what came, unread, with the job that will read it."""
    draft, blob = arrival.draft, arrival.blob
    pending = f"file:{blob.sha256}" if blob else f"url:{content_hash(draft.source_url or '')}"
    async with ports.db.transaction(scope) as tx:
        if draft.updates_id:
            await store.require(tx, scope, draft.updates_id)
        await _clear_expired(ports, tx, scope, arrival, pending)
        if await store.insert(tx, scope, _unread(arrival, pending)):
            job_id = await enqueue(ports, tx, scope, JOB, arrival.id)
            await record(tx, scope, "document", arrival.id, "create")
            return SavedDocument(await _reread(tx, scope, arrival), job_id=job_id)
    return await same_as(ports, scope, arrival, pending)


def _unread(arrival: ReceivedDraft, pending: str) -> dict[str, Any]:
    draft = arrival.draft
    return {
        **_common(arrival, None),
        "title": draft.title or shorten(untitled(draft.original, draft.source_url), 200),
        "content": "",
        "content_type": draft.content_type or "text",
        "content_hash": pending,
        "metadata": draft.metadata,
        "tags": unique_tags(draft.tags),
        "previous_id": draft.updates_id,
        "status": "queued",
    }


async def _clear_expired(
    ports: Ports, tx: Tx, scope: Scope, arrival: ReceivedDraft, hash: str
) -> None:
    original_hash = arrival.blob.sha256 if arrival.blob else None
    for document in await store.find_expired(tx, scope, arrival.project_id, hash, original_hash):
        await erase(ports, tx, scope, document.project_id, document.id)


def _common(arrival: ReceivedDraft, previous: Document | None) -> dict[str, Any]:
    draft, blob = arrival.draft, arrival.blob
    return {
        "id": arrival.id,
        "project_id": arrival.project_id,
        "source_url": draft.source_url,
        "blob_key": blob.key if blob else None,
        "original_hash": blob.sha256 if blob else None,
        "previous_id": previous.id if previous else None,
        "root_id": previous.root_id if previous else arrival.id,
        "version": previous.version + 1 if previous else 1,
        "forget_after": draft.forget_after,
        "source": draft.source,
        **({"created_at": moment} if (moment := _written_at(draft)) else {}),
    }


def _written_at(draft: Draft) -> datetime | None:
    """As the caller says, or the day that a file is named after: "2024-02-17.md"."""
    name = draft.original.name if draft.original else None
    day = day_in_name(PurePath(name).stem) if name else None
    return draft.created_at or (day if day and day <= now() else None)


async def _reread(tx: Tx, scope: Scope, arrival: ReceivedDraft) -> Document:
    document = await store.find(tx, scope, arrival.id)
    assert document is not None
    return document
