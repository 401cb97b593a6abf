"""The values of answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

# What a question asks for: a time, how long ago, a number of things, several things, or one.
Kind: TypeAlias = Literal["when", "ago", "count", "list", "one"]


class Place(NamedTuple):
    """Characters of a text that may answer, and how sure the reader is that they do; `strength`
    compares them with those of other texts."""

    start: int
    end: int
    confidence: float
    strength: float = 0.0


@dataclass(frozen=True, slots=True)
class Source:
    """A text that was read: a chunk of a document or a memory. `content` is all of it; the text
    begins at `start_offset` of the document's."""

    content: str
    kind: str
    id: UUID
    document_id: UUID | None = None
    start_offset: int = 0
    speaker: str | None = None
    said_at: datetime | None = None
    # Written above where it begins, and the title that a person gave it.
    heading_path: tuple[str, ...] = ()
    title: str = ""
    # Stored with a memory: when it happened, and when it is to be done by.
    occurred_at: datetime | None = None
    due_at: datetime | None = None

    @property
    def happened_at(self) -> datetime | None:
        """When what it says was, if its words do not say."""
        return self.occurred_at or self.said_at


# Less relevant than anything is.
NOT_ASKED = -20.0


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in a source. `relevance` is how well the whole answers, `rank` its place, and
    `of_another` how well what another speaker says answers the same question about them."""

    source: Source
    rank: int
    relevance: float
    places: Sequence[Place]
    of_another: float = NOT_ASKED


@dataclass(frozen=True, slots=True)
class Citation:
    """A part of the answer: the characters of the source that say it. `text` is what they say,
    `value` the same with its time resolved by the day it was said on."""

    source: Source
    start: int
    end: int
    text: str
    value: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` is None where nothing that was found answers; the citations then are what came
    nearest. `confidence` is from 0 to 1, and known answers have at least the threshold's.
    `is_counted` is a number that nobody stated: so many things are cited. `is_unread`: there are
    sources, and no reader that works."""

    question: str
    kind: Kind
    text: str | None
    confidence: float
    citations: tuple[Citation, ...] = ()
    took_ms: float = 0.0
    sources: Sequence[Source] = field(default_factory=tuple)
    is_counted: bool = False
    is_unread: bool = False
