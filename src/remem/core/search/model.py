"""The values of search."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

QUERY_LIMIT = 10_000
LIMIT_DEFAULT, LIMIT_MAX = 10, 100


@dataclass(frozen=True, slots=True)
class Filters:
    content_types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None

    @property
    def any(self) -> bool:
        return bool(self.content_types or self.tags or self.created_after or self.created_before)


@dataclass(frozen=True, slots=True)
class Query:
    text: str
    project: str | UUID | None = None
    limit: int = LIMIT_DEFAULT
    filters: Filters = field(default_factory=Filters)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a score is made of."""

    vector: float = 0.0
    text: float = 0.0
    recency: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that may answer, with the document it belongs to."""

    chunk_id: UUID
    document_id: UUID
    content: str
    chunk_index: int
    start_offset: int
    end_offset: int
    page: int | None
    at_s: float | None
    heading_path: list[str]
    title: str
    summary: str | None
    source_url: str | None
    content_type: str
    tags: list[str]
    project_id: UUID
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Hit:
    candidate: Candidate
    score: float
    parts: Parts


@dataclass(frozen=True, slots=True)
class Found:
    """A document with the chunks that answered, best score first among documents."""

    document: Candidate
    score: float
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    found: list[Found]
    took_ms: float
