"""The port of connectors: what reads a service, is called by it, listens to it, or writes."""

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

    A page is complete in itself: what it has may come again, in any order. What is there during a
    whole walk is seen in it at least once, however long the walk rests between two pages. `begin`
    gives a mark such that `changes` has everything that changes after it. `read` gives None for
    what is gone, and LeftOut with the reason for what is not taken; it puts files into `folder`.
    What it gives may be newer than the revision that was seen, unless revisions can come back, as
    a hash of the content does: then it gives exactly that revision, or None.
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
    """A connector whose service can call us. `verify_webhook` checks the signature of the raw body
    with the secret of the webhook; None for a request that is not the service's. `headers` have
    lower-case names. It must be pure and quick: anyone may send anything."""

    def verify_webhook(
        self, headers: Mapping[str, str], body: bytes, secret: str
    ) -> WebhookCall | None: ...


@runtime_checkable
class Listens(Protocol):
    """A connector whose service says over a connection that we open when something changed. Each
    value of `listen` means that; it ends when the service ends it, at once where the account has no
    credential for it. Raises NeedsAuth and Unavailable."""

    def listen(self, access: Access) -> AsyncGenerator[None, None]: ...


@dataclass(frozen=True, slots=True)
class Note:
    """Something of ours that is to stand elsewhere; `id` stays when its text changes."""

    id: str
    title: str
    text: str
    tags: tuple[str, ...] = ()
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NotesWritten:
    """`conflicts` are the notes that were changed there and here; ours stand beside them."""

    written: int = 0
    removed: int = 0
    conflicts: tuple[str, ...] = ()


@runtime_checkable
class WritesNotes(Protocol):
    """A connector that can also write. `writes_to` is where, None to write nothing.

    `write_notes` takes all notes there are. What a person changed there is never overwritten, what
    they removed does not come back, and what is gone here goes there unless it was changed. Raises
    Unavailable, without removing anything, when a large part would go at once."""

    def writes_to(self, access: Access) -> str | None: ...

    async def write_notes(self, access: Access, notes: Sequence[Note]) -> NotesWritten: ...
