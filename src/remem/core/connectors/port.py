"""The ports of connectors: read a service, receive its webhooks, listen to it, write to it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, runtime_checkable

from remem.core.connectors.model import (
    Access,
    Account,
    ChangePage,
    Mark,
    ResourcePage,
    SeenItem,
    WalkPage,
    WebhookCall,
)
from remem.core.connectors.provider import Provider
from remem.core.items import Item, LeftOut


class Connector(Protocol):
    """Reads one account of one service, and stores nothing.

    Pages are independent: an item may occur in several, in any order. An item that exists during a
    whole walk is listed in it at least once, however long the pause between two pages. `begin`
    returns a mark such that `changes` lists everything that changes after it. `read` returns None
    for an item that is gone, and LeftOut with the reason for one that is not supported; it puts
    files into `folder`. The result may be newer than the revision that was seen. But if a revision
    can recur, as a content hash can, it is exactly that revision, or None.
    Raises Invalid (a field), NeedsAuth, AskedTooOften, MarkExpired, Ended, Unavailable, and from
    `read` also Unreadable or TooLarge."""

    @property
    def provider(self) -> Provider: ...

    async def account(self, access: Access) -> Account: ...

    async def resources(
        self, access: Access, under: str | None, at: str | None
    ) -> ResourcePage: ...

    async def begin(self, access: Access) -> Mark: ...

    async def walk(self, access: Access, at: Mark | None) -> WalkPage: ...

    async def changes(self, access: Access, mark: Mark) -> ChangePage: ...

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None: ...

    async def close(self) -> None: ...


@runtime_checkable
class ReceivesWebhooks(Protocol):
    """A connector whose service can send webhooks. `verify_webhook` checks the signature of the raw
    body with the secret of the webhook; it returns None for a request that the service did not
    send. `headers` have lower-case names. It must be pure and quick: anyone may send anything."""

    def verify_webhook(
        self, headers: Mapping[str, str], body: bytes, secret: str
    ) -> WebhookCall | None: ...


@runtime_checkable
class Listens(Protocol):
    """A connector whose service reports changes over a connection that we open. Each value of
    `listen` means that something changed. It ends when the service closes the connection, and at
    once if the account has no credential for it. Raises NeedsAuth and Unavailable."""

    def listen(self, access: Access) -> AsyncGenerator[None, None]: ...


@dataclass(frozen=True, slots=True)
class Note:
    """Something of ours to write to a service; `id` stays the same when its text changes."""

    id: str
    title: str
    text: str
    tags: tuple[str, ...] = ()
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NotesWritten:
    """`conflicts` are notes that were changed on both sides; ours are written next to theirs."""

    written: int = 0
    removed: int = 0
    conflicts: tuple[str, ...] = ()


@runtime_checkable
class WritesNotes(Protocol):
    """A connector that can also write. `writes_to` is the target, or None to write nothing.

    `write_notes` gets all notes. A note that a person changed there is never overwritten, and one
    they removed is not written again. A note that is gone here is removed there unless it was
    changed there. Raises Unavailable, without removing anything, when a large share of the notes
    would be removed at once."""

    def writes_to(self, access: Access) -> str | None: ...

    async def write_notes(self, access: Access, notes: Sequence[Note]) -> NotesWritten: ...
