"""Items of other products' exports, and the port of their importers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class Said:
    """One turn of a talk, as another product kept it."""

    speaker: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that another product kept. `reference` is its name there, always the same one.

    A memory is a statement, a talk has turns, a bookmark has a `url` and perhaps what somebody
    wrote (`note`) or marked (`quotes`) there; whatever else there is, is a document: a text, or a
    `file` that the reader of the items removes. `folders` is where it lay. What is
    `index_only` is found, and no memories are made of it."""

    kind: Literal["memory", "talk", "bookmark", "document"]
    reference: str
    content: str = ""
    title: str | None = None
    url: str | None = None
    note: str = ""
    quotes: tuple[str, ...] = ()
    turns: tuple[Said, ...] = ()
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
    """What a file contains and an importer does not take, and why."""

    kind: str
    reference: str
    reason: str


class Importer(Protocol):
    """AccessLog what another product gives out, item by item and in the same order each time, never
    keeping more than one of them. Blocking. `recognises` looks at little of the file and raises
    nothing. `read` puts files into `folder`, or leaves them packed when there is none; it raises
    Unreadable where the file is not what the product writes."""

    @property
    def what(self) -> str:
        """What it reads, in words for a person."""
        ...

    def recognises(self, path: Path) -> bool: ...

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]: ...
