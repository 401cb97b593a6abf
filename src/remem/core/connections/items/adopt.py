"""Link an item to its page if that was saved before, for example by the browser extension."""

from remem.core.connections.items import store
from remem.core.connections.model import ITEMS_LIMIT
from remem.core.connections.syncing import Sync, count_change, require_lock
from remem.core.connectors.model import SeenItem
from remem.core.documents.versions.find import latest_at_url
from remem.core.items import Item
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope


async def adopt(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem, item: Item) -> bool:
    """Link a new item to the document that was saved from its URL; return whether there is one. The
    document belongs to the person: the connection neither changes nor removes it."""
    if not sync.connector.provider.has_addresses or not item.url:
        return False
    async with ports.db.transaction(scope) as tx:
        await store.lock_items(tx)
        await require_lock(tx, sync)
        known = await store.find(tx, sync.id, seen.reference)
        if known or await store.count(tx, sync.id) >= ITEMS_LIMIT:
            return False
        project = await resolve(tx, sync.connection.project_id, create=True)
        document = await latest_at_url(tx, project.id, item.url)
        if document is None:
            return False
        key = (sync.id, seen.reference)
        await store.set_pending(tx, *key, seen.path, document.id)
        await store.set_document(tx, *key, document.id, seen.revision, sync.walk)
        await count_change(tx, sync, "unchanged", seen.reference)
    return True
