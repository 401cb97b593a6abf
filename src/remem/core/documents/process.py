"""Make a stored document findable: cut it, index its words, embed it. Each stage can resume."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.chunking.split import split
from remem.core.db import Tx
from remem.core.documents import store
from remem.core.documents.model import CHUNK, Chunk, Document
from remem.core.index.write import Text, index_texts
from remem.core.ports import Point, Ports, Vector
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.text import content_hash
from remem.core.time import new_id

JOB = "process_document"
EMBED_BATCH = 100


async def process_document(ports: Ports, scope: Scope, id: UUID) -> None:
    """Bring a document from wherever it stands to `done`."""
    if await _chunk_stage(ports, scope, id):
        await _embed_stage(ports, scope, id)


def cut(document_id: UUID, content: str) -> list[Chunk]:
    return [
        Chunk(
            id=new_id(),
            document_id=document_id,
            content=piece.content,
            chunk_index=index,
            start_offset=piece.start,
            end_offset=piece.end,
            page=None,
            heading_path=[],
        )
        for index, piece in enumerate(split(content))
    ]


def searchable(title: str, chunk: Chunk) -> str:
    """What a chunk is found by: its text, in the light of its title."""
    return chunk.content if chunk.content.startswith(title) else f"{title}\n{chunk.content}"


async def keep_chunks(
    tx: Tx, scope: Scope, project_id: UUID, title: str, chunks: Sequence[Chunk]
) -> None:
    await store.insert_chunks(tx, scope, project_id, chunks)
    texts = [Text(chunk.id, searchable(title, chunk)) for chunk in chunks]
    await index_texts(tx, scope, CHUNK, project_id, texts)


async def keep_vectors(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    project_id: UUID,
    title: str,
    embedded: Sequence[tuple[Chunk, Vector]],
) -> None:
    model = ports.embedder.model
    points = [Point(CHUNK, chunk.id, project_id, vector) for chunk, vector in embedded]
    await ports.vectors.put(tx, scope, model, points)
    hashes = [(chunk.id, content_hash(searchable(title, chunk))) for chunk, _ in embedded]
    await store.mark_embedded(tx, scope, model, hashes)


async def embed_chunks(
    ports: Ports, title: str, chunks: Sequence[Chunk]
) -> list[tuple[Chunk, Vector]]:
    vectors = await ports.embedder.embed([searchable(title, chunk) for chunk in chunks])
    return list(zip(chunks, vectors, strict=True))


async def _chunk_stage(ports: Ports, scope: Scope, id: UUID) -> bool:
    """False when there is nothing left to do: the document is done, replaced or gone."""
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, id)
        document = await store.find(tx, scope, id)
        if document is None or document.status == "done" or not document.is_latest:
            return False
        if document.chunk_count == 0:
            chunks = cut(id, document.content)
            await keep_chunks(tx, scope, document.project_id, document.title, chunks)
        await store.set_status(tx, scope, id, "embedding")
        await note_write(tx, scope, document.project_id)
    return True


async def _embed_stage(ports: Ports, scope: Scope, id: UUID) -> None:
    while True:
        async with ports.db.transaction(scope) as tx:
            document = await store.find(tx, scope, id)
            left = await store.chunks_without_vector(
                tx, scope, id, ports.embedder.model, EMBED_BATCH
            )
        if document is None:
            return
        embedded = await embed_chunks(ports, document.title, left) if left else []
        if await _embedded(ports, scope, document, embedded):
            return


async def _embedded(
    ports: Ports, scope: Scope, document: Document, embedded: Sequence[tuple[Chunk, Vector]]
) -> bool:
    """Keep a batch; True when the document is finished."""
    async with ports.db.transaction(scope) as tx:
        if not await store.lock(tx, scope, document.id):
            return True
        now = await store.find(tx, scope, document.id)
        if now is None or not now.is_latest:
            return True
        if embedded:
            await keep_vectors(ports, tx, scope, document.project_id, document.title, embedded)
        else:
            await store.set_status(tx, scope, document.id, "done")
        await note_write(tx, scope, document.project_id)
    return not embedded
