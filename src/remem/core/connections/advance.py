"""The steps of a sync: take a mark, list everything by page, drop what is gone, read changes."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from remem.core.connections import connection_store
from remem.core.connections.items import item_store
from remem.core.connections.items.release import release_item
from remem.core.connections.items.take import storable_seen, take_item
from remem.core.connections.model import ITEMS_LIMIT
from remem.core.connections.syncing import (
    OutOfTime,
    Sync,
    count_unchanged,
    require_lock,
    within_time,
)
from remem.core.connectors.errors import MarkExpired
from remem.core.connectors.model import Mark, Removed, SeenItem
from remem.core.errors import Unavailable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.text import unstorable_reason
from remem.core.time import iso, now

# The progress of a connection: nothing yet, in a walk, or following changes.


@dataclass(frozen=True, slots=True)
class Cursor:
    """`mark` was taken before the walk began; `at` is where the walk continues. `chosen` is the
    choice that the walk was started with: another choice starts a new one. `pages` counts the pages
    of the current list."""

    phase: Literal["new", "walking", "following"] = "new"
    walk: int = 0
    mark: Mark = None
    at: Mark = None
    chosen: tuple[str, ...] = ()
    walked_at: str | None = None
    pages: int = 0

    @classmethod
    def read(cls, stored: dict[str, Any]) -> "Cursor":
        if "phase" not in stored:
            return cls()
        return cls(
            phase=stored["phase"],
            walk=stored["walk"],
            mark=stored["mark"],
            at=stored["at"],
            chosen=tuple(stored["chosen"]),
            walked_at=stored["walked_at"],
            pages=stored.get("pages", 0),
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            "phase": self.phase,
            "walk": self.walk,
            "mark": self.mark,
            "at": self.at,
            "chosen": list(self.chosen),
            "walked_at": self.walked_at,
            "pages": self.pages,
        }

    def with_walk_started(self, mark: Mark, chosen: tuple[str, ...]) -> "Cursor":
        cursor = replace(self, phase="walking", walk=self.walk + 1, mark=mark, at=None, pages=0)
        return replace(cursor, chosen=chosen)

    def complete(self) -> "Cursor":
        return replace(self, phase="following", at=None, walked_at=iso(now()), pages=0)

    def restarted(self) -> "Cursor":
        """A cursor that lists everything again; known items stay until that is complete."""
        return replace(self, phase="new", mark=None, at=None, pages=0)

    def needs_walk(self, chosen: tuple[str, ...], every_s: int) -> bool:
        if self.phase == "new" or self.chosen != chosen:
            return True
        return self.phase == "following" and _is_past(self.walked_at, every_s)


def _is_past(walked_at: str | None, every_s: int) -> bool:
    moment = datetime.fromisoformat(walked_at) if walked_at else None
    return moment is None or moment + timedelta(seconds=every_s) <= now()


DROP_BATCH = 100
# Above this many items, an empty list is an error: a disk that is not mounted looks empty.
SUSPICIOUS_ITEMS = 20
# A connection at its limit of items, with one item per page, has this many pages.
PAGES_LIMIT = ITEMS_LIMIT


async def advance(ports: Ports, scope: Scope, sync: Sync) -> None:
    """Continue from the stored cursor until the connection is up to date. The cursor is saved after
    the items it covers, so that an interrupted sync repeats some work and skips nothing."""
    cursor = Cursor.read(sync.connection.cursor)
    every_s = sync.connector.provider.walk_every_s
    if sync.connection.is_walk_due or cursor.needs_walk(sync.access.chosen, every_s):
        cursor = await _start_walk(ports, scope, sync, cursor)
    sync = replace(sync, walk=cursor.walk)
    try:
        if cursor.phase == "walking":
            cursor = await _walk(ports, scope, sync, cursor)
        await _follow(ports, scope, sync, cursor)
    except MarkExpired:
        await _save_cursor(ports, scope, sync, cursor.restarted())
        raise OutOfTime from None


async def _start_walk(ports: Ports, scope: Scope, sync: Sync, cursor: Cursor) -> Cursor:
    """Take the mark first, so that changes during the walk are listed after it."""
    async with within_time():
        mark = await sync.connector.begin(sync.access)
    cursor = cursor.with_walk_started(mark, sync.access.chosen)
    async with ports.db.transaction(scope) as tx:
        await require_lock(tx, sync)
        values = {"cursor": _cursor_values(sync, cursor), "is_walk_due": False}
        await connection_store.change(tx, sync.id, values)
    return cursor


async def _walk(ports: Ports, scope: Scope, sync: Sync, cursor: Cursor) -> Cursor:
    while True:
        async with within_time():
            page = await sync.connector.walk(sync.access, cursor.at)
        await _process_page(ports, scope, sync, page.seen)
        if page.at is None:
            break
        await _check_progress(ports, scope, sync, cursor, page.at == cursor.at)
        cursor = replace(cursor, at=page.at, pages=cursor.pages + 1)
        await _save_cursor(ports, scope, sync, cursor)
        sync.check_time()
    if page.is_complete and sync.connector.provider.absence_means_removed:
        await _drop_absent(ports, scope, sync)
    cursor = cursor.complete()
    await _save_cursor(ports, scope, sync, cursor)
    return cursor


async def _follow(ports: Ports, scope: Scope, sync: Sync, cursor: Cursor) -> None:
    while True:
        async with within_time():
            page = await sync.connector.changes(sync.access, cursor.mark)
        await _process_page(ports, scope, sync, page.changes)
        is_same = not page.is_last and page.mark == cursor.mark
        await _check_progress(ports, scope, sync, cursor, is_same)
        pages = 0 if page.is_last else cursor.pages + 1
        cursor = replace(cursor, mark=page.mark, pages=pages)
        await _save_cursor(ports, scope, sync, cursor)
        if page.is_last:
            return
        sync.check_time()


async def _check_progress(
    ports: Ports, scope: Scope, sync: Sync, cursor: Cursor, is_same: bool
) -> None:
    """Abort a list that never ends; the next sync starts it again."""
    if is_same or cursor.pages >= PAGES_LIMIT:
        await _save_cursor(ports, scope, sync, cursor.restarted())
        raise Unavailable("The service lists the same items endlessly; it is tried again.")


async def _process_page(
    ports: Ports, scope: Scope, sync: Sync, entries: Sequence[SeenItem | Removed]
) -> None:
    entries = [entry if isinstance(entry, Removed) else storable_seen(entry) for entry in entries]
    async with ports.db.transaction(scope) as tx:
        # A reference that cannot be stored is not known; that is no reason to fail.
        references = [
            entry.reference for entry in entries if not unstorable_reason(entry.reference)
        ]
        known = await item_store.revisions(tx, sync.id, references)
    same: list[str] = []
    for entry in entries:
        if isinstance(entry, Removed):
            if unstorable_reason(entry.reference):
                continue
            await release_item(ports, scope, sync, entry.reference)
        elif known.get(entry.reference) == entry.revision:
            same.append(entry.reference)
        else:
            sync.check_time()
            await take_item(ports, scope, sync, entry)
    async with ports.db.transaction(scope) as tx:
        await require_lock(tx, sync)
        await item_store.set_seen(tx, sync.id, same, sync.walk)
    await count_unchanged(ports, scope, sync, len(same))


async def _drop_absent(ports: Ports, scope: Scope, sync: Sync) -> None:
    """After a complete walk, release the items that it did not list."""
    async with ports.db.transaction(scope) as tx:
        seen = await item_store.count_seen(tx, sync.id, sync.walk)
        total = await item_store.count(tx, sync.id)
    if not seen and total > SUSPICIOUS_ITEMS:
        raise Unavailable(
            f"Nothing was found where there were {total:,} items, so nothing was removed. Check"
            " that the account still shows them; if they are gone on purpose, remove the"
            " connection and erase its documents."
        )
    while True:
        async with ports.db.transaction(scope) as tx:
            gone = await item_store.unseen_references(tx, sync.id, sync.walk, DROP_BATCH)
        for reference in gone:
            sync.check_time()
            await release_item(ports, scope, sync, reference)
        if not gone:
            return


async def _save_cursor(ports: Ports, scope: Scope, sync: Sync, cursor: Cursor) -> None:
    async with ports.db.transaction(scope) as tx:
        await require_lock(tx, sync)
        await connection_store.change(tx, sync.id, {"cursor": _cursor_values(sync, cursor)})


def _cursor_values(sync: Sync, cursor: Cursor) -> dict[str, Any]:
    return {**cursor.as_dict(), "meter": asdict(sync.access.meter)}
