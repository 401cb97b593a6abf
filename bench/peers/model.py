"""What every store is given and how it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

TOP = 10


@dataclass(frozen=True, slots=True)
class Text:
    """One turn of a talk, in the words every store gets."""

    id: str
    talk: str
    session: str
    speaker: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    talk: str
    text: str


class Peer(Protocol):
    """A store under test. `ways` are the kinds of search it has."""

    ways: ClassVar[Sequence[str]]

    def save(self, text: Text) -> None: ...

    def save_many(self, texts: Sequence[Text]) -> None:
        """Save texts of one talk by the store's own call for many; NotImplementedError if none."""
        ...

    def ask(self, asked: Asked, way: str) -> list[str]:
        """The ids of the TOP best texts of the talk, best first."""
        ...
