"""The values of answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

# What a question asks for: a time, how long ago, a number of things, several things, or one thing.
Kind: TypeAlias = Literal["when", "ago", "count", "list", "one"]


class Place(NamedTuple):
    """Characters of a text that may answer, and the confidence of the reader; `strength` is
    comparable between texts."""

    start: int
    end: int
    confidence: float
    strength: float = 0.0


@dataclass(frozen=True, slots=True)
class Source:
    """A text that was read: a chunk of a document or a memory. `content` is its full text, which
    begins at `start_offset` of the document."""

    content: str
    kind: str
    id: UUID
    document_id: UUID | None = None
    start_offset: int = 0
    speaker: str | None = None
    said_at: datetime | None = None
    # The headings above its beginning, and the title that a person gave it.
    heading_path: tuple[str, ...] = ()
    title: str = ""
    # Stored with a memory: when it happened, and when it is due.
    occurred_at: datetime | None = None
    due_at: datetime | None = None

    @property
    def happened_at(self) -> datetime | None:
        """When it happened, unless the text itself says so."""
        return self.occurred_at or self.said_at


# The relevance if the question was not asked: lower than any real one.
NOT_ASKED = -20.0


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader found in a source. `relevance` is how well the text as a whole answers,
    `rank` its position, and `other_relevance` how well another speaker's texts answer the same
    question about that speaker."""

    source: Source
    rank: int
    relevance: float
    places: Sequence[Place]
    other_relevance: float = NOT_ASKED


@dataclass(frozen=True, slots=True)
class Citation:
    """A part of the answer: the characters of the source that state it. `text` is that text,
    `value` the same with relative times resolved by the day it was said."""

    source: Source
    start: int
    end: int
    text: str
    value: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` is None if no source answers; the citations are then the nearest ones. `confidence` is
    from 0 to 1; that of a known answer is at least the threshold. `is_counted` marks a number that
    no source states, but that is the number of cited things. `is_unread` means that there are
    sources but no working reader, `is_on_day` that it is about the day that the question names."""

    question: str
    kind: Kind
    text: str | None
    confidence: float
    citations: tuple[Citation, ...] = ()
    took_ms: float = 0.0
    sources: Sequence[Source] = field(default_factory=tuple)
    is_counted: bool = False
    is_unread: bool = False
    is_on_day: bool = False
