"""Release an item that is gone: erase its document unless something else refers to it."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.connections.items import item_store
from remem.core.connections.syncing import Sync, count_change, require_lock
from remem.core.documents.connected.documents import (
    ConnectedDocument,
    erase_connected,
    erase_copies,
    find_connected,
)
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx


async def release_item(ports: Ports, scope: Scope, sync: Sync, reference: str) -> None:
    """Release an item that is gone. An item whose document a person deleted stays hidden, so that
    it is never imported again."""
    async with ports.db.transaction(scope) as tx:
        await item_store.lock_items(tx)
        await require_lock(tx, sync)
        item = await item_store.find(tx, sync.id, reference)
        if item is None or item.hidden_at:
            return
        documents = await find_connected(tx, item.document_ids)
        if item.document_id and not documents:
            await item_store.hide(tx, sync.id, reference, None, sync.walk)
            return
        await item_store.delete(tx, sync.id, reference)
        await erase_unreferenced(ports, tx, documents, item.document_ids)
        await count_change(tx, sync, "deleted", reference)


async def erase_unreferenced(
    ports: Ports,
    tx: Tx,
    documents: Sequence[ConnectedDocument],
    ids: Sequence[UUID],
    excluding: tuple[UUID, str] | None = None,
) -> None:
    """Erase documents that no item refers to and nobody saved; `ids` are those the item had."""
    for document in documents:
        if document.is_only_connected and not await item_store.has_item(
            tx, document.root_id, excluding
        ):
            await erase_connected(ports, tx, document)
    await erase_copies(ports, tx, ids)
