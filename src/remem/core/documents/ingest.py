"""Take something in: clean, recognise what is known already, keep it, make it findable."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog

from remem.core.chunking.split import estimate_tokens
from remem.core.db import Tx
from remem.core.documents import store
from remem.core.documents.model import (
    CHUNK,
    CONTENT_LIMIT,
    CONTENT_TYPES,
    METADATA_LIMIT,
    TAG_LIMIT,
    TAGS_LIMIT,
    URL_LIMIT,
    Chunk,
    Document,
    Draft,
    Saved,
)
from remem.core.documents.process import JOB, cut, embed_chunks, keep_chunks, keep_vectors
from remem.core.errors import Invalid, NotFound, Unavailable
from remem.core.events.record import record
from remem.core.index.write import unindex
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports, Vector
from remem.core.projects.manage import note_write
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.text import TITLE_LIMIT, clean, content_hash, lead, title_of, unstorable
from remem.core.time import new_id, now

# Text up to this size is made findable before the reply; more would keep the caller waiting.
INLINE_TOKENS = 4_000

log = structlog.get_logger()


async def ingest(ports: Ports, scope: Scope, draft: Draft) -> Saved:
    """Keep a draft. What is returned is stored; when its status is `done` it can be found."""
    checked = _check(draft)
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, scope, draft.project, create=draft.create_project)
        same = await store.find_same(tx, scope, project.id, checked.hash)
    if same:
        return Saved(same, existing=True)
    ready = await _prepare(ports, draft, checked)
    try:
        async with ports.db.transaction(scope) as tx:
            return await _keep(ports, tx, scope, project.id, draft, checked, ready)
    except _SavedMeanwhile:
        return await _same(ports, scope, project.id, checked.hash)


class _SavedMeanwhile(Exception):
    """Somebody saved the same content while this was being made; nothing of ours may stay."""


async def _same(ports: Ports, scope: Scope, project_id: UUID, hash: str) -> Saved:
    async with ports.db.transaction(scope) as tx:
        same = await store.find_same(tx, scope, project_id, hash)
    if same is None:
        raise Unavailable("The same content was saved and deleted just now; try again.")
    return Saved(same, existing=True)


@dataclass(frozen=True, slots=True)
class _Checked:
    content: str
    title: str
    hash: str


@dataclass(frozen=True, slots=True)
class _Ready:
    """What was made before the transaction: nothing when the work goes to the queue."""

    id: UUID
    chunks: list[Chunk]
    embedded: list[tuple[Chunk, Vector]]

    @property
    def status(self) -> str:
        if not self.chunks:
            return "queued"
        return "done" if self.embedded else "embedding"


def _check(draft: Draft) -> _Checked:
    _check_fields(draft)
    content = clean(draft.content)
    if not content:
        raise Invalid("content", "is empty; send the text to remember")
    title = clean(draft.title or "") or title_of(content)
    return _Checked(content, title, content_hash(content))


def _check_fields(draft: Draft) -> None:
    if len(draft.content) > CONTENT_LIMIT:
        raise Invalid(
            "content",
            f"has {len(draft.content):,} characters and the limit is {CONTENT_LIMIT:,};"
            " split it into several saves",
        )
    for field, text in (("content", draft.content), ("title", draft.title)):
        if reason := unstorable(text or ""):
            raise Invalid(field, reason)
    if draft.title and len(draft.title) > TITLE_LIMIT:
        raise Invalid("title", f"use at most {TITLE_LIMIT} characters")
    if draft.content_type and draft.content_type not in CONTENT_TYPES:
        raise Invalid("content_type", f"use one of: {', '.join(sorted(CONTENT_TYPES))}")
    if draft.source_url and len(draft.source_url) > URL_LIMIT:
        raise Invalid("source_url", f"use at most {URL_LIMIT:,} characters")
    if draft.forget_after and draft.forget_after <= now():
        raise Invalid("forget_after", "lies in the past; give a moment to come")
    if len(draft.tags) > TAGS_LIMIT or any(len(tag) > TAG_LIMIT for tag in draft.tags):
        raise Invalid("tags", f"use at most {TAGS_LIMIT} tags of {TAG_LIMIT} characters")
    if len(json.dumps(draft.metadata, default=str)) > METADATA_LIMIT:
        raise Invalid("metadata", f"use at most {METADATA_LIMIT:,} characters of JSON")


async def _prepare(ports: Ports, draft: Draft, checked: _Checked) -> _Ready:
    id = new_id()
    if draft.in_background or estimate_tokens(checked.content) > INLINE_TOKENS:
        return _Ready(id, [], [])
    chunks = cut(id, checked.content)
    try:
        return _Ready(id, chunks, await embed_chunks(ports, checked.title, chunks))
    except Unavailable as error:
        log.warning("embedding_postponed", document=str(id), error=error.code)
        return _Ready(id, chunks, [])


async def _keep(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    project_id: UUID,
    draft: Draft,
    checked: _Checked,
    ready: _Ready,
) -> Saved:
    previous = await _previous(tx, scope, project_id, draft)
    if previous:
        await _retire(ports, tx, scope, previous)
    values = _values(project_id, draft, checked, ready, previous)
    if not await store.insert(tx, scope, values):
        raise _SavedMeanwhile
    if ready.chunks:
        await keep_chunks(tx, scope, project_id, checked.title, ready.chunks)
    if ready.embedded:
        await keep_vectors(ports, tx, scope, project_id, checked.title, ready.embedded)
    job_id = None
    if ready.status != "done":
        job_id = await enqueue(ports, tx, scope, JOB, ready.id)
    await record(tx, scope, "document", ready.id, "update" if previous else "create")
    await note_write(tx, scope, project_id)
    return Saved(await _reread(tx, scope, ready.id), job_id=job_id)


async def _previous(tx: Tx, scope: Scope, project_id: UUID, draft: Draft) -> Document | None:
    if draft.updates_id:
        named = await store.find(tx, scope, draft.updates_id)
        if named is None:
            raise NotFound("document", draft.updates_id)
        return await store.latest_of_chain(tx, scope, named.root_id)
    if draft.source_url:
        await store.lock_url(tx, scope, project_id, draft.source_url)
        return await store.latest_at_url(tx, scope, project_id, draft.source_url)
    return None


async def _retire(ports: Ports, tx: Tx, scope: Scope, document: Document) -> None:
    """A replaced version keeps its text and chunks but leaves search."""
    chunks = await store.chunks(tx, scope, document.id)
    await unindex(ports, tx, scope, CHUNK, document.project_id, [chunk.id for chunk in chunks])
    await store.retire(tx, scope, document.id)


def _values(
    project_id: UUID, draft: Draft, checked: _Checked, ready: _Ready, previous: Document | None
) -> dict[str, Any]:
    return {
        "id": ready.id,
        "project_id": project_id,
        "title": checked.title,
        "content": checked.content,
        "summary": lead(checked.content),
        "content_type": draft.content_type or "text",
        "source_url": draft.source_url,
        "metadata": draft.metadata,
        "tags": draft.tags,
        "content_hash": checked.hash,
        "previous_id": previous.id if previous else None,
        "root_id": previous.root_id if previous else ready.id,
        "version": previous.version + 1 if previous else 1,
        "forget_after": draft.forget_after,
        "status": ready.status,
        "source": draft.source,
    }


async def _reread(tx: Tx, scope: Scope, id: UUID) -> Document:
    document = await store.find(tx, scope, id)
    assert document is not None
    return document
