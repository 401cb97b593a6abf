"""The interface of every store under test."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

TOP = 10


@dataclass(frozen=True, slots=True)
class Text:
    """One turn of a talk, with the text that every store gets."""

    id: str
    talk: str
    session: str
    speaker: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class PeerQuestion:
    talk: str
    text: str


class Peer(Protocol):
    """A store under test. `ways` lists its kinds of search."""

    ways: ClassVar[Sequence[str]]

    def save(self, text: Text) -> None: ...

    def save_many(self, texts: Sequence[Text]) -> None:
        """Save texts of one talk with the store's bulk call; NotImplementedError if it has none."""
        ...

    def ask(self, asked: PeerQuestion, way: str) -> list[str]:
        """The ids of the TOP best texts of the talk, best first."""
        ...
