"""The values of search."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias
from uuid import UUID

from remem.core.filters import Filters
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.model import Memory

QUERY_LIMIT = 10_000
LIMIT_DEFAULT, LIMIT_MAX = 10, 100
TOKENS_MAX = 100_000

Mode: TypeAlias = Literal["fast", "balanced", "deep", "best"]
Fusion: TypeAlias = Literal["weighted", "rrf"]
MODES: tuple[Mode, ...] = ("fast", "balanced", "deep", "best")
_NONE: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Where:
    """What is searched: things of some kinds, in projects (all, when None), under filters."""

    kinds: tuple[str, ...]
    projects: Sequence[UUID] | None
    filters: Filters


@dataclass(frozen=True, slots=True)
class Query:
    """`project` is an id, a path, a name, or `path.*` for all below it; `inherit` adds the
    parents. `asked_at` is when it is asked, for "last week" (now, when absent); `as_of` asks for
    what was valid at another time. `kinds` are looked for in one ranked list. `weak` also gives
    what is below the floor, where an answer is unlikely. `explain` tells what scores are made of;
    `variants` has a language model word the query anew."""

    text: str
    project: str | UUID | None = None
    inherit: bool = False
    limit: int = LIMIT_DEFAULT
    filters: Filters = field(default_factory=Filters)
    mode: Mode = "balanced"
    fusion: Fusion = "weighted"
    vectors: bool = True
    kinds: tuple[str, ...] = (CHUNK, MEMORY)
    asked_at: datetime | None = None
    as_of: datetime | None = None
    weak: bool = False
    explain: bool = False
    variants: bool = False


class Parts(NamedTuple):
    """What a score is made of. `vector` and `text` are from 0 to 1; `evidence` are the parts that
    `text` itself is made of, each as it was weighed. Where the reader read it, `relevance` is what
    it said, and `reader` what that added to the score."""

    vector: float = 0.0
    text: float = 0.0
    recency: float = 0.0
    evidence: Mapping[str, float] = _NONE
    relevance: float | None = None
    reader: float = 0.0


class Features(NamedTuple):
    """What is known of a candidate before its text is read: enough to rank it. `chunk_id` is the
    chunk itself, or the one that a memory was taken from. `title` is that of its document, where
    it is no talk."""

    id: UUID
    document_id: UUID
    thread_id: UUID
    place: int
    speaker: str
    said_at: datetime
    asks: float
    tells_time: bool
    chars: int
    created_at: datetime
    exact: int = 0
    kind: str = CHUNK
    chunk_id: UUID | None = None
    title: str = ""
    # 1 for a good memory, -1 for a bad one.
    quality: int = 0


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
    project_slug: str
    forget_after: datetime | None
    created_at: datetime
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Ranked(NamedTuple):
    """A place in the order, by `score`, best first: a chunk and the memories that were taken from
    it, or a memory. `id` and `kind` are of that which says it best; what has the same `group_id`
    is of one document."""

    id: UUID
    group_id: UUID
    score: float
    parts: Parts
    kind: str = CHUNK
    chunk_id: UUID | None = None
    memory_ids: tuple[UUID, ...] = ()
    is_weak: bool = False


@dataclass(frozen=True, slots=True)
class Replacement:
    """The memory that is valid instead of another one, or of what a chunk says, since when, and the
    chunk that it was taken from."""

    id: UUID
    content: str
    category: str
    since: datetime
    chunk_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """Places, best first; `is_whole` when they were looked for in every way that was asked. `mode`
    is how, where that is another than was asked for. `surplus` is how far the best stands out,
    where what the reader says is still to be added. `replaced` is what replaces the chunks in it,
    where that was looked up."""

    ranked: list[Ranked]
    is_whole: bool = True
    mode: Mode | None = None
    surplus: float = math.inf
    replaced: Mapping[UUID, Sequence[Replacement]] | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer: a chunk, a memory, or a chunk with the memories that were taken from it, the
    nearest first. `kind` is of that which says it best. A `lone` memory was found without its
    chunk, which then only shows where it comes from. What a chunk says is outdated where
    `replaced_by` is there."""

    score: float
    parts: Parts
    kind: str
    lone: bool = False
    chunk: Candidate | None = None
    memories: tuple[Memory, ...] = ()
    is_weak: bool = False
    replaced_by: Replacement | None = None

    @property
    def memory(self) -> Memory | None:
        return self.memories[0] if self.memories else None

    @property
    def id(self) -> UUID:
        if self.kind == MEMORY and self.memory:
            return self.memory.id
        assert self.chunk is not None
        return self.chunk.chunk_id


@dataclass(frozen=True, slots=True)
class Found:
    """A document with its hits in reading order; or, where there is none, a memory alone."""

    document: Candidate | None
    score: float
    hits: tuple[Hit, ...]

    @property
    def id(self) -> UUID:
        return self.document.document_id if self.document else self.hits[0].id

    @property
    def is_weak(self) -> bool:
        return all(hit.is_weak for hit in self.hits)


@dataclass(frozen=True, slots=True)
class Recall:
    """`mode` is the mode that was used: `balanced` if `best` was not available."""

    found: list[Found]
    took_ms: float
    cached: bool = False
    mode: Mode = "balanced"
    # The query as it was probably meant, when nothing was found.
    suggestion: str | None = None
    # Why the language model that was asked for was not used.
    model_unused: str | None = None


@dataclass(frozen=True, slots=True)
class Hits:
    """A list that is not grouped."""

    hits: list[Hit]
    total: int
    took_ms: float
    cached: bool = False
    mode: Mode = "balanced"
    # Why the language model that was asked for was not used.
    model_unused: str | None = None
