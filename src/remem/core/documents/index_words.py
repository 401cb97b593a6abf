"""Index the words of a document again, in the transaction that changes what it is searched by."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from remem.core.db import retry_on_deadlock
from remem.core.documents import document_store
from remem.core.documents.chunks import chunk_store
from remem.core.documents.chunks.cut import header_of, text_to_index
from remem.core.documents.model import Chunk, Document
from remem.core.index.kinds import CHUNK
from remem.core.index.write import Text, add_keys, reindex_texts
from remem.core.ports import Ports
from remem.core.projects.manage import lock_projects, note_write
from remem.core.scope import Scope
from remem.core.transaction import Tx

BATCH = 100


async def reindex_document(tx: Tx, id: UUID) -> None:
    """Index all chunks again, after a change of the title."""
    document = await document_store.require(tx, id)
    await _reindex(tx, document, await chunk_store.of_document(tx, id))


async def reindex_header(tx: Tx, id: UUID) -> None:
    """Index the first chunk again, which has the tags and the author."""
    document = await document_store.require(tx, id)
    first = await chunk_store.first_of_document(tx, id)
    await _reindex(tx, document, first)


async def _reindex(tx: Tx, document: Document, chunks: Sequence[Chunk]) -> None:
    texts = [Text(chunk.id, text_to_index(header_of(document), chunk)) for chunk in chunks]
    await note_write(tx, document.project_id)
    await reindex_texts(tx, CHUNK, document.project_id, texts)


async def add_keys_of_chunks(tx: Tx, ids: Sequence[UUID]) -> None:
    """Index what an older version did not index of these chunks; call it before locking anything
    else."""
    found = await chunk_store.documents_of(tx, ids)
    for document_id in sorted({document_id for _, document_id in found}):
        await document_store.lock(tx, document_id)
    documents = {
        document.id: document
        for document in await document_store.find_many(
            tx, [document_id for _, document_id in found]
        )
    }
    await lock_projects(tx, (), {document.project_id for document in documents.values()})
    texts: dict[UUID, list[Text]] = defaultdict(list)
    for chunk in await chunk_store.find_many(tx, ids):
        if document := documents.get(chunk.document_id):
            words = text_to_index(header_of(document), chunk)
            texts[document.project_id].append(Text(chunk.id, words))
    for project_id, of_project in texts.items():
        await add_keys(tx, CHUNK, project_id, of_project)


async def reindex_waiting(ports: Ports, scope: Scope) -> int:
    """Index a batch of the documents that were saved before tags and authors were indexed; return
    how many."""
    async with ports.db.transaction(scope) as tx:
        ids = await document_store.waiting_for_index(tx, BATCH)
    for id in ids:
        await _index_header(ports, scope, id)
    return len(ids)


@retry_on_deadlock
async def _index_header(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        await document_store.lock(tx, id)
        document = await document_store.find(tx, id)
        if document and document.is_latest:
            await reindex_header(tx, id)
        await document_store.note_indexed(tx, id)
