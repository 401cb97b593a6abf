"""The self-contained copy of a saved page: kept as the original of a document that has no other."""

from collections.abc import AsyncIterator
from uuid import UUID

from remem.core.blobs.model import Blob
from remem.core.blobs.read import open_checked
from remem.core.blobs.save import describe, insert_blob, save_blob
from remem.core.blobs.save import find as find_blob
from remem.core.blobs.sweep import release
from remem.core.documents import document_store
from remem.core.documents.model import COPY_KEY_END, Document
from remem.core.documents.originals import blob_key_for
from remem.core.errors import Conflict, Invalid, NotFound, TooLarge
from remem.core.events.record import record
from remem.core.ports import Original, Ports
from remem.core.scope import Scope
from remem.core.time import new_id

COPY_BYTES = 15_000_000
MEDIA_TYPE = "text/html"


async def keep_page_copy(ports: Ports, scope: Scope, id: UUID, page: Original) -> Document:
    """Keep a copy of the page that a document was saved from, in place of an earlier copy."""
    if page.path.stat().st_size > COPY_BYTES:
        raise TooLarge(f"The copy has more than {COPY_BYTES:,} bytes; the text is kept.")
    async with ports.db.transaction(scope) as tx:
        document = await document_store.require(tx, id)
        _check(document)
    key = f"{blob_key_for(scope, document.id)}-{new_id()}{COPY_KEY_END}"
    blob = await describe(key, Original(page.path, name="page.html", claim=MEDIA_TYPE))
    await save_blob(ports, scope, blob, page.path)
    async with ports.db.transaction(scope) as tx:
        await document_store.lock(tx, id)
        document = await document_store.require(tx, id)
        _check(document)
        await insert_blob(tx, blob)
        await document_store.set_blob(tx, id, key)
        await release(ports, tx, document.blob_key)
        await record(tx, "document", id, "update", {"fields": ["copy"]})
        return await document_store.require(tx, id)


def _check(document: Document) -> None:
    if not document.source_url:
        raise Invalid("id", "is a document without an address; a copy is of a page")
    if document.blob_key and not document.has_copy:
        raise Conflict("The document has an original already.", code="has_original")


async def open_page_copy(ports: Ports, scope: Scope, id: UUID) -> tuple[Blob, AsyncIterator[bytes]]:
    async with ports.db.transaction(scope) as tx:
        document = await document_store.find(tx, id)
        blob = await find_blob(tx, document.blob_key) if document and document.has_copy else None
    if blob is None:
        raise NotFound("copy of document", id)
    return blob, await open_checked(ports, blob.key, size=blob.size, sha256=blob.sha256)
