"""The values of memories."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from remem.core.current import is_shown
from remem.core.judgements import MemoryDate, Relation, StatementContext

CONTENT_LIMIT = 10_000
SPEAKER_LIMIT = 80
SOURCE_LIMIT = 100

State: TypeAlias = Literal["active", "superseded", "quarantined"]
Quality: TypeAlias = Literal["unknown", "good", "bad"]
# A user's decision on an inferred memory.
Review: TypeAlias = Literal["accept", "decline"]
# Sources: inferred from a document, inferred from another memory, sent through the API.
DISTIL, DERIVE, OWN = "distil", "derive", "api"
# Keys of a memory's context: the heading above the statement in its document, and the words before
# it.
HEADING = "heading"
BEFORE = "before"
Status: TypeAlias = Literal["saved", "updated", "extended", "duplicate"]


def heading_in(title: str | None, context: Mapping[str, Any]) -> str:
    """The title of a statement, or else the heading above it in its document."""
    above = title or context.get(HEADING)
    return above if isinstance(above, str) else ""


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """A statement as it was sent. With `defer` it is stored at once and related in a job. A
    `hidden` one is not found until a person accepts it. One that counts `only_as_change` is not
    stored unless it replaces another.

    `dates` are read from the content, relative to `said_at` or the moment of saving, unless they
    are sent."""

    content: str
    title: str | None = None
    category: str | None = None
    project: str | UUID | None = None
    create_project: bool = False
    tags: list[str] = field(default_factory=list)
    context: dict[str, Any] = field(default_factory=dict)
    # None means 1, or the confidence of the memory it updates.
    confidence: float | None = None
    session_id: UUID | None = None
    document_id: UUID | None = None
    evidence: dict[str, Any] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    occurred_at: datetime | None = None
    due_at: datetime | None = None
    speaker: str | None = None
    said_at: datetime | None = None
    dates: tuple[MemoryDate, ...] | None = None
    source: str = OWN
    defer: bool = False
    hidden: bool = False
    only_as_change: bool = False
    # For imported memories: their id and when they were created.
    id: UUID | None = None
    created_at: datetime | None = None
    # When it was stated, if not now. Of two statements, the one stated later is newer.
    stated_at: datetime | None = None
    # A memory that it follows from and does not replace.
    derived_from: UUID | None = None

    @property
    def heading(self) -> str:
        return heading_in(self.title, self.context)


@dataclass(frozen=True, slots=True)
class Memory:
    """One statement. The versions of a chain share `root_id`; all but the current one are
    superseded."""

    id: UUID
    project_id: UUID
    project_ref: str
    document_id: UUID | None
    session_id: UUID | None
    user_id: UUID
    title: str | None
    content: str
    expanded: str | None
    category: str
    tags: list[str]
    context: dict[str, Any]
    confidence: float
    state: State
    quality: Quality
    is_current: bool
    supersedes_id: UUID | None
    root_id: UUID
    version: int
    valid_from: datetime | None
    valid_until: datetime | None
    due_at: datetime | None
    occurred_at: datetime | None
    speaker: str | None
    said_at: datetime | None
    dates: list[dict[str, Any]]
    access_count: int
    last_accessed_at: datetime | None
    source: str
    evidence: dict[str, Any]
    embedded_with: str | None
    content_hash: str
    deleted_at: datetime | None
    created_at: datetime
    updated_at: datetime
    # When it was last stated: of two contradicting memories, the one stated later is true.
    stated_at: datetime
    # The memory that contains this one as a part.
    part_of: UUID | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the memory is in the indexes."""
        return is_shown(self.state, deleted=bool(self.deleted_at), part=bool(self.part_of))

    def is_valid_at(self, moment: datetime) -> bool:
        """Whether the memory is shown and valid at a moment; `current_memories` in SQL."""
        has_begun = self.valid_from is None or self.valid_from <= moment
        return (
            self.is_shown and has_begun and (self.valid_until is None or self.valid_until > moment)
        )

    @property
    def heading(self) -> str:
        return heading_in(self.title, self.context)

    @property
    def statement_context(self) -> StatementContext:
        said_at = self.said_at or self.stated_at
        return StatementContext(
            self.speaker, self.dates, self.heading, said_at, self.occurred_at, self.due_at
        )

    @property
    def valid_since(self) -> datetime:
        return self.valid_from or self.created_at


@dataclass(frozen=True, slots=True)
class SavedMemory:
    """The result of a save. For a duplicate, `memory` is the one that was stored already, with the
    tags that were added to it and the fields that it keeps as they were."""

    memory: Memory
    status: Status
    superseded: tuple[UUID, ...] = ()
    relations: tuple[Relation, ...] = ()
    job_id: UUID | None = None
    added_tags: tuple[str, ...] = ()
    not_taken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DueSpan:
    """Due at `since` or later, and before `until`; None: at any time."""

    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemoryChoice:
    """Which memories to list. `as_of` lists what was valid at that moment instead of now."""

    project: str | UUID | None = None
    category: str | None = None
    # The content has each of these words, or a word that begins with it.
    words: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    state: State = "active"
    as_of: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    # Stated by this document.
    document_id: UUID | None = None
    # Saved in this session.
    session_id: UUID | None = None
    # Inferred memories awaiting review; `unsure` are those to ask about.
    review: Literal["pending", "unsure"] | None = None
