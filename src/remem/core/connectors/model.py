"""An account of a service, and what a connector says of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from remem.core.items import Item, LeftOut

# A place in a walk, or a moment in a list of changes: whatever JSON the service needs again.
Mark: TypeAlias = Any


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
