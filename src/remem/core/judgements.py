"""The values that a judge is given and returns: statements, passages, relations, facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal, TypeAlias, get_args
from uuid import UUID

from remem.core.language.person import is_file, is_user

NOTE_CHARS = 2_000
# Between the headings above a statement, outermost first.
HEADING_SEPARATOR = " / "

# The reason of an update by a statement that ends a plan without another one.
CALLED_OFF = "called off"
# The reason of a relation that may be an update: too uncertain to replace anything, so a person is
# asked.
MAY_REPLACE = "may be a change"

Action: TypeAlias = Literal["update", "extend", "similar", "noop"]
Category: TypeAlias = Literal[
    "fact", "preference", "decision", "context", "episode", "insight", "task", "pattern",
    "lesson", "procedure", "note",
]  # fmt: skip
CATEGORIES: tuple[str, ...] = get_args(Category)


@dataclass(frozen=True, slots=True)
class MemoryDate:
    """What an expression of time in a statement means: from `start` to just before `end`, which are
    equal for a moment.

    A date that is not certain is never used as a fact, and may have neither."""

    text: str
    start: datetime | None
    end: datetime | None
    certain: bool

    def as_json(self) -> dict[str, Any]:
        start, end = (
            moment.astimezone(UTC).isoformat() if moment else None
            for moment in (self.start, self.end)
        )
        return {"text": self.text, "start": start, "end": end, "certain": self.certain}


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """A current memory that the new statement may relate to.

    `cosine` is exact for the nearest memories. A memory found only by its words has the cosine of
    the farthest neighbour instead, which is an upper bound; without vectors it is 0.
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
    # Whether it was stated after the statement that it is compared with.
    is_later: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """How the new statement relates to one known memory.

    `reasons` name the rules that decided. They quote neither statement, because they remain in the
    audit trail when both are erased.
    """

    action: Action
    target_id: UUID
    confidence: float
    reasons: tuple[str, ...]


def calls_off(relations: Sequence[Relation]) -> bool:
    """Whether a statement ends a plan; then its own dates are not due."""
    return any(CALLED_OFF in relation.reasons for relation in relations)


@dataclass(frozen=True, slots=True)
class StatementContext:
    """What is known about a statement besides its text: the speaker, what its dates mean, the
    heading or title above it, and when it was said, happened and is due."""

    speaker: str | None = None
    dates: Sequence[dict[str, Any]] = ()
    heading: str = ""
    said_at: datetime | None = None
    occurred_at: datetime | None = None
    due_at: datetime | None = None

    @property
    def day(self) -> date | None:
        return self.said_at.date() if self.said_at else None


NO_CONTEXT = StatementContext()


@dataclass(frozen=True, slots=True)
class Passage:
    """Consecutive text of one speaker, or of none; `start` is its offset in the document.

    `speaker` is their name, or that of the page or file. In an `anonymous` text, which the user
    did not write, statements in the first person are skipped. `said_at` is aware, in the
    speaker's zone; without it, only full dates are certain."""

    text: str
    start: int
    speaker: str = ""
    said_at: datetime | None = None
    # Said in a conversation, not written down.
    spoken: bool = False
    anonymous: bool = False

    @property
    def is_known(self) -> bool:
        return bool(self.speaker) and not self.anonymous

    @property
    def is_note(self) -> bool:
        """Whether it is a short text that somebody wrote down for themselves."""
        is_written = is_user(self.speaker) or (is_file(self.speaker) and not self.anonymous)
        return not self.spoken and is_written and len(self.text) <= NOTE_CHARS


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a document worth storing as a memory, quoted from `start` to `end`, with its
    speaker, its time and what its dates mean."""

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
    # What was said right before it, if the statement refers to it.
    before: str = ""
    # The line above it, and the label on its line before another statement.
    heading: str = ""
    # Not worth keeping by itself: it is kept if it changes something that is known.
    only_as_change: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """A self-contained part of a memory, from `start` to `end`."""

    content: str
    category: Category
    start: int
    end: int
    due_at: datetime | None = None
    dates: tuple[MemoryDate, ...] = ()
