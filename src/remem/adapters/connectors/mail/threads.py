"""Which messages are one conversation, by the messages that each one names. Pure."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from remem.adapters.connectors.mail.wire import Part

# A longer conversation goes on in another talk: each new message has its whole talk read again.
TALK_MESSAGES = 200
# Of the messages that one names: the first and the last ones.
NAMED = 50
_ID = re.compile(rb"<([^<>\s]{3,500})>")


@dataclass(frozen=True, slots=True)
class Head:
    """`own` and `named` stand for the Message-ID and those of In-Reply-To and References;
    `thread` for what the server itself says of the conversation."""

    uid: int
    received_s: int
    own: int | None = None
    named: tuple[int, ...] = ()
    thread: str | None = None
    attached: tuple[Part, ...] = ()
    subject: str = ""


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A message by when it came and where it lies: `folder` is a name with its UIDVALIDITY."""

    received_s: int
    folder: str
    uid: int

    @property
    def reference(self) -> str:
        return f"{self.folder}/{self.uid}"


def named_in(header: bytes) -> tuple[int, ...]:
    found = [_short(one) for one in _ID.findall(header)]
    return tuple(found[:1] + found[1:][-(NAMED - 1) :])


def _short(name: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(name, digest_size=8).digest())


def conversations(folders: Mapping[str, Iterable[Head]]) -> list[list[Place]]:
    """Each from its first message to its last, by when they came. Where the server knows the
    conversations, they are its own."""
    groups = _Groups()
    alone: list[list[Place]] = []
    members: list[tuple[int | str, Place]] = []
    for folder, heads in folders.items():
        for head in heads:
            place = Place(head.received_s, folder, head.uid)
            names = [head.thread] if head.thread else [*_known(head.own), *head.named]
            if names:
                members.append((names[0], place))
                groups.join(names)
            else:
                alone.append([place])
    joined: dict[int | str, list[Place]] = {}
    for name, place in members:
        joined.setdefault(groups.of(name), []).append(place)
    return [talk for group in [*joined.values(), *alone] for talk in _in_talks(sorted(group))]


def _known(own: int | None) -> list[int | str]:
    return [] if own is None else [own]


def _in_talks(group: list[Place]) -> list[list[Place]]:
    return [group[at : at + TALK_MESSAGES] for at in range(0, len(group), TALK_MESSAGES)]


class _Groups:
    """Names that belong together, however they name each other: also in circles."""

    def __init__(self) -> None:
        self._above: dict[int | str, int | str] = {}

    def join(self, names: Iterable[int | str]) -> None:
        first, *others = names
        top = self.of(first)
        for other in others:
            self._above[self.of(other)] = top

    def of(self, name: int | str) -> int | str:
        above = self._above
        while (higher := above.setdefault(name, name)) != name:
            above[name] = above.get(higher, higher)
            name = above[name]
        return name
