"""The values of search."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias
from uuid import UUID

from remem.core.index.kinds import CHUNK
from remem.core.memories.model import Memory

QUERY_LIMIT = 10_000
LIMIT_DEFAULT, LIMIT_MAX = 10, 100
TOKENS_MAX = 100_000

Mode: TypeAlias = Literal["fast", "balanced", "deep"]
Fusion: TypeAlias = Literal["weighted", "rrf"]
MODES: tuple[Mode, ...] = ("fast", "balanced", "deep")
_NONE: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Filters:
    """What may be found: every condition that is given holds. Documents have a content type,
    memories a category; `metadata` is contained in the document's own, or the memory's context."""

    content_types: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def any(self) -> bool:
        dated = self.created_after or self.created_before
        kinds = self.content_types or self.categories
        return bool(kinds or self.tags or dated or self.metadata)


@dataclass(frozen=True, slots=True)
class Query:
    """`project` is an id, a path, a name, or `path.*` for all below it; `inherit` adds the
    parents. `asked_at` is when it is asked, for "last week" (now, when absent); `as_of` asks for
    what held at another time. What shares no word with the query must be as near to it as
    `least_cosine`. `explain` tells what scores are made of;
    `variants` has a language model word the query anew."""

    text: str
    project: str | UUID | None = None
    inherit: bool = False
    limit: int = LIMIT_DEFAULT
    filters: Filters = field(default_factory=Filters)
    mode: Mode = "balanced"
    fusion: Fusion = "weighted"
    vectors: bool = True
    kinds: tuple[str, ...] = (CHUNK,)
    asked_at: datetime | None = None
    as_of: datetime | None = None
    least_cosine: float = 0.0
    explain: bool = False
    variants: bool = False


class Parts(NamedTuple):
    """What a score is made of. `vector` and `text` are from 0 to 1; `evidence` are the parts that
    `text` itself is made of, each as it was weighed."""

    vector: float = 0.0
    text: float = 0.0
    recency: float = 0.0
    evidence: Mapping[str, float] = _NONE


class Sign(NamedTuple):
    """What is known of a candidate before its text is read: enough to rank it."""

    id: UUID
    document_id: UUID
    strand: UUID
    place: int
    speaker: str
    said_at: datetime
    asks: float
    tells_time: bool
    chars: int
    created_at: datetime
    exact: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that answers, with the document it belongs to."""

    chunk_id: UUID
    document_id: UUID
    content: str
    chunk_index: int
    start_offset: int
    end_offset: int
    page: int | None
    at_s: float | None
    heading_path: list[str]
    speaker: str | None
    said_at: datetime | None
    title: str
    summary: str | None
    source_url: str | None
    content_type: str
    tags: list[str]
    project_id: UUID
    forget_after: datetime | None
    created_at: datetime
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Ranked(NamedTuple):
    """A candidate's place in the order: by `score`, best first."""

    id: UUID
    document_id: UUID
    score: float
    parts: Parts


@dataclass(frozen=True, slots=True)
class Order:
    """Candidates, best first; `is_whole` when they were looked for in every way that was asked."""

    ranked: list[Ranked]
    is_whole: bool = True


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
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One answer of a list that is not grouped: a memory, or a chunk."""

    score: float
    parts: Parts
    memory: Memory | None = None
    chunk: Candidate | None = None

    @property
    def id(self) -> UUID | None:
        if self.memory:
            return self.memory.id
        return self.chunk.chunk_id if self.chunk else None


@dataclass(frozen=True, slots=True)
class Items:
    items: list[Item]
    total: int
    took_ms: float
    cached: bool = False
