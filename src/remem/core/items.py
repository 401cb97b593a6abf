"""Items of other products' exports, and the port that reads them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class ItemTurn:
    """One turn of a conversation that another product stored."""

    speaker: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that another product stored. `reference` is its stable identifier there.

    A memory is a statement, a talk has turns, and a bookmark has a `url` and perhaps a note
    (`note`) or highlights (`quotes`). Everything else is a document: a text, or a `file` that the
    consumer of the items removes. `folders` is its path there. An `index_only` item is searchable,
    but no memories are distilled from it."""

    kind: Literal["memory", "talk", "bookmark", "document"]
    reference: str
    content: str = ""
    title: str | None = None
    url: str | None = None
    note: str = ""
    quotes: tuple[str, ...] = ()
    turns: tuple[ItemTurn, ...] = ()
    file: Path | None = None
    content_type: str | None = None
    tags: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    created_at: datetime | None = None
    valid_until: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    index_only: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something in a file that an importer leaves out, and why."""

    kind: str
    reference: str
    reason: str


class Importer(Protocol):
    """Reads an export of another product item by item, in the same order each time, with one item
    in memory at a time. Blocking. `recognises` reads little of the file and never raises. `read`
    extracts files into `folder`, or leaves them packed when there is none; it raises Unreadable
    when the file is not an export of the product."""

    @property
    def description(self) -> str:
        """The format it reads, in words for a person."""
        ...

    def recognises(self, path: Path) -> bool: ...

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]: ...
