"""The original file of a document."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path, PurePath
from uuid import UUID

from remem.core.blobs.model import UNKNOWN_TYPE, Blob
from remem.core.blobs.read import DamagedOriginal, measure, open_checked
from remem.core.blobs.save import describe, insert_blob
from remem.core.blobs.save import find as find_blob
from remem.core.documents import document_store
from remem.core.documents.model import Document, Draft
from remem.core.errors import NotFound
from remem.core.ports import Original, Ports
from remem.core.scope import Scope


def blob_key_for(scope: Scope, document_id: UUID) -> str:
    return f"{scope.tenant_id}/{document_id}"


def placeholder_title(original: Original | None, url: str | None) -> str:
    """The title of a document until its text is known."""
    return (original.name if original else None) or url or "Untitled"


async def get_original(
    ports: Ports, scope: Scope, document_id: UUID
) -> tuple[Blob, AsyncIterator[bytes]]:
    async with ports.db.transaction(scope) as tx:
        document = await document_store.find(tx, document_id)
    blob = await find_original(ports, scope, document) if document else None
    if blob is None:
        raise NotFound("original of document", document_id)
    return blob, await open_checked(ports, blob.key, size=blob.size, sha256=blob.sha256)


async def has_other_original(ports: Ports, scope: Scope, draft: Draft, document_id: UUID) -> bool:
    """Whether a draft is a file other than the original of a document that has its text."""
    if draft.original is None:
        return False
    blob = await describe(blob_key_for(scope, document_id), draft.original)
    async with ports.db.transaction(scope) as tx:
        return await document_store.original_hash(tx, document_id) != blob.sha256


async def find_original(ports: Ports, scope: Scope, document: Document) -> Blob | None:
    """The original of a document that has one. A row that is missing, because a crash lost it, is
    made again from the stored bytes."""
    async with ports.db.transaction(scope) as tx:
        blob = await find_blob(tx, document.blob_key)
    if blob or document.blob_key is None:
        return blob
    return await _restore_row(ports, scope, document, document.blob_key)


async def _restore_row(ports: Ports, scope: Scope, document: Document, key: str) -> Blob:
    size, sha256 = await measure(ports, key)
    # The title of a document that was not read yet is the name of its file.
    name = document.title if PurePath(document.title).suffix and not document.is_read else None
    blob = Blob(key=key, name=name, media_type=UNKNOWN_TYPE, size=size, sha256=sha256)
    async with ports.db.transaction(scope) as tx:
        if await document_store.original_hash(tx, document.id) not in (None, sha256):
            raise DamagedOriginal
        await insert_blob(tx, blob)
    return blob


@asynccontextmanager
async def on_disk(ports: Ports, document: Document, blob: Blob) -> AsyncIterator[Original]:
    """A temporary file with the original's content."""
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        path = Path(folder) / "original"
        stream = await open_checked(ports, blob.key, size=blob.size, sha256=blob.sha256)
        with path.open("wb") as file:
            async for part in stream:
                await asyncio.to_thread(file.write, part)
        claim = document.content_type if document.content_type != "text" else blob.media_type
        yield Original(path, name=blob.name, claim=claim, url=document.source_url)
