"""Re-embed a finished document; its old vectors are used until then."""

from uuid import UUID

from remem.core.documents import document_store
from remem.core.documents.chunks import chunk_store
from remem.core.documents.process import EMBED_BATCH, embed_and_store
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.vector_models.current import current_embedder


async def reembed_document(ports: Ports, scope: Scope, id: UUID) -> None:
    """Embed every chunk without a vector of the current model; can be interrupted and resumed."""
    while await _embed_batch(ports, scope, id):
        pass


async def _embed_batch(ports: Ports, scope: Scope, id: UUID) -> bool:
    async with ports.db.transaction(scope) as tx:
        document = await document_store.find(tx, id)
        embedder = await current_embedder(ports, tx)
        chunks = await chunk_store.without_vector(tx, id, embedder.model, EMBED_BATCH)
    if document is None or not document.is_latest or not chunks:
        return False
    return await embed_and_store(ports, scope, document, chunks, embedder) is not None
