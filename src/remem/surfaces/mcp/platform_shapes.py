"""The output types of the tools in the toolset `platform`."""

from typing import Any

from typing_extensions import TypedDict


class ProjectOut(TypedDict):
    id: str
    name: str
    slug: str


class ProjectList(TypedDict):
    projects: list[ProjectOut]


class MemoryOut(TypedDict):
    id: str
    content: str
    category: str
    project: str
    tags: list[str]
    version: int
    createdAt: str


class SavedOut(TypedDict):
    id: str
    status: str
    addedTags: list[str]
    notTaken: list[str]
    memory: MemoryOut


class HitOut(TypedDict):
    id: str
    kind: str
    title: str
    snippet: str
    score: float


class IndexOut(TypedDict):
    hits: list[HitOut]
    total: int


class MemoryPage(TypedDict):
    memories: list[MemoryOut]
    total: int
    next_cursor: Any


class BatchOut(TypedDict):
    memories: list[MemoryOut]
    missing: list[str]


class DueOut(TypedDict):
    memories: list[MemoryOut]


class DerivedOut(TypedDict):
    id: str
    facts: list[MemoryOut]
    foresight: list[MemoryOut]


class Provider(TypedDict):
    id: str
    description: str


class ProvidersOut(TypedDict):
    providers: list[Provider]


class CitationOut(TypedDict):
    number: int
    sentence: str
    kind: str
    start: int
    end: int


class AskedOut(TypedDict):
    question: str
    known: bool
    answer: str
    claims: list[dict[str, Any]]
    citations: list[CitationOut]
    sessionId: Any
