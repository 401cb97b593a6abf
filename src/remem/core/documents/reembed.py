"""Re-embed a finished document, while its old vectors are searched."""

from uuid import UUID

from remem.core.documents import store
from remem.core.documents.chunks import store as chunk_store
from remem.core.documents.process import EMBED_BATCH, embed_and_keep
from remem.core.ports import Ports
from remem.core.scope import Scope


async def reembed_document(ports: Ports, scope: Scope, id: UUID) -> None:
    """Every chunk that lacks a vector of the model in use; cut short, it goes on from there."""
    while await _batch(ports, scope, id):
        pass


async def _batch(ports: Ports, scope: Scope, id: UUID) -> bool:
    async with ports.db.transaction(scope) as tx:
        document = await store.find(tx, scope, id)
        left = await chunk_store.without_vector(tx, scope, id, ports.embedder.model, EMBED_BATCH)
    if document is None or not document.is_latest or not left:
        return False
    return await embed_and_keep(ports, scope, document, left) is not None
