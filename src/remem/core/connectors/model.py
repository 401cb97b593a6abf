"""An account of a service, and what a connector reports about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from remem.core.items import Item, LeftOut

# A position in a walk or in a list of changes: any JSON that the service accepts as a cursor.
Mark: TypeAlias = Any


@dataclass(slots=True)
class Meter:
    """Counts the reads of one day (UTC) at a service that charges for each. It is stored with the
    connection."""

    day: str = ""
    reads: int = 0

    def on(self, day: str) -> int:
        return self.reads if self.day == day else 0

    def add(self, day: str, number: int) -> None:
        self.reads, self.day = self.on(day) + number, day


@dataclass(frozen=True, slots=True)
class Access:
    """What is needed to read one account: its credential, its settings and what was chosen in
    it."""

    settings: Mapping[str, Any]
    chosen: tuple[str, ...] = ()
    credential: Mapping[str, str] = field(default_factory=dict, repr=False)
    meter: Meter = field(default_factory=Meter, compare=False)


@dataclass(frozen=True, slots=True)
class Account:
    """The identity of an account: `key` is stable, `name` is for display."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that can be chosen, with its number of items if that is cheap to find out."""

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
    """An item that exists in the account. `reference` is its permanent id; `revision` changes when
    the item changes. `item` is the item itself, if the list contains it anyway."""

    reference: str
    revision: str
    path: str | None = None
    item: Item | LeftOut | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Removed:
    """An item that the service reports as removed."""

    reference: str


@dataclass(frozen=True, slots=True)
class WalkPage:
    """One page of all items; `at` is where the next page begins, or None after the last. A last
    page with `is_complete` False ends a walk that could not list everything: items that are missing
    from it are not removed."""

    seen: tuple[SeenItem, ...]
    at: Mark | None
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class ChangePage:
    """What changed since a mark, and the mark to continue from."""

    changes: tuple[SeenItem | Removed, ...]
    mark: Mark
    is_last: bool = True


@dataclass(frozen=True, slots=True)
class WebhookCall:
    """A webhook request with a valid signature. It only triggers a sync earlier. `delivery` is the
    id of the request, so that a repeated one counts once; `reply` is the answer to a challenge;
    `new_secret` replaces the secret of the webhook, if the service chooses it."""

    delivery: str | None = None
    reply: str | None = None
    new_secret: str | None = None
