"""Edit a document's fields; a change of its content creates a version."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.blobs.save import find as find_blob
from remem.core.chunking.headings import fences_of, headings_of
from remem.core.db import retry_on_deadlock
from remem.core.documents import document_store
from remem.core.documents.check import check_forget_after, check_title
from remem.core.documents.chunks import chunk_store
from remem.core.documents.distil import distil_again
from remem.core.documents.headings import explicit_title
from remem.core.documents.index_words import reindex_document, reindex_header
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft, SavedDocument, is_large
from remem.core.documents.owner import follow_owner, metadata_with_owner
from remem.core.documents.process import JOB
from remem.core.documents.voice import EDITED_FILE, is_mine
from remem.core.errors import Conflict, Invalid
from remem.core.events.record import record
from remem.core.index.kinds import CHUNK
from remem.core.index.write import move
from remem.core.jobs.enqueue import enqueue
from remem.core.language.prose.markup import plain_line
from remem.core.memories.evidence import lock_evidence
from remem.core.memories.move_with_document import move_with_document
from remem.core.memories.tags import follow_tags
from remem.core.ports import Ports
from remem.core.projects.model import Project
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.text import unique_tags
from remem.core.transaction import Tx
from remem.core.validate import check_json, check_tags

# Metadata that a new value of `metadata` does not remove.
_PERMANENT_METADATA = ("index_only", EDITED_FILE)
# Where a title is derived from.
_OPENING_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class DocumentEdit:
    """The changes to make; `fields` names those that were given, so that null can be a value."""

    fields: frozenset[str]
    title: str | None = None
    content: str | None = None
    metadata: dict[str, Any] | None = None
    tags: list[str] | None = None
    forget_after: datetime | None = None
    project: str | UUID | None = None
    # Whether "my" in it means the user.
    mine: bool = False


async def change_document(
    ports: Ports, scope: Scope, id: UUID, change: DocumentEdit
) -> SavedDocument:
    _check(change)
    changed, job_id = await _apply(ports, scope, id, change)
    if change.content is None:
        return SavedDocument(changed, job_id=job_id)
    edited_file = await _edited_file(ports, scope, changed)
    return await ingest(ports, scope, _draft_of_version(changed, change.content, edited_file))


async def _edited_file(ports: Ports, scope: Scope, document: Document) -> dict[str, str]:
    """A file that is corrected here is still nobody's: the metadata that says so."""
    if is_mine(document) or document.blob_key is None:
        return {}
    async with ports.db.transaction(scope) as tx:
        blob = await find_blob(tx, document.blob_key)
    return {EDITED_FILE: (blob.name if blob else None) or document.title}


@retry_on_deadlock
async def _apply(
    ports: Ports, scope: Scope, id: UUID, change: DocumentEdit
) -> tuple[Document, UUID | None]:
    async with ports.db.transaction(scope) as tx:
        await document_store.lock(tx, id)
        document = await document_store.require(tx, id)
        if not document.is_latest:
            raise Conflict("This is an old version; change the latest one.", code="old_version")
        target = await _lock_target(tx, document, change.project)
        await _set_fields(ports, tx, document, change)
        if change.fields & {"tags", "metadata", "mine"}:
            await reindex_header(tx, id)
        job_id = await _rename(ports, tx, document, change.title)
        if target:
            await _move(ports, tx, document, target)
        await record(tx, "document", id, "update", {"fields": sorted(change.fields)})
        return await document_store.require(tx, id), job_id


def _check(change: DocumentEdit) -> None:
    check_title(change.title)
    check_tags(change.tags or [])
    check_json("metadata", change.metadata or {})
    check_forget_after(change.forget_after)
    if "title" in change.fields and not (change.title or "").strip():
        raise Invalid("title", "is empty; give at least one character")


async def _set_fields(ports: Ports, tx: Tx, document: Document, change: DocumentEdit) -> None:
    # These stay unless the new metadata sets them.
    permanent = {
        name: document.metadata[name] for name in _PERMANENT_METADATA if name in document.metadata
    }
    new = {"metadata": permanent | (change.metadata or {}), "tags": unique_tags(change.tags or [])}
    values: dict[str, Any] = {name: new[name] for name in new if name in change.fields}
    if "mine" in change.fields:
        metadata = values.get("metadata", document.metadata)
        values["metadata"] = metadata_with_owner(document, metadata, mine=change.mine)
    if "forget_after" in change.fields:
        values["forget_after"] = change.forget_after
    if values:
        await lock_evidence(tx, [document.project_id], [document.id])
        await document_store.update_columns(tx, document.id, values)
    if "tags" in change.fields:
        await follow_tags(tx, document.id, document.tags, change.tags or [])
    if "metadata" in values:
        await follow_owner(ports, tx, document, values["metadata"])


async def _rename(ports: Ports, tx: Tx, document: Document, title: str | None) -> UUID | None:
    """Set the title and reindex the chunks, whose searched text includes it: by word at once, by
    meaning when the returned job is done."""
    if not title or title == document.title:
        return None
    await document_store.update_columns(tx, document.id, {"title": title, "title_given": True})
    await reindex_document(tx, document.id)
    if document.status != "done":
        return None
    await document_store.forget_vectors(tx, document.id)
    large = is_large(document.content)
    return await enqueue(ports, tx, JOB, document.id, large=large)


async def _lock_target(tx: Tx, document: Document, project: str | UUID | None) -> Project | None:
    """The project to move the document to, if it is another one. Both are locked, before anything
    else is: every change that needs several projects locks them in one order."""
    target = await resolve(tx, project) if project else None
    if target is None or target.id == document.project_id:
        return None
    if await document_store.find_same(tx, target.id, document.content_hash):
        raise Conflict(f"The project '{target.slug}' has the same content already.")
    versions = await document_store.versions(tx, document.root_id)
    projects = [document.project_id, target.id]
    await lock_evidence(tx, projects, [version.id for version in versions])
    return target


async def _move(ports: Ports, tx: Tx, document: Document, target: Project) -> None:
    versions = [version.id for version in await document_store.versions(tx, document.root_id)]
    chunks = await chunk_store.ids_of_document(tx, document.id)
    await document_store.move_chain(tx, document.root_id, target.id)
    await move(ports, tx, CHUNK, chunks, (document.project_id, target.id))
    to_distil = await move_with_document(ports, tx, versions, target.id)
    await distil_again(ports, tx, to_distil)


def _keeps_title(document: Document, content: str) -> bool:
    """Whether a version with this text keeps the title: a title that was derived from the old text
    is derived again. A heading stays the title of a text without headings."""
    if document.title_given:
        return True
    if not explicit_title(document.title, document.content):
        return False
    is_of_text = document.title in plain_line(document.content[:_OPENING_CHARS])
    opening = content[:_OPENING_CHARS]
    return not is_of_text or not headings_of(opening, (), fences_of(opening))


def _draft_of_version(document: Document, content: str, metadata: dict[str, str]) -> Draft:
    return Draft(
        content=content,
        title=document.title if _keeps_title(document, content) else None,
        content_type=document.content_type,
        source_url=document.source_url,
        project=document.project_id,
        metadata=document.metadata | metadata,
        tags=document.tags,
        updates_id=document.id,
        forget_after=document.forget_after,
        index_only=bool(document.metadata.get("index_only")),
    )
