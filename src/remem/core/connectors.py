"""What a service that people connect gives, item by item, and the port of those who read it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from remem.core.errors import Conflict
from remem.core.items import Item, LeftOut

# A place in a walk, or a moment in a list of changes: whatever JSON the service needs again.
Mark: TypeAlias = Any
MINUTE_S, DAY_S = 60, 86_400


@dataclass(frozen=True, slots=True)
class Field:
    """Something a person gives to connect: a path, an address, a token. `label` completes a
    sentence, as in "give the path of a folder". `example` is shown in an empty field; `is_long`
    asks for several lines, such as a key file."""

    name: str
    label: str
    is_secret: bool = False
    is_required: bool = True
    example: str = ""
    is_long: bool = False


@dataclass(frozen=True, slots=True)
class OAuthApp:
    """How a person consents at a service. The access token becomes `token` of the credential and
    is refreshed by the engine. `parameters` are added to the address of consent; `uses_basic_auth`
    sends the client's secret in a header instead of the form, and `sends_json` everything else as
    JSON; `device_url` begins a sign-in by a code that is typed in elsewhere. `grant_url` is
    the address of the consent, with `{client_id}` in it, where that is deleted to end it.
    `said_when_refused` is what a person does when the service ends the consent. The client's id and
    secret are those of the settings; a person may bring their own."""

    authorize_url: str
    token_url: str
    scopes: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    uses_basic_auth: bool = False
    uses_pkce: bool = True
    sends_json: bool = False
    said_when_refused: str | None = None
    device_url: str | None = None
    revoke_url: str | None = None
    grant_url: str | None = None
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Price:
    """Of a service that charges for each read: about how much, how many reads a day (UTC) there are
    at most, and the field by which a person sets another number."""

    usd_a_read: float
    reads_a_day: int
    field: str


@dataclass(frozen=True, slots=True)
class Provider:
    """What can be connected. `selected` is the field whose value is what is read: nothing else has
    to be chosen. `choice` says what is chosen where it can also be typed, as in `repositories, such
    as octo/notes`. `walk_every_s` is how often everything is listed again; 0 lists everything at
    each sync. `absence_means_removed`: what a complete list does not have is gone there.
    `has_addresses`: each item has an address that no other has. What is `index_only` is found, and
    no memories are made of it. `help` says in a sentence or two where a
    person finds what the fields ask for; `about` what is read there. `manifest` is what an app of
    their own is made from, where the service takes such a thing."""

    title: str
    fields: tuple[Field, ...]
    selected: str | None = None
    choice: str | None = None
    interval_s: int = 15 * MINUTE_S
    walk_every_s: int = DAY_S
    absence_means_removed: bool = True
    has_addresses: bool = False
    needs_admin: bool = False
    index_only: bool = False
    oauth: OAuthApp | None = None
    about: str = ""
    help: str = ""
    manifest: str = ""
    price: Price | None = None


@dataclass(slots=True)
class Meter:
    """How much was read on one day (UTC), of a service that charges for each read. It is kept with
    the connection."""

    day: str = ""
    reads: int = 0

    def on(self, day: str) -> int:
        return self.reads if self.day == day else 0

    def add(self, day: str, number: int) -> None:
        self.reads, self.day = self.on(day) + number, day


@dataclass(frozen=True, slots=True)
class Access:
    """How one account is reached: its credential, its settings and what was chosen in it."""

    settings: Mapping[str, Any]
    chosen: tuple[str, ...] = ()
    credential: Mapping[str, str] = field(default_factory=dict, repr=False)
    meter: Meter = field(default_factory=Meter, compare=False)


@dataclass(frozen=True, slots=True)
class Account:
    """Whose account it is: `key` is the same each time, `name` is for people."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that can be chosen, with how many items it has where that is cheap to know."""

    reference: str
    name: str
    count: int | None = None
    has_children: bool = False


@dataclass(frozen=True, slots=True)
class ResourcePage:
    resources: tuple[Resource, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True)
class SeenItem:
    """An item that is there. `reference` names it for good; `revision` changes when it changes.
    `item` is the thing itself where the list gives it anyway."""

    reference: str
    revision: str
    path: str | None = None
    item: Item | LeftOut | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Removed:
    """An item that the service says is gone."""

    reference: str


@dataclass(frozen=True, slots=True)
class WalkPage:
    """A part of everything there is; `at` is where the next part begins, None after the last. A
    last part with `is_complete` False ends a walk that could not list everything: nothing is
    removed for being absent from it."""

    seen: tuple[SeenItem, ...]
    at: Mark | None
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class ChangePage:
    """What changed since a mark, and the mark to go on from."""

    changes: tuple[SeenItem | Removed, ...]
    mark: Mark
    is_last: bool = True


@dataclass(frozen=True, slots=True)
class WebhookCall:
    """A request of a service whose signature is right. It only makes a sync come sooner. `delivery`
    names the request, so that a repeated one counts once; `reply` is what a challenge is answered
    with; `new_secret` replaces the secret of the webhook, where the service chooses it itself."""

    delivery: str | None = None
    reply: str | None = None
    new_secret: str | None = None


class NeedsAuth(Conflict):
    """The service no longer takes the credential; the message says what the person does."""

    code = "needs_auth"


class AskedTooOften(Exception):
    """The service wants to be left alone until a moment."""

    def __init__(self, until: datetime) -> None:
        super().__init__(f"not before {until.isoformat()}")
        self.until = until


class MarkExpired(Exception):
    """The service no longer knows what changed since a mark; everything is listed again."""


class Ended(Exception):
    """The service says that what is read there is gone for good."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


# What comes of a reply that is not as its service describes it.
WRONG_SHAPE = (KeyError, TypeError, AttributeError, ValueError, IndexError, RecursionError)


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
