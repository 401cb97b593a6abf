"""Index the words of a document again, in the transaction that changes what it is searched by."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx, retry_on_deadlock
from remem.core.documents import store
from remem.core.documents.chunks import store as chunk_store
from remem.core.documents.chunks.cut import header_of, text_to_index
from remem.core.documents.model import Chunk, Document
from remem.core.index.kinds import CHUNK
from remem.core.index.write import Text, reindex_texts
from remem.core.ports import Ports
from remem.core.projects.manage import note_write
from remem.core.scope import Scope

BATCH = 100


async def reindex_document(tx: Tx, scope: Scope, id: UUID) -> None:
    """Index all chunks again, after a change of the title."""
    document = await store.require(tx, scope, id)
    await _reindex(tx, scope, document, await chunk_store.of_document(tx, scope, id))


async def reindex_header(tx: Tx, scope: Scope, id: UUID) -> None:
    """Index the first chunk again, which has the tags and the author."""
    document = await store.require(tx, scope, id)
    first = await chunk_store.first_of_document(tx, scope, id)
    await _reindex(tx, scope, document, first)


async def _reindex(tx: Tx, scope: Scope, document: Document, chunks: Sequence[Chunk]) -> None:
    texts = [Text(chunk.id, text_to_index(header_of(document), chunk)) for chunk in chunks]
    await note_write(tx, scope, document.project_id)
    await reindex_texts(tx, scope, CHUNK, document.project_id, texts)


async def reindex_waiting(ports: Ports, scope: Scope) -> int:
    """Index a batch of the documents that were saved before tags and authors were indexed; return
    how many."""
    async with ports.db.transaction(scope) as tx:
        ids = await store.waiting_for_index(tx, scope, BATCH)
    for id in ids:
        await _index_header(ports, scope, id)
    return len(ids)


@retry_on_deadlock
async def _index_header(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, id)
        document = await store.find(tx, scope, id)
        if document and document.is_latest:
            await reindex_header(tx, scope, id)
        await store.note_indexed(tx, scope, id)
