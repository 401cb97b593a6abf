"""Import an item: save a new document or a new version, or record why not."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

from remem.core.connections.items import item_store
from remem.core.connections.items.release import erase_unreferenced
from remem.core.connections.model import ITEMS_LIMIT, REFERENCE_LIMIT, ConnectionItem
from remem.core.connections.syncing import Sync, count_change, require_lock, within_time
from remem.core.connectors.errors import WRONG_SHAPE
from remem.core.connectors.model import SeenItem
from remem.core.documents.connected.documents import find_connected
from remem.core.documents.ingest import ingest
from remem.core.documents.model import CONNECTED, Draft, SavedDocument
from remem.core.documents.versions.find import latest_at_url
from remem.core.errors import Invalid, NotFound, TooLarge, Unavailable, Unreadable
from remem.core.intake.drafts import document_draft, to_storable_item
from remem.core.intake.model import Origin
from remem.core.intake.texts import to_storable
from remem.core.items import Item, LeftOut
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.text import content_hash, unstorable_reason
from remem.core.time import new_id
from remem.core.transaction import Tx

ATTEMPTS = 3
PATH_LIMIT, REVISION_LIMIT = 2_000, 100_000


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """The id under which an item's document is saved, and the document it is a version of."""

    id: UUID
    updates_id: UUID | None
    is_known: bool


async def take_item(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem) -> None:
    """Import one item, independently of the others."""
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        try:
            _check(seen)
            item = seen.item or await _read(sync, seen, Path(folder))
            if isinstance(item, Item):
                if not await adopt(ports, scope, sync, seen, item):
                    await _save(ports, scope, sync, seen, item)
            elif item:
                await skip(ports, scope, sync, seen, item.reason)
        except (Invalid, Unreadable, TooLarge) as error:
            await skip(ports, scope, sync, seen, error.message)


async def _read(sync: Sync, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
    """Read an item; one with an unexpected shape is left out and does not stop the others."""
    try:
        async with within_time():
            return await sync.connector.read(sync.access, seen, folder)
    except WRONG_SHAPE as error:
        reason = f"the service returns it in an unknown format ({type(error).__name__})"
        return LeftOut("document", seen.reference, reason)


def storable_seen(seen: SeenItem) -> SeenItem:
    """Make the path and the revision storable."""
    path, revision = to_storable(seen.path), to_storable(seen.revision)
    if len(revision) > REVISION_LIMIT:
        revision = content_hash(revision)
    return replace(seen, path=path[:PATH_LIMIT] if path else None, revision=revision)


def _check(seen: SeenItem) -> None:
    if len(seen.reference) > REFERENCE_LIMIT or unstorable_reason(seen.reference):
        raise Invalid("reference", "its id there is too long, or cannot be stored")


async def skip(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem, reason: str) -> None:
    async with ports.db.transaction(scope) as tx:
        await require_lock(tx, sync)
        if not unstorable_reason(seen.reference) and len(seen.reference) <= REFERENCE_LIMIT:
            values = (seen.reference, seen.revision, seen.path)
            await item_store.set_problem(tx, sync.id, values, reason, sync.walk)
        await count_change(tx, sync, "skipped", seen.path or seen.reference, reason)


async def _save(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem, item: Item) -> None:
    """Save the document and link it; retry if the document was erased between the steps."""
    for _ in range(ATTEMPTS):
        plan = await _plan(ports, scope, sync, seen)
        if plan is None:
            return
        try:
            saved = await ingest(ports, scope, _draft(sync, seen, item, plan))
        except NotFound:
            continue
        if await _link_document(ports, scope, sync, seen, plan, saved):
            return
    raise Unavailable("A document was deleted again and again while it was read; try again.")


async def _plan(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem) -> ItemPlan | None:
    """Plan the save; None when a person deleted the document here, or there are too many items."""
    async with ports.db.transaction(scope) as tx:
        await item_store.lock_items(tx)
        await require_lock(tx, sync)
        item = await item_store.find(tx, sync.id, seen.reference)
        if item is None and await item_store.count(tx, sync.id) >= ITEMS_LIMIT:
            reason = f"a connection has at most {ITEMS_LIMIT:,} items; choose less"
            await count_change(tx, sync, "skipped", seen.path or seen.reference, reason)
            return None
        documents = await find_connected(tx, item.document_ids if item else [])
        if item and item.document_id and not documents:
            await item_store.hide(tx, sync.id, seen.reference, seen.revision, sync.walk)
            return None
        updates_id = None
        for document in documents:
            is_listed = await item_store.has_item(tx, document.root_id, (sync.id, seen.reference))
            if document.is_only_connected and not is_listed:
                updates_id = document.id
        plan = ItemPlan(new_id(), updates_id, bool(item and item.document_id))
        await _set_pending(tx, sync, seen, item, plan)
        return plan


async def _set_pending(
    tx: Tx, sync: Sync, seen: SeenItem, item: ConnectionItem | None, plan: ItemPlan
) -> None:
    """Store the planned id; a document that an interrupted attempt saved becomes the item's."""
    if item and item.pending_id and plan.updates_id:
        await item_store.set_document_id(tx, sync.id, seen.reference, plan.updates_id)
    await item_store.set_pending(tx, sync.id, seen.reference, seen.path, plan.id)


def _draft(sync: Sync, seen: SeenItem, item: Item, plan: ItemPlan) -> Draft:
    connection = sync.connection
    origin = Origin(f"{CONNECTED}{connection.provider}")
    draft = document_draft(origin, to_storable_item(replace(item, folders=())))
    metadata = {name: value for name, value in draft.metadata.items() if name != "imported_from"}
    connected = {"connection_id": str(connection.id), "external_id": seen.reference}
    return replace(
        draft,
        id=plan.id,
        updates_id=plan.updates_id,
        project=connection.project_id,
        create_project=True,
        metadata={**metadata, **connected, **({"path": seen.path} if seen.path else {})},
        in_background=True,
        index_only=sync.connector.provider.index_only or item.index_only,
    )


async def _link_document(
    ports: Ports, scope: Scope, sync: Sync, seen: SeenItem, plan: ItemPlan, saved: SavedDocument
) -> bool:
    """Link the item to its document; False when the document is gone already."""
    async with ports.db.transaction(scope) as tx:
        await item_store.lock_items(tx)
        await require_lock(tx, sync)
        current = await find_connected(tx, [saved.document.id])
        item = await item_store.find(tx, sync.id, seen.reference)
        if not current or item is None:
            return False
        id = saved.document.id
        key = (sync.id, seen.reference)
        await item_store.set_document(tx, *key, id, seen.revision, sync.walk)
        await item_store.mark_for_reread(tx, current[0].root_id, id, key)
        old_ids = [document_id for document_id in item.document_ids if document_id != id]
        old_documents = await find_connected(tx, old_ids)
        await erase_unreferenced(ports, tx, old_documents, old_ids)
        if item.document_id != id:
            change = "updated" if plan.is_known else "added"
            await count_change(tx, sync, change, seen.reference)
        else:
            await count_change(tx, sync, "unchanged", seen.reference)
    return True


# Link an item to its page if that was saved before, for example by the browser extension.


async def adopt(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem, item: Item) -> bool:
    """Link a new item to the document that was saved from its URL; return whether there is one. The
    document belongs to the person: the connection neither changes nor removes it."""
    if not sync.connector.provider.has_addresses or not item.url:
        return False
    async with ports.db.transaction(scope) as tx:
        await item_store.lock_items(tx)
        await require_lock(tx, sync)
        known = await item_store.find(tx, sync.id, seen.reference)
        if known or await item_store.count(tx, sync.id) >= ITEMS_LIMIT:
            return False
        project = await resolve(tx, sync.connection.project_id, create=True)
        document = await latest_at_url(tx, project.id, item.url)
        if document is None:
            return False
        key = (sync.id, seen.reference)
        await item_store.set_pending(tx, *key, seen.path, document.id)
        await item_store.set_document(tx, *key, document.id, seen.revision, sync.walk)
        await count_change(tx, sync, "unchanged", seen.reference)
    return True
