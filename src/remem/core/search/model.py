"""The values of search."""

import math
from collections.abc import Callable, Mapping, Sequence
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
_NO_EVIDENCE: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Where:
    """What is searched: items of some kinds, in projects (all if None), under filters."""

    kinds: tuple[str, ...]
    projects: Sequence[UUID] | None
    filters: Filters


@dataclass(frozen=True, slots=True)
class Query:
    """`project` is an id, a path, a name, or `path.*` for all below it; `inherit` adds its parents.
    `asked_at` resolves relative times like "last week" (default: now); `as_of` searches what was
    valid at another time. `kinds` are ranked in one list. `weak` includes results below the floor,
    which are unlikely to be an answer; `for_reading` only those that a reader may still find an
    answer in, alone or together. `explain` returns the components of each score; `variants` has a
    language model reword the query."""

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
    for_reading: bool = False
    explain: bool = False
    variants: bool = False


class ScoreParts(NamedTuple):
    """The components of a score. `vector` and `text` are from 0 to 1; `evidence` has the weighted
    components of `text`. If the reader scored the result, `relevance` is its score and `reader`
    what that added to the total."""

    vector: float = 0.0
    text: float = 0.0
    recency: float = 0.0
    evidence: Mapping[str, float] = _NO_EVIDENCE
    relevance: float | None = None
    reader: float = 0.0


class Features(NamedTuple):
    """What is known of a candidate without its text: enough to rank it. `chunk_id` is the chunk
    itself, or the one that a memory was taken from. `title` is the title of its document, empty for
    a conversation."""

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
    """A chunk that may answer, with its document."""

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
    project_ref: str
    forget_after: datetime | None
    created_at: datetime
    metadata: Mapping[str, Any] = field(default_factory=dict)
    # Of the original, if the document has one.
    file_name: str | None = None
    # The characters at the beginning that repeat another section.
    repeated: int = 0


class Ranked(NamedTuple):
    """A position in the ranking, by `score`: a chunk with the memories that were taken from it, or
    a memory. `id` and `kind` are those of the best match among them; positions with the same
    `group_id` belong to one document. `relevance` is comparable between queries, `score` is not.
    If `is_judged_alone`, too little relevance makes it weak."""

    id: UUID
    group_id: UUID
    score: float
    parts: ScoreParts
    kind: str = CHUNK
    chunk_id: UUID | None = None
    memory_ids: tuple[UUID, ...] = ()
    is_weak: bool = False
    relevance: float = 0.0
    is_judged_alone: bool = False


@dataclass(frozen=True, slots=True)
class Replacement:
    """The memory that is now valid in place of another one, or of the text of a chunk: since when,
    and the chunk it was taken from."""

    id: UUID
    content: str
    category: str
    since: datetime
    chunk_id: UUID | None = None


class Asked(NamedTuple):
    """What tells, with the reader's scores, whether anything answers a query: `asks` are the log
    odds that it is about the person's own matters, if known; `cosine` is the highest."""

    asks: float | None
    cosine: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Results, best first; `is_complete` if every requested way of searching was available. `mode`
    is the mode that was used, if it is not the requested one. `margin` is by how much the best
    result stands out, as long as the reader's share has not been added. `prefer_newer` ranks newer
    results first, if that is left to do after the reader. `asked` is missing for queries that
    something answers by what they name. `replaced` has the replacements of its
    chunks, if they were looked up."""

    ranked: list[Ranked]
    is_complete: bool = True
    mode: Mode | None = None
    margin: float = math.inf
    prefer_newer: Callable[[Sequence[Ranked]], list[Ranked]] | None = None
    asked: Asked | None = None
    replaced: Mapping[UUID, Sequence[Replacement]] | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One result: a chunk, a memory, or a chunk with the memories that were taken from it, nearest
    first. `kind` is that of the best match. A `lone` memory was found without its chunk, which then
    only shows its source. If `replaced_by` is set, the text of the chunk is outdated."""

    score: float
    parts: ScoreParts
    kind: str
    lone: bool = False
    chunk: Candidate | None = None
    memories: tuple[Memory, ...] = ()
    is_weak: bool = False
    replaced_by: Replacement | None = None
    relevance: float = 0.0

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
class RecallResult:
    """A document with its hits in reading order, or a memory without a document."""

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

    results: list[RecallResult]
    took_ms: float
    cached: bool = False
    mode: Mode = "balanced"
    # The probable intended query, if nothing was found.
    suggestion: str | None = None
    # Why the requested language model was not used.
    model_unused: str | None = None
    # How many documents and lone memories match, shown or not.
    total: int = 0


@dataclass(frozen=True, slots=True)
class Hits:
    """An ungrouped list of results."""

    hits: list[Hit]
    total: int
    took_ms: float
    cached: bool = False
    mode: Mode = "balanced"
    # Why the requested language model was not used.
    model_unused: str | None = None
