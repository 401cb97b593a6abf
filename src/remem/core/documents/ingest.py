"""Take something in: recognise what is known already, keep it, make it findable."""

import asyncio
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any
from uuid import UUID

import structlog

from remem.core.blobs.keep import announce, describe
from remem.core.blobs.model import Blob
from remem.core.blobs.sweep import release
from remem.core.chunking.split import estimate_tokens
from remem.core.db import Tx
from remem.core.documents import store
from remem.core.documents.check import check
from remem.core.documents.chunks import chunks_of
from remem.core.documents.distil import enqueue_distil, promises
from remem.core.documents.forget import erase
from remem.core.documents.model import (
    PLAIN_TYPES,
    Chunk,
    Document,
    Draft,
    Reading,
    Saved,
    columns,
)
from remem.core.documents.originals import key_for, untitled
from remem.core.documents.process import JOB, embed_chunks, keep_chunks, put_vectors
from remem.core.documents.retire import retire
from remem.core.documents.retry import retry_document
from remem.core.documents.sum_up import enqueue_summary
from remem.core.documents.tags import add_tags
from remem.core.documents.understand import handed_in, understand
from remem.core.documents.versions.find import find_previous, kept_from
from remem.core.documents.voice import day_in_name
from remem.core.errors import NotFound, Unavailable, Unreadable
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports, Vector
from remem.core.projects.manage import note_write
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.text import content_hash, shorten
from remem.core.time import new_id, now

# Text up to this size is made findable before the reply; more would keep the caller waiting.
INLINE_TOKENS = 4_000
INLINE_BYTES = 64_000

log = structlog.get_logger()


async def ingest(ports: Ports, scope: Scope, draft: Draft) -> Saved:
    """Keep a draft. What is returned is stored; when its status is `done` it can be found. What
    failed before is tried again."""
    saved = await _ingest(ports, scope, draft)
    if not saved.existing:
        return saved
    saved = replace(saved, document=await add_tags(ports, scope, saved.document, draft.tags))
    if saved.document.status != "failed":
        return saved
    status, job_id = await retry_document(ports, scope, saved.document.id, fetch_again=draft.fetch)
    document = replace(saved.document, status=status, error=None)
    return Saved(document, job_id=job_id, existing=job_id is None)


async def _ingest(ports: Ports, scope: Scope, draft: Draft) -> Saved:
    check(draft)
    if draft.index_only:
        draft = replace(draft, metadata={**draft.metadata, "index_only": True})
    if draft.original:
        return await _ingest_file(ports, scope, draft)
    if not draft.fetch and not draft.extracted and _needs_time(draft):
        async with handed_in(draft) as original:
            later = replace(draft, original=original, in_background=True)
            return await _ingest_file(ports, scope, later)
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, scope, draft.project, create=draft.create_project)
    if draft.fetch:
        return await _keep_for_later(ports, scope, project.id, draft, None)
    return await _ingest_text(ports, scope, project.id, draft)


async def _ingest_text(ports: Ports, scope: Scope, project_id: UUID, draft: Draft) -> Saved:
    reading = await understand(ports, scope, draft)
    async with ports.db.transaction(scope) as tx:
        same = await store.find_same(tx, scope, project_id, reading.hash)
    if same:
        return Saved(same, existing=True)
    inline = not draft.in_background and estimate_tokens(reading.content) <= INLINE_TOKENS
    ready = await make_ready(ports, draft.id or new_id(), reading, inline=inline)
    return await _keep(ports, scope, project_id, draft, ready, None)


def _needs_time(draft: Draft) -> bool:
    """Text whose making takes long enough to be queued, so that it must be kept as it came."""
    plain = draft.content_type in PLAIN_TYPES
    return not plain and (draft.in_background or len(draft.content) > INLINE_BYTES)


async def _ingest_file(ports: Ports, scope: Scope, draft: Draft) -> Saved:
    assert draft.original is not None
    id = draft.id or new_id()
    blob = await describe(key_for(scope, id), draft.original)
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, scope, draft.project, create=draft.create_project)
        same = await store.find_same_original(tx, scope, project.id, blob.sha256)
        if not same:
            await announce(tx, scope, blob)
    if same:
        return Saved(same, existing=True)
    await ports.blobs.put(blob.key, draft.original.path)
    inline = not draft.in_background and _is_small_text(draft.original.path, blob.size)
    reading = await _understand_now(ports, scope, draft) if inline else None
    if reading is None:
        return await _keep_for_later(ports, scope, project.id, draft, (id, blob))
    ready = await make_ready(ports, id, reading, inline=True)
    return await _keep(ports, scope, project.id, draft, ready, blob)


async def _understand_now(ports: Ports, scope: Scope, draft: Draft) -> Reading | None:
    """A file that cannot be read is kept all the same, and says why as a document."""
    try:
        return await understand(ports, scope, draft)
    except Unreadable:
        return None


def _is_small_text(path: Path, size: int) -> bool:
    """A PDF may look like text; what it takes to read one does not."""
    if size > INLINE_BYTES:
        return False
    data = path.read_bytes()
    return b"\x00" not in data and not data.lstrip().startswith(b"%PDF")


@dataclass(frozen=True, slots=True)
class Ready:
    """What is made before the transaction: nothing but the reading when the rest is queued."""

    id: UUID
    reading: Reading
    chunks: list[Chunk]
    embedded: list[tuple[Chunk, Vector]]
    promises: bool = False

    @property
    def status(self) -> str:
        if not self.chunks:
            return "queued"
        return "done" if self.embedded else "embedding"


async def make_ready(ports: Ports, id: UUID, reading: Reading, *, inline: bool) -> Ready:
    if not inline:
        return Ready(id, reading, [], [])
    chunks = await chunks_of(ports, id, reading)
    embedded, tells = await asyncio.gather(
        _embedded(ports, id, reading.title, chunks),
        promises(ports, reading, chunks),
    )
    return Ready(id, reading, chunks, embedded, tells)


async def _embedded(
    ports: Ports, id: UUID, title: str, chunks: list[Chunk]
) -> list[tuple[Chunk, Vector]]:
    """Nothing when the embedder is away: a job does it later."""
    try:
        return await embed_chunks(ports, title, chunks)
    except Unavailable as error:
        log.warning("embedding_postponed", document=str(id), error=error.code)
        return []


class _SavedMeanwhile(Exception):
    """Somebody saved the same while this was being made; nothing of ours may stay."""


async def _keep(
    ports: Ports, scope: Scope, project_id: UUID, draft: Draft, ready: Ready, blob: Blob | None
) -> Saved:
    try:
        async with ports.db.transaction(scope) as tx:
            return await _insert(ports, tx, scope, project_id, draft, ready, blob)
    except _SavedMeanwhile:
        return await _same(ports, scope, project_id, ready.reading.hash, blob)


async def _same(
    ports: Ports, scope: Scope, project_id: UUID, hash: str, blob: Blob | None
) -> Saved:
    async with ports.db.transaction(scope) as tx:
        same = await store.find_same(tx, scope, project_id, hash)
        if same is None and blob:
            same = await store.find_same_original(tx, scope, project_id, blob.sha256)
        await release(ports, tx, scope, blob.key if blob else None)
    if same is None:
        raise Unavailable("The same content was saved and deleted just now; try again.")
    return Saved(same, existing=True)


async def _insert(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    project_id: UUID,
    draft: Draft,
    ready: Ready,
    blob: Blob | None,
) -> Saved:
    await _clear_expired(ports, tx, scope, project_id, ready.reading.hash, blob)
    previous = await find_previous(tx, scope, project_id, draft.updates_id, draft.source_url)
    if previous:
        await retire(ports, tx, scope, previous)
    values = {**_common(project_id, draft, ready.id, previous, blob), **columns(ready.reading)}
    if previous:
        values |= kept_from(previous, draft, ready.reading.tags)
        values["metadata"] = {**previous.metadata, **ready.reading.metadata}
    if not await store.insert(tx, scope, {**values, "status": ready.status}):
        raise _SavedMeanwhile
    if ready.chunks:
        model = ports.embedder.model if ready.embedded else None
        await keep_chunks(tx, scope, project_id, ready.reading.title, ready.chunks, model)
    if ready.embedded:
        await put_vectors(ports, tx, scope, project_id, ready.embedded)
    job_id = None
    if ready.status != "done":
        job_id = await enqueue(ports, tx, scope, JOB, ready.id)
    else:
        await enqueue_summary(ports, tx, scope, ready.id, ready.reading.content)
        if ready.promises or previous:
            await enqueue_distil(ports, tx, scope, ready.id)
    await record(tx, scope, "document", ready.id, "update" if previous else "create")
    await note_write(tx, scope, project_id)
    return Saved(await _reread(tx, scope, ready.id), job_id=job_id)


async def _keep_for_later(
    ports: Ports, scope: Scope, project_id: UUID, draft: Draft, kept: tuple[UUID, Blob] | None
) -> Saved:
    """Store what came, unread, with the job that will read it."""
    id, blob = kept or (draft.id or new_id(), None)
    pending = f"file:{blob.sha256}" if blob else f"url:{content_hash(draft.source_url or '')}"
    async with ports.db.transaction(scope) as tx:
        if draft.updates_id and await store.find(tx, scope, draft.updates_id) is None:
            raise NotFound("document", draft.updates_id)
        await _clear_expired(ports, tx, scope, project_id, pending, blob)
        values = {
            **_common(project_id, draft, id, None, blob),
            "title": draft.title or shorten(untitled(draft.original, draft.source_url), 200),
            "content": "",
            "content_type": draft.content_type or "text",
            "content_hash": pending,
            "metadata": draft.metadata,
            "tags": draft.tags,
            "previous_id": draft.updates_id,
            "status": "queued",
        }
        if await store.insert(tx, scope, values):
            job_id = await enqueue(ports, tx, scope, JOB, id)
            await record(tx, scope, "document", id, "create")
            return Saved(await _reread(tx, scope, id), job_id=job_id)
    return await _same(ports, scope, project_id, pending, blob)


async def _clear_expired(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, hash: str, blob: Blob | None
) -> None:
    original_hash = blob.sha256 if blob else None
    for document in await store.find_expired(tx, scope, project_id, hash, original_hash):
        await erase(ports, tx, scope, document.project_id, document.id)


def _common(
    project_id: UUID, draft: Draft, id: UUID, previous: Document | None, blob: Blob | None
) -> dict[str, Any]:
    return {
        "id": id,
        "project_id": project_id,
        "source_url": draft.source_url,
        "blob_key": blob.key if blob else None,
        "original_hash": blob.sha256 if blob else None,
        "previous_id": previous.id if previous else None,
        "root_id": previous.root_id if previous else id,
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


async def _reread(tx: Tx, scope: Scope, id: UUID) -> Document:
    document = await store.find(tx, scope, id)
    assert document is not None
    return document
