"""A stateful service in memory: files are added, changed and removed, marks expire, and tokens are
revoked. It represents no vendor in particular; the real ones have their own fakes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from remem.core.connectors.errors import AskedTooOften, MarkExpired, NeedsAuth
from remem.core.connectors.model import (
    Access,
    Account,
    ChangePage,
    Mark,
    Removed,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.connectors.provider import Field, Provider
from remem.core.items import Item, LeftOut


class Crash(BaseException):
    """Simulates that the process is killed here."""


@dataclass
class Vendor:
    """`before` is called with the name of each request before it is answered. It may change the
    files or raise."""

    page: int = 2
    files: dict[str, str] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    expired: int = 0
    is_revoked: bool = False
    wait_until: datetime | None = None
    requests: list[str] = field(default_factory=list)
    before: Callable[[str], None] = lambda name: None

    provider = Provider(title="Vendor", fields=(Field("name", "a name"),), selected="name")

    def write(self, name: str, text: str) -> None:
        self.files[name] = text
        self.log.append(name)

    def remove(self, name: str) -> None:
        if self.files.pop(name, None) is not None:
            self.log.append(name)

    def expire(self) -> None:
        self.expired = len(self.log)

    def _record(self, name: str) -> None:
        self.requests.append(name)
        self.before(name)
        if self.is_revoked:
            raise NeedsAuth("The token was revoked; connect again with a new one.")
        if self.wait_until:
            raise AskedTooOften(self.wait_until)

    def _seen(self, name: str) -> SeenItem:
        """A revision is never reused, like that of a clock or a counter; see the port."""
        last = len(self.log) - self.log[::-1].index(name)
        return SeenItem(name, revision=str(last), path=name)

    async def account(self, access: Access) -> Account:
        self._record("account")
        return Account(str(access.settings["name"]), str(access.settings["name"]))

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        self._record("resources")
        return ResourcePage((Resource("all", "All", len(self.files)),))

    async def begin(self, access: Access) -> Mark:
        self._record("begin")
        return len(self.log)

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        self._record("walk")
        names = sorted(name for name in self.files if at is None or name > at)
        page = names[: self.page]
        return WalkPage(
            tuple(self._seen(name) for name in page), page[-1] if len(names) > self.page else None
        )

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        self._record("changes")
        if mark < self.expired:
            raise MarkExpired
        names = self.log[mark : mark + self.page]
        changes = [self._seen(name) if name in self.files else Removed(name) for name in names]
        end = mark + len(names)
        return ChangePage(tuple(changes), end, is_last=end == len(self.log))

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        self._record("read")
        text = self.files.get(seen.reference)
        if text is None:
            return None
        if text.startswith("unreadable"):
            return LeftOut("document", seen.reference, "it has no text")
        return Item("document", seen.reference, content=text, title=seen.reference)

    async def close(self) -> None:
        """There is nothing to close."""
