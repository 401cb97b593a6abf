"""Let documents that were brought in as rows be found, by what they are."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.documents.chunks.cut import meaning_of, words_of
from remem.core.documents.chunks.store import mark_embedded
from remem.core.documents.imported import store
from remem.core.documents.process import JOB
from remem.core.index.kinds import CHUNK
from remem.core.index.write import Text, index_texts
from remem.core.jobs.enqueue import enqueue_unless_pending
from remem.core.ports import Point, Ports, Vector
from remem.core.scope import Scope
from remem.core.text import content_hash


async def index_chunks(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
    """By word, and at once; those of replaced versions stay out of search."""
    texts: dict[UUID, list[Text]] = defaultdict(list)
    for chunk, title, project_id in await store.latest_chunks(tx, scope, ids):
        texts[project_id].append(Text(chunk.id, words_of(title, chunk)))
    for project_id in sorted(texts):
        await index_texts(tx, scope, CHUNK, project_id, texts[project_id])


async def keep_chunk_vectors(
    ports: Ports, tx: Tx, scope: Scope, vectors: Mapping[UUID, tuple[str, Vector]]
) -> int:
    """Use vectors whose text is unchanged (by hash); returns how many."""
    points, hashes = [], []
    for chunk, title, project_id in await store.latest_chunks(tx, scope, list(vectors)):
        hash, vector = vectors[chunk.id]
        if hash == content_hash(meaning_of(title, chunk)):
            points.append(Point(CHUNK, chunk.id, project_id, vector))
            hashes.append((chunk.id, hash))
    if points:
        await ports.vectors.put(tx, scope, ports.embedder.model, points)
        await mark_embedded(tx, scope, ports.embedder.model, hashes)
    return len(points)


async def settle(ports: Ports, tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
    """Call done what has every vector; the rest is embedded, or read, by the job that always does
    it."""
    await store.finish_embedded(tx, scope, ids, ports.embedder.model)
    for id in await store.unfinished(tx, scope, ids):
        await enqueue_unless_pending(ports, tx, scope, JOB, id)
