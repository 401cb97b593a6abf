"""The values of memories."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from remem.core.current import is_shown
from remem.core.judgements import MemoryDate, Relation, Saying

CONTENT_LIMIT = 10_000
SPEAKER_LIMIT = 80
SOURCE_LIMIT = 100

State: TypeAlias = Literal["active", "superseded", "quarantined"]
Quality: TypeAlias = Literal["unknown", "good", "bad"]
# What a person says of a memory that was inferred, and not said by anybody.
Review: TypeAlias = Literal["accept", "decline"]
# Sources: inferred from a document, inferred from another memory, said by a person.
DISTIL, DERIVE, OWN = "distil", "derive", "api"
# Where the context of a memory says which heading it stood under.
HEADING = "heading"
# And where it has the words before it there.
BEFORE = "before"
Status: TypeAlias = Literal["saved", "updated", "extended", "duplicate"]


def heading_in(title: str | None, context: Mapping[str, Any]) -> str:
    """What a person wrote above a statement: its title, or the heading in its document."""
    above = title or context.get(HEADING)
    return above if isinstance(above, str) else ""


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """A statement as it was handed in. `defer` keeps it at once and relates it in a job.

    `dates` are found in the content, counted from `said_at` or the moment of saving, unless they
    are given."""

    content: str
    title: str | None = None
    category: str | None = None
    project: str | UUID | None = None
    create_project: bool = False
    tags: list[str] = field(default_factory=list)
    context: dict[str, Any] = field(default_factory=dict)
    # None is the usual 1, or that of the memory it updates.
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
    # Of what was kept elsewhere before: the id it is to have here, and when it was said.
    id: UUID | None = None
    created_at: datetime | None = None
    # When it was said, if that is not now; of two statements the one said later is the newer.
    stated_at: datetime | None = None
    # A memory it follows from; it does not replace it.
    derived_from: UUID | None = None

    @property
    def heading(self) -> str:
        return heading_in(self.title, self.context)


@dataclass(frozen=True, slots=True)
class Memory:
    """One statement. A chain shares `root_id`; a member that is not current is superseded."""

    id: UUID
    project_id: UUID
    project_slug: str
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
    # When it was last said: of two that cannot both be true, the one said later is.
    stated_at: datetime
    # The memory that says this among other things.
    part_of: UUID | None = None

    @property
    def is_shown(self) -> bool:
        """Whether it is in the indexes."""
        return is_shown(self.state, deleted=bool(self.deleted_at), part=bool(self.part_of))

    def is_valid_at(self, moment: datetime) -> bool:
        """Whether it is found at a moment, now that it is as it is; `current_memories` in SQL."""
        begun = self.valid_from is None or self.valid_from <= moment
        return self.is_shown and begun and (self.valid_until is None or self.valid_until > moment)

    @property
    def heading(self) -> str:
        return heading_in(self.title, self.context)

    @property
    def saying(self) -> Saying:
        said_at = self.said_at or self.stated_at
        return Saying(
            self.speaker, self.dates, self.heading, said_at, self.occurred_at, self.due_at
        )

    @property
    def valid_since(self) -> datetime:
        return self.valid_from or self.created_at


@dataclass(frozen=True, slots=True)
class SavedMemory:
    """What became of a draft. For a duplicate, `memory` is the one that was there already."""

    memory: Memory
    status: Status
    superseded: tuple[UUID, ...] = ()
    relations: tuple[Relation, ...] = ()
    job_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class MemoryChoice:
    """Which memories to list. `as_of` asks for what was valid at that moment instead of now."""

    project: str | UUID | None = None
    category: str | None = None
    # Each of these words is in it, or a word that begins so.
    words: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    state: State = "active"
    as_of: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    # Those that rest on this document.
    document_id: UUID | None = None
    # Those that were saved in this session.
    session_id: UUID | None = None
    # Inferred, and not yet accepted or declined; `unsure` are those worth a look.
    review: Literal["pending", "unsure"] | None = None
