"""The first stage of processing: fetch the original, extract its text, find its version."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

from remem.core.blobs.model import Blob
from remem.core.blobs.save import describe as describe_blob
from remem.core.blobs.save import insert_blob, save_blob
from remem.core.blobs.sweep import release
from remem.core.documents import document_store
from remem.core.documents.connected import connected_document_store
from remem.core.documents.distil import distil_again
from remem.core.documents.model import (
    CONNECTED,
    Document,
    Draft,
    ParsedDocument,
    columns,
    versioned_url,
)
from remem.core.documents.originals import (
    blob_key_for,
    find_original,
    on_disk,
    placeholder_title,
)
from remem.core.documents.owner import make_mine_in
from remem.core.documents.retire import retire
from remem.core.documents.tags import add_tags_of_copy
from remem.core.documents.understand import describe
from remem.core.documents.versions import document_version_store
from remem.core.documents.versions.find import (
    find_copy,
    inherited_columns,
    latest_locked,
    place_before,
    replaced_root_of,
)
from remem.core.documents.voice import says_mine
from remem.core.errors import NotFound, Unreadable
from remem.core.events.record import record
from remem.core.memories.highlights.highlights import follow_text
from remem.core.ports import Original, Ports
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.transaction import Tx


async def read_original(ports: Ports, scope: Scope, id: UUID) -> None:
    """Fetch and extract the text of a document, unless it is known or the document is deleted."""
    async with ports.db.transaction(scope) as tx:
        document = await document_store.find(tx, id)
        if document is None or document.is_read or document.status in ("done", "failed"):
            return
        await document_store.set_status(tx, id, "extracting")
    blob = await _find_original(ports, scope, document)
    if blob is None:
        blob = await _fetch(ports, scope, document)
    async with on_disk(ports, document, blob) as original:
        extracted = await ports.extractor.extract(original, owner=str(scope.tenant_id))
    parsed = await describe(ports, _as_draft(document, original), extracted)
    async with ports.db.transaction(scope) as tx:
        await _store_parsed(ports, tx, document, parsed)


async def _find_original(ports: Ports, scope: Scope, document: Document) -> Blob | None:
    try:
        return await find_original(ports, scope, document)
    except NotFound:
        raise Unreadable(
            "Its original is missing from the store of originals; save the file again.",
            code="original_missing",
        ) from None


async def _fetch(ports: Ports, scope: Scope, document: Document) -> Blob:
    fetched = await ports.fetcher.fetch(document.source_url or "")
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        path = Path(folder) / "fetched"
        path.write_bytes(fetched.data)
        original = Original(path, name=fetched.name, claim=fetched.media_type, url=fetched.url)
        blob = await describe_blob(blob_key_for(scope, document.id), original)
        await save_blob(ports, scope, blob, path)
    async with ports.db.transaction(scope) as tx:
        await insert_blob(tx, blob)
        await document_store.set_blob(tx, document.id, blob.key)
    return blob


def _as_draft(document: Document, original: Original) -> Draft:
    """The draft with the fields that were given when the document was saved."""
    is_file_name = document.title == original.name and bool(Path(original.name or "").suffix)
    has_given_title = not is_file_name and document.title not in (
        document.source_url,
        placeholder_title(None, None),
    )
    return Draft(
        title=document.title if has_given_title else None,
        metadata=document.metadata,
        tags=document.tags,
        original=original,
    )


def _with_edits(parsed: ParsedDocument, before: Document, now: Document) -> ParsedDocument:
    """Keep what somebody changed while the file was read."""
    removed = before.metadata.keys() - now.metadata.keys()
    changed = {
        name: value
        for name, value in now.metadata.items()
        if name not in before.metadata or before.metadata[name] != value
    }
    kept = {name: value for name, value in parsed.metadata.items() if name not in removed}
    return replace(
        parsed,
        title=parsed.title if now.title == before.title else now.title,
        tags=parsed.tags if now.tags == before.tags else now.tags,
        metadata=kept | changed,
    )


async def _store_parsed(ports: Ports, tx: Tx, before: Document, parsed: ParsedDocument) -> None:
    """Store the text as a new document, as a version of another, or as a copy of another."""
    id = before.id
    await document_store.lock(tx, id)
    document = await document_store.find(tx, id)
    if document is None or document.is_read:
        return
    parsed = _with_edits(parsed, before, document)
    if url := versioned_url(document.source_url, document.metadata):
        await document_version_store.lock_url(tx, document.project_id, url)
    previous = await _find_previous(tx, document)
    if not document.is_latest:
        await _store_replaced(ports, tx, document, parsed, previous)
        return
    is_asked = not (await document_store.source_of(tx, id)).startswith(CONNECTED)
    root_id = previous.root_id if previous and is_asked else None
    copy = await find_copy(tx, document.project_id, parsed.hash, None, root_id)
    if copy:
        keeps_original = is_asked and await _has_other_bytes(tx, id, copy.id)
        blob_key = document.blob_key if keeps_original else None
        await document_store.set_duplicate(tx, id, copy.id, parsed.content_type, blob_key)
        if is_asked:
            await connected_document_store.claim(
                tx, copy.id, await document_store.source_of(tx, id)
            )
            await add_tags_of_copy(tx, copy.id, document.tags)
            await document_store.inherit_flags(tx, copy.id, id)
            if says_mine(document.metadata):
                await make_mine_in(ports, tx, copy.id)
        if not keeps_original:
            await release(ports, tx, document.blob_key)
        return
    if previous and _is_newer(previous, document):
        placement = await place_before(tx, previous, document)
        await document_store.update_columns(tx, id, {**columns(parsed), **placement})
        return
    await note_write(tx, document.project_id)
    if previous:
        await retire(ports, tx, previous)
        await record(tx, "document", id, "update")
    values = _column_values(document, parsed, previous)
    if previous and await document_store.find_same(tx, document.project_id, parsed.hash):
        values["shares_text"] = True
    await document_store.update_columns(tx, id, values)
    if previous:
        await document_store.inherit_flags(tx, id, previous.id)
        await follow_text(ports, tx, previous.root_id, id, parsed.content)


async def _store_replaced(
    ports: Ports, tx: Tx, document: Document, parsed: ParsedDocument, previous: Document | None
) -> None:
    """Store the text of a version that was replaced before it was read. What it continues itself,
    or repeats, is replaced with it."""
    await document_version_store.lock_chain(tx, document.root_id)
    values = {**columns(parsed), "tags": document.tags or parsed.tags, "status": "done"}
    await document_store.update_columns(tx, document.id, values)
    same = await document_store.find_same(tx, document.project_id, parsed.hash)
    latest = await document_store.latest_of_chain(tx, document.root_id)
    for other in (previous, await latest_locked(tx, same.root_id) if same else None):
        is_older = other and latest and other.created_at < latest.created_at
        if other and latest and is_older and other.root_id != latest.root_id:
            await retire(ports, tx, other)
            chain = (document.root_id, other.root_id, other.id, other.version)
            await document_version_store.append_chain(tx, *chain)
            await note_write(tx, document.project_id)
            await distil_again(ports, tx, [latest.id])
            return


async def _has_other_bytes(tx: Tx, id: UUID, copy_id: UUID) -> bool:
    """Whether a document was saved as a file, other than that of the document with its text."""
    original_hash = await document_store.original_hash(tx, id)
    return original_hash not in (None, await document_store.original_hash(tx, copy_id))


async def _find_previous(tx: Tx, document: Document) -> Document | None:
    if document.previous_id:
        if await document_store.find(tx, document.previous_id) is None:
            return None
        root_id = await replaced_root_of(tx, document.previous_id)
        return await latest_locked(tx, root_id)
    if url := versioned_url(document.source_url, document.metadata):
        root_id = await document_version_store.root_at_url(
            tx, document.project_id, url, document.root_id
        )
        return await latest_locked(tx, root_id) if root_id else None
    return None


def _is_newer(latest: Document, document: Document) -> bool:
    """Whether the latest version was saved after this document but read before it. The version
    that this document was meant to replace is never newer."""
    return latest.id != document.previous_id and latest.created_at > document.created_at


def _column_values(
    document: Document, parsed: ParsedDocument, previous: Document | None
) -> dict[str, Any]:
    values = {**columns(parsed), "status": "chunking"}
    if previous:
        draft = Draft(
            source_url=document.source_url,
            tags=document.tags,
            updates_id=document.previous_id,
            title=document.title,
            forget_after=document.forget_after,
        )
        values |= inherited_columns(previous, draft, parsed.tags)
        values["metadata"] = {**previous.metadata, **parsed.metadata}
        values |= {
            "previous_id": previous.id,
            "root_id": previous.root_id,
            "version": previous.version + 1,
        }
    return values
