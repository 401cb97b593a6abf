"""Follow a connector by the rules of the engine, in memory, to test what is specific to a service.
The suite in tests/conformance/test_connectors.py does the same over the real store."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from remem.core.connectors.errors import MarkExpired
from remem.core.connectors.model import Access, Removed, SeenItem
from remem.core.connectors.port import Connector
from remem.core.errors import Invalid, TooLarge, Unreadable
from remem.core.items import Item, LeftOut


@dataclass
class Mirror:
    """`items` are the current items by reference, `skipped` the reasons why others were left out,
    by path, and `reads` counts the reads over all syncs."""

    connector: Connector
    access: Access
    items: dict[str, Item] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    reads: int = 0
    _revisions: dict[str, str] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _mark: Any = None
    _at: Any = None
    _phase: str = "new"

    @property
    def texts(self) -> list[str]:
        return sorted(text_of(item).strip() for item in self.items.values())

    async def sync(self, *, full: bool = False) -> None:
        every_s = self.connector.provider.walk_every_s
        if full or self._phase == "new" or (self._phase == "following" and not every_s):
            self._mark, self._at, self._phase = (
                await self.connector.begin(self.access),
                None,
                "walk",
            )
            self._seen.clear()
        if self._phase == "walk":
            await self._walk()
        try:
            await self._follow()
        except MarkExpired:
            self._phase = "new"
            await self.sync()

    def choose(self, *chosen: str) -> None:
        self.access, self._phase = replace(self.access, chosen=chosen), "new"

    async def _walk(self) -> None:
        while True:
            page = await self.connector.walk(self.access, self._at)
            await self._apply(page.seen)
            if page.at is None:
                break
            self._at = page.at
        if page.is_complete and self.connector.provider.absence_means_removed:
            for reference in set(self._revisions) - self._seen:
                self._drop(reference)
        self._phase = "following"

    async def _follow(self) -> None:
        while True:
            page = await self.connector.changes(self.access, self._mark)
            await self._apply(page.changes)
            self._mark = page.mark
            if page.is_last:
                return

    async def _apply(self, entries: Sequence[SeenItem | Removed]) -> None:
        for entry in entries:
            if isinstance(entry, Removed):
                self._drop(entry.reference)
                continue
            self._seen.add(entry.reference)
            if self._revisions.get(entry.reference) == entry.revision:
                continue
            with tempfile.TemporaryDirectory() as folder:
                await self._read(entry, Path(folder))

    async def _read(self, seen: SeenItem, folder: Path) -> None:
        self.reads += 1
        name = seen.path or seen.reference
        try:
            item = seen.item or await self.connector.read(self.access, seen, folder)
        except (Invalid, Unreadable, TooLarge) as error:
            item = LeftOut("document", seen.reference, error.message)
        if item is None:
            return
        self._revisions[seen.reference] = seen.revision
        if isinstance(item, LeftOut):
            self.skipped[name] = item.reason
            return
        if item.file:
            data = item.file.read_bytes()
            item = replace(item, file=None, content=data.decode("utf-8", "replace"))
        self.skipped.pop(name, None)
        self.items[seen.reference] = item

    def _drop(self, reference: str) -> None:
        self.items.pop(reference, None)
        self._revisions.pop(reference, None)


def text_of(item: Item) -> str:
    if item.kind == "talk":
        return "\n".join(f"{turn.speaker}: {turn.text}" for turn in item.turns)
    return item.content
