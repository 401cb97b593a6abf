"""Make documents that were imported as rows searchable."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from remem.core.documents.chunks.chunk_store import mark_embedded
from remem.core.documents.chunks.cut import text_to_embed, text_to_index
from remem.core.documents.imported import imported_document_store
from remem.core.documents.process import JOB
from remem.core.index.kinds import CHUNK
from remem.core.index.write import Text, index_texts
from remem.core.jobs.enqueue import enqueue_unless_pending
from remem.core.ports import Point, Ports, Vector
from remem.core.text import content_hash
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_embedder, keep_model


async def index_chunks(tx: Tx, ids: Sequence[UUID]) -> None:
    """Index chunks by word at once; those of replaced versions are left out."""
    texts: dict[UUID, list[Text]] = defaultdict(list)
    for chunk, header, project_id in await imported_document_store.latest_chunks(tx, ids):
        texts[project_id].append(Text(chunk.id, text_to_index(header, chunk)))
    for project_id in sorted(texts):
        await index_texts(tx, CHUNK, project_id, texts[project_id])


async def reuse_chunk_vectors(
    ports: Ports, tx: Tx, model: str, vectors: Mapping[UUID, tuple[str, Vector]]
) -> int:
    """Store the vectors whose text is unchanged (by hash); return how many."""
    points, hashes = [], []
    for chunk, header, project_id in await imported_document_store.latest_chunks(tx, list(vectors)):
        hash, vector = vectors[chunk.id]
        if hash == content_hash(text_to_embed(header, chunk)):
            points.append(Point(CHUNK, chunk.id, project_id, vector))
            hashes.append((chunk.id, hash))
    if points:
        await ports.vectors.put(tx, model, points)
        await mark_embedded(tx, model, hashes)
    return len(points)


async def settle(ports: Ports, tx: Tx, ids: Sequence[UUID]) -> None:
    """Mark the documents done that have every vector; queue the usual job for the others."""
    model = (await current_embedder(ports, tx)).model
    if await keep_model(ports, tx, model):
        await imported_document_store.finish_embedded(tx, ids, model)
    for id in await imported_document_store.unfinished(tx, ids):
        await enqueue_unless_pending(ports, tx, JOB, id)
