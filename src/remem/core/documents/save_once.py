"""Save a draft with a key once, however often the request is repeated."""

from datetime import timedelta
from uuid import UUID

from remem.core.documents import document_store, save_key_store
from remem.core.documents.model import Document
from remem.core.errors import Conflict
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx

KEY_LIMIT = 200
# Longer than a phone is without a connection.
KEPT = timedelta(days=60)


async def find_saved(ports: Ports, scope: Scope, key: str) -> Document | None:
    """What the caller saved with this key, as it is now."""
    async with ports.db.transaction(scope) as tx:
        id = await save_key_store.find(tx, key)
        if id is None:
            return None
        document = await document_store.find(tx, id)
        latest = document and await document_store.latest_of_chain(tx, document.root_id)
    if document is None:
        raise Conflict(
            "This was saved before and deleted since; send another key to save it again.",
            code="saved_and_deleted",
        )
    return latest or document


async def note_saved(tx: Tx, key: str, document_id: UUID) -> bool:
    """Remember the key in the transaction that saves; False if it was used meanwhile."""
    await save_key_store.delete_older(tx, KEPT)
    return await save_key_store.insert(tx, key, document_id)
