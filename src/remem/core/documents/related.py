"""What is like a document: by the meaning of its chunks, each other document once."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.db import Tx
from remem.core.documents import store
from remem.core.documents.chunks import store as chunk_store
from remem.core.documents.model import Document
from remem.core.errors import Invalid
from remem.core.filters import ALL, Filters
from remem.core.index.kinds import CHUNK
from remem.core.ports import Near, Ports
from remem.core.scope import Scope

LIMIT_MAX = 50
# What is further away is about something else.
LEAST_COSINE = 0.3
# A long document is asked for by chunks from all over it.
ASKED = 8
# With more chunks of its own than this, they would be all that is found.
OWN_CHUNKS = 40
NEIGHBOURS = 40


@dataclass(frozen=True, slots=True)
class RelatedDocument:
    document: Document
    score: float


async def related_documents(
    ports: Ports, scope: Scope, id: UUID, limit: int = 10
) -> list[RelatedDocument]:
    """The nearest first; the score is the cosine of the two chunks that are most alike."""
    if not 1 <= limit <= LIMIT_MAX:
        raise Invalid("limit", f"use 1 to {LIMIT_MAX}")
    async with ports.db.transaction(scope) as tx:
        document = await store.require(tx, scope, id)
        near = await _near(ports, tx, scope, document)
        return await _documents(tx, scope, document, near, limit)


async def _near(ports: Ports, tx: Tx, scope: Scope, document: Document) -> dict[UUID, float]:
    """Chunks near any of the document's, with the best cosine of each."""
    own = await chunk_store.ids_of_document(tx, scope, document.id)
    filters = Filters(not_of_document=document.id) if len(own) > OWN_CHUNKS else ALL
    limit = NEIGHBOURS if filters.any else NEIGHBOURS + len(own)
    model = ports.embedder.model
    best: dict[UUID, float] = {}
    for point in await ports.vectors.read(tx, scope, model, CHUNK, _spread(own)):
        found = await ports.vectors.search(
            tx, scope, model, CHUNK, point.vector, None, limit, filters
        )
        _keep_best(best, found)
    return {id: cosine for id, cosine in best.items() if cosine >= LEAST_COSINE}


def _spread(ids: Sequence[UUID]) -> list[UUID]:
    step = max(1, -(-len(ids) // ASKED))
    return list(ids[::step])


def _keep_best(best: dict[UUID, float], found: Sequence[Near]) -> None:
    for one in found:
        best[one.id] = max(one.cosine, best.get(one.id, -1.0))


async def _documents(
    tx: Tx, scope: Scope, document: Document, near: dict[UUID, float], limit: int
) -> list[RelatedDocument]:
    scores: dict[UUID, float] = {}
    for chunk_id, document_id in await chunk_store.documents_of(tx, scope, list(near)):
        scores[document_id] = max(near[chunk_id], scores.get(document_id, -1.0))
    found = await store.find_many(tx, scope, list(scores))
    others = [one for one in found if one.root_id != document.root_id]
    related = [RelatedDocument(one, scores[one.id]) for one in others]
    return sorted(related, key=lambda one: (-one.score, one.document.id.int))[:limit]
