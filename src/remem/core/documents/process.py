"""Make a stored document findable: read it, cut it, index its words, embed it.

Each stage is recorded with its result in one transaction, so that whatever dies, the next
attempt goes on where the last one stopped. A failure is shown on the document.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from remem.core.chunking.model import Joint, Mark
from remem.core.db import Tx
from remem.core.documents import store
from remem.core.documents.chunks import store as chunk_store
from remem.core.documents.chunks.cut import meaning_of, words_of
from remem.core.documents.chunks.make import chunks_of
from remem.core.documents.distil import enqueue_distil
from remem.core.documents.model import Chunk, Document, ParsedDocument
from remem.core.documents.read_original import read_original
from remem.core.documents.sum_up import enqueue_summary
from remem.core.embedding import Embedded, embed_each
from remem.core.events.record import record
from remem.core.index.kinds import CHUNK
from remem.core.index.write import Text, index_texts
from remem.core.jobs.run import Failure
from remem.core.ports import Point, Ports, Vector
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.text import content_hash

JOB = "process_document"
# As much as is embedded in vain of a document that is deleted meanwhile.
EMBED_BATCH = 32


async def process_document(ports: Ports, scope: Scope, id: UUID) -> None:
    """Continue a document from its current stage to `done`."""
    await read_original(ports, scope, id)
    if await _chunk_stage(ports, scope, id):
        await _embed_stage(ports, scope, id)


async def show_failure(ports: Ports, scope: Scope, id: UUID, failure: Failure) -> None:
    """Say on the document itself why it is not done, and whether anything more is tried; what is
    found of it stays found."""
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, id)
        document = await store.find(tx, scope, id)
        if document and document.status not in ("done", "failed"):
            status = "failed" if failure.is_final else document.status
            await store.set_status(tx, scope, id, status, failure.reason)


async def keep_chunks(
    tx: Tx,
    scope: Scope,
    project_id: UUID,
    title: str,
    chunks: Sequence[Chunk],
    embedded_with: str | None = None,
) -> None:
    """`embedded_with` names the model when their vectors are kept beside them."""
    placed = await _placed(tx, scope, chunks)
    hashes = [content_hash(meaning_of(title, chunk)) if embedded_with else None for chunk in placed]
    await chunk_store.insert(tx, scope, project_id, placed, embedded_with, hashes)
    texts = [Text(chunk.id, words_of(title, chunk)) for chunk in placed]
    await index_texts(tx, scope, CHUNK, project_id, texts)


async def _placed(tx: Tx, scope: Scope, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """What belongs to a session stands behind what was said in it before."""
    if not chunks or chunks[0].thread_id is None:
        return chunks
    first = await chunk_store.next_place(tx, scope, chunks[0].thread_id)
    return [replace(chunk, place=first + chunk.chunk_index) for chunk in chunks]


async def keep_vectors(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    project_id: UUID,
    title: str,
    embedded: Sequence[tuple[Chunk, Vector]],
) -> None:
    """Of chunks that stand there already."""
    await put_vectors(ports, tx, scope, project_id, embedded)
    hashes = [(chunk.id, content_hash(meaning_of(title, chunk))) for chunk, _ in embedded]
    await chunk_store.mark_embedded(tx, scope, ports.embedder.model, hashes)


async def put_vectors(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, embedded: Sequence[tuple[Chunk, Vector]]
) -> None:
    points = [Point(CHUNK, chunk.id, project_id, vector) for chunk, vector in embedded]
    await ports.vectors.put(tx, scope, ports.embedder.model, points)


async def embed_and_keep(
    ports: Ports, scope: Scope, document: Document, chunks: Sequence[Chunk]
) -> Document | None:
    """Give chunks their vectors, and record why some have none; those are found by word. None when
    the document was replaced or erased meanwhile."""
    embedded = await embed_each(
        ports.embedder, [meaning_of(document.title, chunk) for chunk in chunks]
    )
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, document.id)
        now = await store.find(tx, scope, document.id)
        if now is None or not now.is_latest:
            return None
        pairs = [(chunks[place], vector) for place, vector in embedded.vectors.items()]
        if pairs:
            await keep_vectors(ports, tx, scope, now.project_id, document.title, pairs)
        if embedded.refused:
            await _keep_refused(ports, tx, scope, document.id, chunks, embedded)
        await note_write(tx, scope, now.project_id)
    return now


async def _keep_refused(
    ports: Ports, tx: Tx, scope: Scope, id: UUID, chunks: Sequence[Chunk], embedded: Embedded
) -> None:
    """They are not sent again until the text or the model changes."""
    ids = [chunks[place].id for place in embedded.refused]
    await ports.vectors.remove(tx, scope, CHUNK, ids)
    await chunk_store.mark_refused(tx, scope, ports.embedder.model, ids)
    reasons = {str(chunks[place].chunk_index): why for place, why in embedded.refused.items()}
    await record(tx, scope, "document", id, "embedding_refused", {"chunks": reasons})


async def _chunk_stage(ports: Ports, scope: Scope, id: UUID) -> bool:
    """False when there is nothing left to do: the document is done, replaced or gone."""
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, id)
        document = await store.find(tx, scope, id)
        if document is None or document.status in ("done", "failed") or not document.is_latest:
            return False
        await note_write(tx, scope, document.project_id)
        if document.chunk_count == 0:
            await _cut_and_keep(ports, tx, scope, document)
        await store.set_status(tx, scope, id, "embedding")
    return True


async def _cut_and_keep(ports: Ports, tx: Tx, scope: Scope, document: Document) -> None:
    reading = ParsedDocument(
        content=document.content,
        hash=document.content_hash,
        content_type=document.content_type,
        title=document.title,
        summary=document.summary,
        metadata=document.metadata,
        tags=document.tags,
        marks=await _marks(tx, scope, document.id),
    )
    chunks = await chunks_of(ports, document.id, reading)
    await keep_chunks(tx, scope, document.project_id, document.title, chunks)


async def _marks(tx: Tx, scope: Scope, id: UUID) -> tuple[Mark, ...]:
    rows = await store.marks(tx, scope, id)
    return tuple(Mark(Joint(joint), start, label, number) for joint, start, label, number in rows)


async def _embed_stage(ports: Ports, scope: Scope, id: UUID) -> None:
    while True:
        async with ports.db.transaction(scope) as tx:
            document = await store.find(tx, scope, id)
            left = await chunk_store.without_vector(
                tx, scope, id, ports.embedder.model, EMBED_BATCH
            )
        if document is None:
            return
        if left:
            if await embed_and_keep(ports, scope, document, left) is None:
                return
        elif await _finish(ports, scope, id):
            return


async def _finish(ports: Ports, scope: Scope, id: UUID) -> bool:
    """False when it lacks vectors again: it was renamed, or deleted and restored, meanwhile."""
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, id)
        now = await store.find(tx, scope, id)
        if now is None or not now.is_latest:
            return True
        if await chunk_store.without_vector(tx, scope, id, ports.embedder.model, 1):
            return False
        refused, total = await chunk_store.refused_share(tx, scope, id)
        await store.set_status(tx, scope, id, "done", _without_vectors(refused, total))
        await enqueue_distil(ports, tx, scope, id)
        await enqueue_summary(ports, tx, scope, id, now.content)
        await note_write(tx, scope, now.project_id)
    return True


def _without_vectors(refused: int, total: int) -> str | None:
    if not refused:
        return None
    return (
        f"The embedding model refused {refused} of {total} parts; they are found by word only. "
        "The history says why."
    )
