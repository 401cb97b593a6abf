"""The original file of a document."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

from remem.core.blobs.model import Blob
from remem.core.blobs.read import open_checked
from remem.core.blobs.save import find as find_blob
from remem.core.documents import store
from remem.core.documents.model import Document
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
        document = await store.find(tx, scope, document_id)
        blob = await find_blob(tx, scope, document.blob_key if document else None)
    if blob is None:
        raise NotFound("original of document", document_id)
    return blob, await open_checked(ports, blob.key, size=blob.size, sha256=blob.sha256)


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
