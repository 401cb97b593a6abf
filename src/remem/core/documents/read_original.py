"""The first stage: fetch, take the text out of the original, settle what it is."""

import tempfile
from pathlib import Path
from typing import Any
from uuid import UUID

from remem.core.blobs.keep import describe as describe_blob
from remem.core.blobs.keep import find as find_blob
from remem.core.blobs.keep import keep
from remem.core.blobs.model import Blob
from remem.core.blobs.sweep import release
from remem.core.db import Tx
from remem.core.documents import store
from remem.core.documents.model import Document, Draft, ParsedDocument, columns, versioned_url
from remem.core.documents.originals import key_for, on_disk, untitled
from remem.core.documents.retire import retire
from remem.core.documents.understand import describe
from remem.core.documents.versions import store as chains
from remem.core.documents.versions.find import kept_from, latest_locked, place_before
from remem.core.events.record import record
from remem.core.ports import Original, Ports
from remem.core.projects.manage import note_write
from remem.core.scope import Scope


async def read_original(ports: Ports, scope: Scope, id: UUID) -> None:
    """Do nothing for a document whose text is known, or that is gone."""
    async with ports.db.transaction(scope) as tx:
        document = await store.find(tx, scope, id)
        if document is None or document.is_read or document.status in ("done", "failed"):
            return
        await store.set_status(tx, scope, id, "extracting")
        blob = await find_blob(tx, scope, document.blob_key)
    if blob is None:
        blob = await _fetch(ports, scope, document)
    async with on_disk(ports, document, blob) as original:
        extracted = await ports.extractor.extract(original, owner=str(scope.tenant_id))
    reading = await describe(ports, _as_draft(document, original), extracted)
    async with ports.db.transaction(scope) as tx:
        await _keep_reading(ports, tx, scope, id, reading)


async def _fetch(ports: Ports, scope: Scope, document: Document) -> Blob:
    fetched = await ports.fetcher.fetch(document.source_url or "")
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        path = Path(folder) / "fetched"
        path.write_bytes(fetched.data)
        original = Original(path, name=fetched.name, claim=fetched.media_type, url=fetched.url)
        blob = await describe_blob(key_for(scope, document.id), original)
        await keep(ports, scope, blob, path)
    async with ports.db.transaction(scope) as tx:
        await store.set_blob(tx, scope, document.id, blob.key)
    return blob


def _as_draft(document: Document, original: Original) -> Draft:
    """What the person said of it when they saved it."""
    is_file_name = document.title == original.name and bool(Path(original.name or "").suffix)
    named = not is_file_name and document.title not in (document.source_url, untitled(None, None))
    return Draft(
        title=document.title if named else None,
        metadata=document.metadata,
        tags=document.tags,
        original=original,
    )


async def _keep_reading(
    ports: Ports, tx: Tx, scope: Scope, id: UUID, reading: ParsedDocument
) -> None:
    """Now that the text is known: is it new, a version of another, or a copy of another?"""
    await store.lock(tx, scope, id)
    document = await store.find(tx, scope, id)
    if document is None or document.is_read:
        return
    if url := versioned_url(document.source_url, document.metadata):
        await chains.lock_url(tx, scope, document.project_id, url)
    same = await store.find_same(tx, scope, document.project_id, reading.hash)
    if same:
        await store.set_duplicate(tx, scope, id, same.id)
        await release(ports, tx, scope, document.blob_key)
        return
    previous = await _previous(tx, scope, document)
    if previous and _is_newer(previous, document):
        placed = await place_before(tx, scope, previous, document)
        await store.set_reading(tx, scope, id, {**columns(reading), **placed})
        return
    await note_write(tx, scope, document.project_id)
    if previous:
        await retire(ports, tx, scope, previous)
        await record(tx, scope, "document", id, "update")
    await store.set_reading(tx, scope, id, _values(document, reading, previous))


async def _previous(tx: Tx, scope: Scope, document: Document) -> Document | None:
    if document.previous_id:
        named = await store.find(tx, scope, document.previous_id)
        return await latest_locked(tx, scope, named.root_id) if named else None
    if url := versioned_url(document.source_url, document.metadata):
        root_id = await chains.root_at_url(tx, scope, document.project_id, url, document.id)
        return await latest_locked(tx, scope, root_id) if root_id else None
    return None


def _is_newer(latest: Document, document: Document) -> bool:
    """Whether a version was saved after this one, though it was read before; the one that this
    was to replace was not."""
    return latest.id != document.previous_id and latest.created_at > document.created_at


def _values(
    document: Document, reading: ParsedDocument, previous: Document | None
) -> dict[str, Any]:
    values = {**columns(reading), "status": "chunking"}
    if previous:
        given = Draft(
            source_url=document.source_url,
            tags=document.tags,
            updates_id=document.previous_id,
            title=document.title,
            forget_after=document.forget_after,
        )
        values |= kept_from(previous, given, reading.tags)
        values["metadata"] = {**previous.metadata, **reading.metadata}
        values |= {
            "previous_id": previous.id,
            "root_id": previous.root_id,
            "version": previous.version + 1,
        }
    return values
