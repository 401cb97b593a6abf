"""Group messages into conversations by the messages that they refer to. Pure."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from remem.adapters.connectors.mail.wire import Part

# A longer conversation is split: each new message causes its whole talk to be read again.
TALK_MESSAGES = 200
# Limit for the references of a message: the first and the last ones are kept.
MAX_REFERENCES = 50
_ID = re.compile(rb"<([^<>\s]{3,500})>")


@dataclass(frozen=True, slots=True)
class Head:
    """Headers of a message. `message_id` is a hash of its Message-ID, `references` are those of
    In-Reply-To and References; `thread` is the conversation id that the server gives."""

    uid: int
    received_s: int
    message_id: int | None = None
    references: tuple[int, ...] = ()
    thread: str | None = None
    attached: tuple[Part, ...] = ()
    subject: str = ""


@dataclass(frozen=True, order=True, slots=True)
class MessagePlace:
    """A message by time and location: `folder` is a name with its UIDVALIDITY."""

    received_s: int
    folder: str
    uid: int

    @property
    def reference(self) -> str:
        return f"{self.folder}/{self.uid}"


def parse_message_ids(header: bytes) -> tuple[int, ...]:
    ids = [_hash_id(id) for id in _ID.findall(header)]
    return tuple(ids[:1] + ids[1:][-(MAX_REFERENCES - 1) :])


def _hash_id(name: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(name, digest_size=8).digest())


def conversations(folders: Mapping[str, Iterable[Head]]) -> list[list[MessagePlace]]:
    """Return the conversations, each with its messages in order of arrival. Conversation ids of the
    server are used if it provides them."""
    groups = _UnionFind()
    single: list[list[MessagePlace]] = []
    members: list[tuple[int | str, MessagePlace]] = []
    for folder, heads in folders.items():
        for head in heads:
            place = MessagePlace(head.received_s, folder, head.uid)
            names = [head.thread] if head.thread else [*_as_list(head.message_id), *head.references]
            if names:
                members.append((names[0], place))
                groups.union(names)
            else:
                single.append([place])
    by_root: dict[int | str, list[MessagePlace]] = {}
    for name, place in members:
        by_root.setdefault(groups.find(name), []).append(place)
    return [
        talk for group in [*by_root.values(), *single] for talk in _split_into_talks(sorted(group))
    ]


def _as_list(message_id: int | None) -> list[int | str]:
    return [] if message_id is None else [message_id]


def _split_into_talks(group: list[MessagePlace]) -> list[list[MessagePlace]]:
    return [group[start : start + TALK_MESSAGES] for start in range(0, len(group), TALK_MESSAGES)]


class _UnionFind:
    """Union-find of names that belong together; references may be circular."""

    def __init__(self) -> None:
        self._parents: dict[int | str, int | str] = {}

    def union(self, names: Iterable[int | str]) -> None:
        first, *others = names
        root = self.find(first)
        for other in others:
            self._parents[self.find(other)] = root

    def find(self, name: int | str) -> int | str:
        parents = self._parents
        while (parent := parents.setdefault(name, name)) != name:
            parents[name] = parents.get(parent, parent)
            name = parents[name]
        return name
