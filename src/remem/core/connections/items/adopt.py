"""An item whose page was saved before, by the browser extension say: one document, not two."""

from remem.core.connections.items import store
from remem.core.connections.model import ITEMS_LIMIT
from remem.core.connections.syncing import Sync, count_change, still_ours
from remem.core.connectors.model import SeenItem
from remem.core.documents.versions.find import latest_at_url
from remem.core.items import Item
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope


async def adopt(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem, item: Item) -> bool:
    """Whether a new item points at what stands at its address. That is the person's: the
    connection neither changes nor removes it."""
    if not sync.connector.provider.has_addresses or not item.url:
        return False
    async with ports.db.transaction(scope) as tx:
        await store.lock_holders(tx, scope)
        await still_ours(tx, scope, sync)
        known = await store.find(tx, scope, sync.id, seen.reference)
        if known or await store.count(tx, scope, sync.id) >= ITEMS_LIMIT:
            return False
        project = await resolve(tx, scope, sync.connection.project_id, create=True)
        there = await latest_at_url(tx, scope, project.id, item.url)
        if there is None:
            return False
        place = (sync.id, seen.reference)
        await store.expect(tx, scope, *place, seen.path, there.id)
        await store.set_document(tx, scope, *place, there.id, seen.revision, sync.walk)
        await count_change(tx, scope, sync, "unchanged", seen.reference)
    return True
