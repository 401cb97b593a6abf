"""Take an item in: a new document, a new version of its document, or the reason why not."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

from remem.core.connections.items import store
from remem.core.connections.items.adopt import adopt
from remem.core.connections.items.release import erase_unheld
from remem.core.connections.model import ITEMS_LIMIT, REFERENCE_LIMIT, ConnectionItem
from remem.core.connections.syncing import Sync, count_change, still_ours, within_time
from remem.core.connectors.errors import WRONG_SHAPE
from remem.core.connectors.model import SeenItem
from remem.core.db import Tx
from remem.core.documents.connected.documents import find_connected
from remem.core.documents.ingest import ingest
from remem.core.documents.model import CONNECTED, Draft, SavedDocument
from remem.core.errors import Invalid, NotFound, TooLarge, Unavailable, Unreadable
from remem.core.intake.drafts import document_draft, storable_item
from remem.core.intake.model import Origin
from remem.core.intake.texts import storable
from remem.core.items import Item, LeftOut
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.text import content_hash, unstorable
from remem.core.time import new_id

ATTEMPTS = 3
PATH_LIMIT, REVISION_LIMIT = 2_000, 100_000


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """Under which id an item's document is saved, and which one it is a version of."""

    id: UUID
    updates_id: UUID | None
    is_known: bool


async def take_item(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem) -> None:
    """Each item by itself: what was taken in stays, whatever becomes of the rest."""
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
    """One item that its service describes wrongly does not stop the others."""
    try:
        async with within_time():
            return await sync.connector.read(sync.access, seen, folder)
    except WRONG_SHAPE as error:
        reason = f"the service gives it in a form that is not known ({type(error).__name__})"
        return LeftOut("document", seen.reference, reason)


def storable_seen(seen: SeenItem) -> SeenItem:
    """With a path and a revision that can be stored, whatever the service calls them."""
    path, revision = storable(seen.path), storable(seen.revision)
    if len(revision) > REVISION_LIMIT:
        revision = content_hash(revision)
    return replace(seen, path=path[:PATH_LIMIT] if path else None, revision=revision)


def _check(seen: SeenItem) -> None:
    if len(seen.reference) > REFERENCE_LIMIT or unstorable(seen.reference):
        raise Invalid("reference", "its name there is too long, or cannot be stored")


async def skip(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem, reason: str) -> None:
    async with ports.db.transaction(scope) as tx:
        await still_ours(tx, scope, sync)
        if not unstorable(seen.reference) and len(seen.reference) <= REFERENCE_LIMIT:
            named = (seen.reference, seen.revision, seen.path)
            await store.set_problem(tx, scope, sync.id, named, reason, sync.walk)
        await count_change(tx, scope, sync, "skipped", seen.path or seen.reference, reason)


async def _save(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem, item: Item) -> None:
    """Again when somebody erased the document between two steps."""
    for _ in range(ATTEMPTS):
        plan = await _plan(ports, scope, sync, seen)
        if plan is None:
            return
        try:
            saved = await ingest(ports, scope, _draft(sync, seen, item, plan))
        except NotFound:
            continue
        if await _point(ports, scope, sync, seen, plan, saved):
            return
    raise Unavailable("A document was deleted again and again while it was read; try again.")


async def _plan(ports: Ports, scope: Scope, sync: Sync, seen: SeenItem) -> ItemPlan | None:
    """None when there is nothing to save: a person deleted it here, or there is no room."""
    async with ports.db.transaction(scope) as tx:
        await store.lock_holders(tx, scope)
        await still_ours(tx, scope, sync)
        item = await store.find(tx, scope, sync.id, seen.reference)
        if item is None and await store.count(tx, scope, sync.id) >= ITEMS_LIMIT:
            reason = f"a connection has at most {ITEMS_LIMIT:,} items; choose less"
            await count_change(tx, scope, sync, "skipped", seen.path or seen.reference, reason)
            return None
        documents = await find_connected(tx, scope, item.document_ids if item else [])
        if item and item.document_id and not documents:
            await store.hide(tx, scope, sync.id, seen.reference, seen.revision, sync.walk)
            return None
        updates_id = None
        for document in documents:
            is_listed = await store.has_item(tx, scope, document.root_id, (sync.id, seen.reference))
            if document.is_only_connected and not is_listed:
                updates_id = document.id
        plan = ItemPlan(new_id(), updates_id, bool(item and item.document_id))
        await _expect(tx, scope, sync, seen, item, plan)
        return plan


async def _expect(
    tx: Tx, scope: Scope, sync: Sync, seen: SeenItem, item: ConnectionItem | None, plan: ItemPlan
) -> None:
    """What an attempt that was cut short may have saved takes the place of what it replaced."""
    if item and item.pending_id and plan.updates_id:
        await store.keep_pending(tx, scope, sync.id, seen.reference, plan.updates_id)
    await store.expect(tx, scope, sync.id, seen.reference, seen.path, plan.id)


def _draft(sync: Sync, seen: SeenItem, item: Item, plan: ItemPlan) -> Draft:
    connection = sync.connection
    origin = Origin(f"{CONNECTED}{connection.provider}")
    draft = document_draft(origin, storable_item(replace(item, folders=())))
    metadata = {name: value for name, value in draft.metadata.items() if name != "imported_from"}
    own = {"connection_id": str(connection.id), "external_id": seen.reference}
    return replace(
        draft,
        id=plan.id,
        updates_id=plan.updates_id,
        project=connection.project_id,
        create_project=True,
        metadata={**metadata, **own, **({"path": seen.path} if seen.path else {})},
        in_background=True,
        index_only=sync.connector.provider.index_only or item.index_only,
    )


async def _point(
    ports: Ports, scope: Scope, sync: Sync, seen: SeenItem, plan: ItemPlan, saved: SavedDocument
) -> bool:
    """Have the item point at its document; False when that is gone already."""
    async with ports.db.transaction(scope) as tx:
        await store.lock_holders(tx, scope)
        await still_ours(tx, scope, sync)
        current = await find_connected(tx, scope, [saved.document.id])
        item = await store.find(tx, scope, sync.id, seen.reference)
        if not current or item is None:
            return False
        id = saved.document.id
        place = (sync.id, seen.reference)
        await store.set_document(tx, scope, *place, id, seen.revision, sync.walk)
        await store.read_again(tx, scope, current[0].root_id, id, place)
        former = [one for one in item.document_ids if one != id]
        left = await find_connected(tx, scope, former)
        await erase_unheld(ports, tx, scope, left, former)
        if item.document_id != id:
            change = "updated" if plan.is_known else "added"
            await count_change(tx, scope, sync, change, seen.reference)
        else:
            await count_change(tx, scope, sync, "unchanged", seen.reference)
    return True
