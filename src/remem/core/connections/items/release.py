"""Let go of an item: its document is erased when nobody else has it."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.connections.items import store
from remem.core.connections.syncing import Sync, count_change, still_ours
from remem.core.db import Tx
from remem.core.documents.connected.documents import (
    ConnectedDocument,
    erase_connected,
    erase_copies,
    find_connected,
)
from remem.core.ports import Ports
from remem.core.scope import Scope


async def release_item(ports: Ports, scope: Scope, sync: Sync, reference: str) -> None:
    """It is gone there. What a person deleted here stays noted, so that it never comes back."""
    async with ports.db.transaction(scope) as tx:
        await store.lock_holders(tx, scope)
        await still_ours(tx, scope, sync)
        item = await store.find(tx, scope, sync.id, reference)
        if item is None or item.hidden_at:
            return
        documents = await find_connected(tx, scope, item.document_ids)
        if item.document_id and not documents:
            await store.hide(tx, scope, sync.id, reference, None, sync.walk)
            return
        await store.delete(tx, scope, sync.id, reference)
        await erase_unheld(ports, tx, scope, documents, item.document_ids)
        await count_change(tx, scope, sync, "deleted", reference)


async def erase_unheld(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    documents: Sequence[ConnectedDocument],
    ids: Sequence[UUID],
    but: tuple[UUID, str] | None = None,
) -> None:
    """Erase those that no item has and nobody saved; `ids` are what the item had them by."""
    for document in documents:
        if document.is_only_connected and not await store.has_item(
            tx, scope, document.root_id, but
        ):
            await erase_connected(ports, tx, scope, document)
    await erase_copies(ports, tx, scope, ids)
