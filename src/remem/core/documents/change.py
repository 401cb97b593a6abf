"""Change what is said of a document; a change of its content makes a version."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.db import Tx, repeat_after_deadlock
from remem.core.documents import store
from remem.core.documents.check import check_forget_after, check_title
from remem.core.documents.chunks import store as chunk_store
from remem.core.documents.chunks.cut import words_of
from remem.core.documents.distil import distil_again
from remem.core.documents.headings import written_title
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft, SavedDocument
from remem.core.documents.process import JOB
from remem.core.errors import Conflict, Invalid
from remem.core.events.record import record
from remem.core.index.kinds import CHUNK
from remem.core.index.write import Text, move, reindex_texts
from remem.core.jobs.enqueue import enqueue
from remem.core.memories.evidence import lock_evidence
from remem.core.memories.move_with_document import move_with_document
from remem.core.memories.tags import follow_tags
from remem.core.ports import Ports
from remem.core.projects.manage import note_write
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.text import unique_tags
from remem.core.validate import check_json, check_tags

_LASTING = ("index_only",)


@dataclass(frozen=True, slots=True)
class DocumentEdit:
    """What is to be different; `fields` names what was given, so that null can be meant."""

    fields: frozenset[str]
    title: str | None = None
    content: str | None = None
    metadata: dict[str, Any] | None = None
    tags: list[str] | None = None
    forget_after: datetime | None = None
    project: str | UUID | None = None


async def change_document(
    ports: Ports, scope: Scope, id: UUID, change: DocumentEdit
) -> SavedDocument:
    _check(change)
    changed, job_id = await _apply(ports, scope, id, change)
    if change.content is None:
        return SavedDocument(changed, job_id=job_id)
    return await ingest(ports, scope, _version(changed, change.content))


@repeat_after_deadlock
async def _apply(
    ports: Ports, scope: Scope, id: UUID, change: DocumentEdit
) -> tuple[Document, UUID | None]:
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, id)
        document = await store.require(tx, scope, id)
        if not document.is_latest:
            raise Conflict("This is an old version; change the latest one.", code="old_version")
        await _describe(tx, scope, document, change)
        job_id = await _rename(ports, tx, scope, document, change.title)
        await _move(ports, tx, scope, document, change)
        await record(tx, scope, "document", id, "update", {"fields": sorted(change.fields)})
        return await store.require(tx, scope, id), job_id


def _check(change: DocumentEdit) -> None:
    check_title(change.title)
    check_tags(change.tags or [])
    check_json("metadata", change.metadata or {})
    check_forget_after(change.forget_after)
    if "title" in change.fields and not (change.title or "").strip():
        raise Invalid("title", "is empty; give at least one character")


async def _describe(tx: Tx, scope: Scope, document: Document, change: DocumentEdit) -> None:
    # That it is only to be found is no part of its description, unless it is said anew.
    kept = {name: document.metadata[name] for name in _LASTING if name in document.metadata}
    given = {"metadata": kept | (change.metadata or {}), "tags": unique_tags(change.tags or [])}
    values: dict[str, Any] = {name: given[name] for name in given if name in change.fields}
    if "forget_after" in change.fields:
        values["forget_after"] = change.forget_after
    if values:
        await lock_evidence(tx, scope, [document.project_id], [document.id])
        await store.set_reading(tx, scope, document.id, values)
    if "tags" in change.fields:
        place = (document.project_id, document.id)
        await follow_tags(tx, scope, place, document.tags, change.tags or [])


async def _rename(
    ports: Ports, tx: Tx, scope: Scope, document: Document, title: str | None
) -> UUID | None:
    """Chunks are found by their title too: by word at once, by meaning when the job is done."""
    if not title or title == document.title:
        return None
    await store.set_reading(tx, scope, document.id, {"title": title})
    await note_write(tx, scope, document.project_id)
    chunks = await chunk_store.of_document(tx, scope, document.id)
    texts = [Text(chunk.id, words_of(title, chunk)) for chunk in chunks]
    await reindex_texts(tx, scope, CHUNK, document.project_id, texts)
    if document.status != "done":
        return None
    await store.forget_vectors(tx, scope, document.id)
    return await enqueue(ports, tx, scope, JOB, document.id)


async def _move(
    ports: Ports, tx: Tx, scope: Scope, document: Document, change: DocumentEdit
) -> None:
    if not change.project:
        return
    there = await resolve(tx, scope, change.project)
    if there.id == document.project_id:
        return
    if await store.find_same(tx, scope, there.id, document.content_hash):
        raise Conflict(f"The project '{there.slug}' has the same content already.")
    versions = [one.id for one in await store.versions(tx, scope, document.root_id)]
    await lock_evidence(tx, scope, [document.project_id, there.id], versions)
    chunks = await chunk_store.ids_of_document(tx, scope, document.id)
    await store.move_chain(tx, scope, document.root_id, there.id)
    await move(ports, tx, scope, CHUNK, chunks, (document.project_id, there.id))
    again = await move_with_document(ports, tx, scope, versions, there.id)
    await distil_again(ports, tx, scope, again)


def _version(document: Document, content: str) -> Draft:
    return Draft(
        content=content,
        # One that was made out of the old text is made anew.
        title=written_title(document.title, document.content) or None,
        content_type=document.content_type,
        source_url=document.source_url,
        project=document.project_id,
        metadata=document.metadata,
        tags=document.tags,
        updates_id=document.id,
        forget_after=document.forget_after,
        index_only=bool(document.metadata.get("index_only")),
    )
