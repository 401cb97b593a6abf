"""What is judged of statements, and the judgements: what a judge is given and what it says."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal, TypeAlias, get_args
from uuid import UUID

from remem.core.language.person import is_user

NOTE_CHARS = 2_000

Action: TypeAlias = Literal["update", "extend", "similar", "noop"]
Category: TypeAlias = Literal[
    "fact", "preference", "decision", "context", "episode", "insight", "task", "pattern",
    "lesson", "procedure", "note",
]  # fmt: skip
CATEGORIES: tuple[str, ...] = get_args(Category)


@dataclass(frozen=True, slots=True)
class MemoryDate:
    """What an expression of time in a statement means: from `start` to just before `end`; both are
    the same for a moment. One that is not certain is never claimed, and may have neither."""

    text: str
    start: datetime | None
    end: datetime | None
    certain: bool

    def as_json(self) -> dict[str, Any]:
        start, end = (
            one.astimezone(UTC).isoformat() if one else None for one in (self.start, self.end)
        )
        return {"text": self.text, "start": start, "end": end, "certain": self.certain}


@dataclass(frozen=True, slots=True)
class Known:
    """A current memory the new statement may relate to.

    `cosine` is exact for the nearest. One found by its words alone has the cosine of the
    farthest neighbour that was looked at, which is an upper bound of its own; without vectors
    it is 0.
    """

    id: UUID
    content: str
    cosine: float
    created_at: datetime
    category: str | None = None
    valid_since: datetime | None = None
    stated_at: datetime | None = None
    speaker: str | None = None
    dates: Sequence[dict[str, Any]] = ()
    heading: str = ""
    occurred_at: datetime | None = None
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """What the new statement is to one known memory.

    `reasons` name the rules that spoke and quote nothing of either statement: they stay in the
    audit trail when both are erased.
    """

    action: Action
    target_id: UUID
    confidence: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Saying:
    """Who says the new statement, what its dates mean, the heading or title that a person wrote
    above it, and when it is said, happened and is due, if that is known."""

    speaker: str | None = None
    dates: Sequence[dict[str, Any]] = ()
    heading: str = ""
    said_at: datetime | None = None
    occurred_at: datetime | None = None
    due_at: datetime | None = None

    @property
    def day(self) -> date | None:
        return self.said_at.date() if self.said_at else None


UNSPOKEN = Saying()


@dataclass(frozen=True, slots=True)
class Passage:
    """What one speaker said, or nobody in particular: `start` is its place in the document.

    `speaker` is what they are called; without one, nothing in the first person is understood.
    `said_at` is aware, in the speaker's zone; without it, no date but a full one is certain."""

    text: str
    start: int
    speaker: str = ""
    said_at: datetime | None = None
    # Said in a talk, and not written down.
    spoken: bool = False

    @property
    def is_note(self) -> bool:
        """Short, and of nobody's making but the user's: what they wrote down to keep it."""
        return not self.spoken and is_user(self.speaker) and len(self.text) <= NOTE_CHARS


@dataclass(frozen=True, slots=True)
class Statement:
    """A memory to be: a sentence as it stands in the document from `start` to `end`, and beside it
    who said it, when, and what its dates mean."""

    content: str
    category: Category
    confidence: float
    start: int
    end: int
    speaker: str = ""
    dates: tuple[MemoryDate, ...] = ()
    said_at: datetime | None = None
    occurred_at: datetime | None = None
    due_at: datetime | None = None
    # What was said right before it, where it takes up something from there.
    before: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A self-contained part of a memory, from `start` to `end`."""

    content: str
    category: Category
    start: int
    end: int
    due_at: datetime | None = None
    dates: tuple[MemoryDate, ...] = ()
