"""Find documents similar to one, by the vectors of its chunks."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.documents import document_store
from remem.core.documents.chunks import chunk_store
from remem.core.documents.model import Document
from remem.core.errors import Invalid
from remem.core.filters import ALL, Filters
from remem.core.index.kinds import CHUNK
from remem.core.ports import Near, Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_embedder

LIMIT_MAX = 50
# Anything less similar is about something else: the best match among 60 unrelated notes has a
# cosine below this in three of four cases, above 0.3 in every second.
MIN_COSINE = 0.4
# How many chunks of the document are searched for, spread evenly over it.
MAX_QUERY_CHUNKS = 8
# With more chunks than this, the document is excluded from the search; otherwise its own chunks
# would fill the results.
OWN_CHUNKS = 40
NEIGHBOURS = 40


@dataclass(frozen=True, slots=True)
class RelatedDocument:
    document: Document
    score: float


async def related_documents(
    ports: Ports, scope: Scope, id: UUID, limit: int = 10
) -> list[RelatedDocument]:
    """Related documents, most similar first; the score is the highest cosine of two chunks."""
    if not 1 <= limit <= LIMIT_MAX:
        raise Invalid("limit", f"use 1 to {LIMIT_MAX}")
    async with ports.db.transaction(scope) as tx:
        document = await document_store.require(tx, id)
        near = await _near_chunks(ports, tx, document)
        return await _rank_documents(tx, document, near, limit)


async def _near_chunks(ports: Ports, tx: Tx, document: Document) -> dict[UUID, float]:
    """The chunks near any chunk of the document, with the highest cosine of each."""
    own_ids = await chunk_store.ids_of_document(tx, document.id)
    filters = Filters(not_of_document=document.id) if len(own_ids) > OWN_CHUNKS else ALL
    limit = NEIGHBOURS if filters.any else NEIGHBOURS + len(own_ids)
    model = (await current_embedder(ports, tx)).model
    best: dict[UUID, float] = {}
    for point in await ports.vectors.read(tx, model, CHUNK, _evenly_spread(own_ids)):
        matches = await ports.vectors.search(tx, model, CHUNK, point.vector, None, limit, filters)
        _keep_best(best, matches)
    return {id: cosine for id, cosine in best.items() if cosine >= MIN_COSINE}


def _evenly_spread(ids: Sequence[UUID]) -> list[UUID]:
    step = max(1, -(-len(ids) // MAX_QUERY_CHUNKS))
    return list(ids[::step])


def _keep_best(best: dict[UUID, float], matches: Sequence[Near]) -> None:
    for match in matches:
        best[match.id] = max(match.cosine, best.get(match.id, -1.0))


async def _rank_documents(
    tx: Tx, document: Document, near: dict[UUID, float], limit: int
) -> list[RelatedDocument]:
    scores: dict[UUID, float] = {}
    for chunk_id, document_id in await chunk_store.documents_of(tx, list(near)):
        scores[document_id] = max(near[chunk_id], scores.get(document_id, -1.0))
    documents = await document_store.find_many(tx, list(scores))
    others = [other for other in documents if other.root_id != document.root_id]
    related = [RelatedDocument(other, scores[other.id]) for other in others]
    return sorted(related, key=lambda item: (-item.score, item.document.id.int))[:limit]
