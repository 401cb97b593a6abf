"""Make a stored document searchable: read it, cut it, index its words, embed it.

What a stage did is kept, so that after a crash, or when a long text has had its time and others
wait, the next attempt continues where the last one stopped. A failure is shown on the document.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard
from uuid import UUID

from remem.core.chunking.model import Joint, Mark
from remem.core.documents import document_store
from remem.core.documents.chunks import chunk_store
from remem.core.documents.chunks.cut import Header, header_of, text_to_embed, text_to_index
from remem.core.documents.chunks.make import make_chunks
from remem.core.documents.distil import enqueue_distil
from remem.core.documents.model import Chunk, Document, ParsedDocument
from remem.core.documents.read_original import read_original
from remem.core.documents.remarks import refusal_remark
from remem.core.documents.sum_up import enqueue_summary
from remem.core.embedding import EmbedResult, embed_each
from remem.core.errors import Unavailable, WorkRemains
from remem.core.events.record import record
from remem.core.index.kinds import CHUNK
from remem.core.index.write import Text, Words, count_words, index_texts
from remem.core.jobs.run import Failure
from remem.core.ports import Embedder, Point, Ports, Vector
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.text import content_hash
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_embedder, keep_model

JOB = "process_document"
# Also the most chunks embedded for nothing when the document is deleted meanwhile.
EMBED_BATCH = 32
# The chunks that are stored while the project is locked.
STORE_BATCH = 50
# How long chunks of a document are stored or embedded before other jobs have their turn.
TURN_S = 60.0
# Vectors kept for texts that occur again in the same document.
_KNOWN_VECTORS = 1_000


async def process_document(ports: Ports, scope: Scope, id: UUID) -> None:
    """Continue a document from its current stage to `done`."""
    await read_original(ports, scope, id)
    if await _chunk_stage(ports, scope, id):
        await _embed_stage(ports, scope, id)


async def show_failure(ports: Ports, scope: Scope, id: UUID, failure: Failure) -> None:
    """Record on the document why it is not done, and whether there will be another attempt. What
    is already searchable stays so."""
    async with ports.db.transaction(scope) as tx:
        await document_store.lock(tx, id)
        document = await document_store.find(tx, id)
        if document and document.status not in ("done", "failed"):
            status = "failed" if failure.is_final else document.status
            await document_store.set_status(tx, id, status, failure.reason)


async def store_chunks(
    tx: Tx,
    project_id: UUID,
    header: Header,
    chunks: Sequence[Chunk],
    embedded_with: str | None = None,
    words: Words | None = None,
) -> None:
    """Insert chunks and index their words. `embedded_with` is the model of their vectors, if these
    are stored as well; `words` are those of the chunks, if they are counted already."""
    placed_chunks = await _with_places(tx, chunks)
    hashes = [
        content_hash(text_to_embed(header, chunk)) if embedded_with else None
        for chunk in placed_chunks
    ]
    await chunk_store.insert(tx, project_id, placed_chunks, embedded_with, hashes)
    texts = _texts(header, placed_chunks)
    await index_texts(tx, CHUNK, project_id, texts, words)


def _texts(header: Header, chunks: Sequence[Chunk]) -> list[Text]:
    return [Text(chunk.id, text_to_index(header, chunk)) for chunk in chunks]


async def _with_places(tx: Tx, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """Chunks of a session are placed after the earlier turns of that session."""
    if not chunks or chunks[0].thread_id is None:
        return chunks
    first = await chunk_store.next_place(tx, chunks[0].thread_id)
    return [replace(chunk, place=first + position) for position, chunk in enumerate(chunks)]


async def store_vectors(
    ports: Ports,
    tx: Tx,
    project_id: UUID,
    header: Header,
    model: str,
    embedded: Sequence[tuple[Chunk, Vector]],
) -> None:
    """Store vectors of chunks that are already stored."""
    await put_vectors(ports, tx, project_id, model, embedded)
    hashes = [(chunk.id, content_hash(text_to_embed(header, chunk))) for chunk, _ in embedded]
    await chunk_store.mark_embedded(tx, model, hashes)


async def put_vectors(
    ports: Ports, tx: Tx, project_id: UUID, model: str, embedded: Sequence[tuple[Chunk, Vector]]
) -> None:
    points = [Point(CHUNK, chunk.id, project_id, vector) for chunk, vector in embedded]
    await ports.vectors.put(tx, model, points)


async def embed_and_store(
    ports: Ports,
    scope: Scope,
    document: Document,
    chunks: Sequence[Chunk],
    embedder: Embedder,
    known: dict[str, Vector] | None = None,
) -> Document | None:
    """Embed chunks, and record why the model refused some; those are found by word only. `known`
    has vectors of texts. None when the document was replaced or erased meanwhile. Stores nothing if
    the vectors belong to another model since."""
    header = header_of(document)
    texts = [text_to_embed(header, chunk) for chunk in chunks]
    model = embedder.model
    embedded = await embed_each(embedder, texts, known)
    async with ports.db.transaction(scope, turn=document.project_id) as tx:
        await document_store.lock(tx, document.id)
        current = await document_store.find_without_text(tx, document.id)
        if current is None or not current.is_latest:
            return None
        if not await keep_model(ports, tx, model):
            return current
        pairs = [(chunks[index], vector) for index, vector in embedded.vectors.items()]
        if pairs:
            await store_vectors(ports, tx, current.project_id, header, model, pairs)
        if embedded.refused:
            await _store_refused(ports, tx, document.id, chunks, model, embedded)
        await note_write(tx, current.project_id)
    return current


async def _store_refused(
    ports: Ports, tx: Tx, id: UUID, chunks: Sequence[Chunk], model: str, embedded: EmbedResult
) -> None:
    """Record refused chunks; they are not sent again until the text or the model changes."""
    ids = [chunks[index].id for index in embedded.refused]
    await ports.vectors.remove(tx, CHUNK, ids)
    await chunk_store.mark_refused(tx, model, ids)
    reasons = {str(chunks[index].chunk_index): reason for index, reason in embedded.refused.items()}
    await record(tx, "document", id, "embedding_refused", {"chunks": reasons})


async def _chunk_stage(ports: Ports, scope: Scope, id: UUID) -> bool:
    """Cut and index what is not cut yet. False when there is nothing left to do: the document is
    done, replaced or deleted. Raises WorkRemains when the time of one turn is over."""
    async with ports.db.transaction(scope) as tx:
        document = await document_store.find(tx, id)
        marks = await _marks(tx, id)
        end = await chunk_store.end_of_chunks(tx, id)
    if not _may_be_cut(document):
        return False
    # Before the project is locked, because a long text takes long.
    has_rest = bool(document.content[end:].strip())
    cut = await _cut(ports, document, marks) if has_rest else []
    rest = [chunk for chunk in cut if chunk.end_offset > end]
    ends_at = time.monotonic() + TURN_S
    for start in range(0, len(rest), STORE_BATCH):
        if start and time.monotonic() >= ends_at:
            raise WorkRemains
        if not await _store_batch(ports, scope, document, rest[start : start + STORE_BATCH]):
            return False
    async with ports.db.transaction(scope, turn=document.project_id) as tx:
        await document_store.lock(tx, id)
        current = await document_store.find_without_text(tx, id)
        if not _may_be_cut(current):
            return False
        if current.chunk_count < document.chunk_count + len(rest):
            raise Unavailable("The document was changed just now; it is processed again.")
        await note_write(tx, current.project_id)
        await document_store.set_status(tx, id, "embedding")
    return True


async def _store_batch(
    ports: Ports, scope: Scope, document: Document, chunks: Sequence[Chunk]
) -> bool:
    """Store chunks after those that are stored. The project is locked for a few of them at a time,
    so that other saves into it do not wait. False when the document may not be cut any more."""
    header = header_of(document)
    words = await count_words(_texts(header, chunks))
    async with ports.db.transaction(scope, turn=document.project_id) as tx:
        await document_store.lock(tx, document.id)
        current = await document_store.find_without_text(tx, document.id)
        if not _may_be_cut(current):
            return False
        if await chunk_store.end_of_chunks(tx, document.id) >= chunks[-1].end_offset:
            return True
        await note_write(tx, current.project_id)
        current_header = header_of(current)
        is_same = current_header == header
        numbered = [
            replace(chunk, chunk_index=current.chunk_count + position)
            for position, chunk in enumerate(chunks)
        ]
        await store_chunks(
            tx, current.project_id, current_header, numbered, words=words if is_same else None
        )
    return True


def _may_be_cut(document: Document | None) -> TypeGuard[Document]:
    if document is None or not document.is_latest:
        return False
    return document.status not in ("done", "failed")


async def _cut(ports: Ports, document: Document, marks: tuple[Mark, ...]) -> list[Chunk]:
    parsed = ParsedDocument(
        content=document.content,
        hash=document.content_hash,
        content_type=document.content_type,
        title=document.title,
        summary=document.summary,
        metadata=document.metadata,
        tags=document.tags,
        marks=marks,
    )
    return await make_chunks(ports, document.id, parsed)


async def _marks(tx: Tx, id: UUID) -> tuple[Mark, ...]:
    rows = await document_store.marks(tx, id)
    return tuple(Mark(Joint(joint), start, label, number) for joint, start, label, number in rows)


async def _embed_stage(ports: Ports, scope: Scope, id: UUID) -> None:
    """Raises WorkRemains when the time of one turn is over."""
    model, known = "", dict[str, Vector]()
    ends_at = time.monotonic() + TURN_S
    while True:
        async with ports.db.transaction(scope) as tx:
            document = await document_store.find_without_text(tx, id)
            embedder = await current_embedder(ports, tx)
            chunks = await chunk_store.without_vector(tx, id, embedder.model, EMBED_BATCH)
        if document is None:
            return
        if chunks:
            known = known if embedder.model == model else {}
            model = embedder.model
            if await embed_and_store(ports, scope, document, chunks, embedder, known) is None:
                return
            for text in list(known)[:-_KNOWN_VECTORS]:
                del known[text]
            if time.monotonic() >= ends_at:
                raise WorkRemains
        elif await _finish(ports, scope, id):
            return


async def _finish(ports: Ports, scope: Scope, id: UUID) -> bool:
    """Mark the document done. False when it lacks vectors again: it was renamed, or deleted and
    restored, meanwhile."""
    async with ports.db.transaction(scope) as tx:
        await document_store.lock(tx, id)
        current = await document_store.find(tx, id)
        if current is None or not current.is_latest:
            return True
        model = (await current_embedder(ports, tx)).model
        if not await keep_model(ports, tx, model):
            return False
        if await chunk_store.without_vector(tx, id, model, 1):
            return False
        await document_store.set_status(tx, id, "done", await refusal_remark(tx, id))
        await enqueue_distil(ports, tx, id, current.content)
        await enqueue_summary(ports, tx, id, current.content)
        await note_write(tx, current.project_id)
    return True
