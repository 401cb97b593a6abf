"""The replies that people use, with their fields."""

from datetime import datetime
from typing import Any

from remem.client.answer import Answer


class Saved(Answer):
    """The result of a save: `done` can be found now, `queued` is still being processed. Of a
    duplicate, `added_tags` were added to it, and `not_taken` are your fields that it did not take.
    """

    id: str
    title: str
    summary: str | None
    chunk_count: int
    metadata: dict[str, Any]
    status: str
    project_id: str
    duplicate: bool
    job_id: str | None
    added_tags: list[str]
    not_taken: list[str]
    created_at: datetime


class Accepted(Answer):
    """A document that was accepted, and its container."""

    id: str
    status: str
    container: str
    duplicate: bool
    job_id: str | None
    added_tags: list[str]
    not_taken: list[str]


class Chunk(Answer):
    """A chunk with its memories, or a memory without a document; see `kind`."""

    memory_id: str
    kind: str
    url: str
    memories: list[dict[str, Any]]
    content: str
    chunk_index: int
    score: float
    start_offset: int
    end_offset: int
    page: int | None
    at_s: float | None
    heading_path: list[str]
    speaker: str | None
    said_at: datetime | None
    occurred_at: datetime | None
    due_at: datetime | None
    replaced_by: dict[str, Any] | None
    explain: dict[str, Any] | None


class Result(Answer):
    """A document with its matching chunks, or a memory without a matching document, by `kind`.
    `url` is where it can be read."""

    kind: str
    id: str
    url: str
    weak: bool
    category: str | None
    document_id: str | None
    title: str
    summary: str | None
    score: float
    source_url: str | None
    content_type: str
    tags: list[str]
    metadata: dict[str, Any]
    project_id: str
    created_at: datetime
    chunks: list[Chunk]

    @property
    def text(self) -> str:
        """The best chunk."""
        return max(self.chunks, key=lambda chunk: chunk.score).content


class Context(Answer):
    text: str
    tokens: int
    left_out: int


class Recalled(Answer):
    results: list[Result]
    total: int
    query_time_ms: float
    context: Context | None


class Version(Answer):
    id: str
    title: str
    summary: str | None
    version: int
    is_latest: bool
    created_at: datetime


class Document(Answer):
    """A document, or an item of a list of documents; lists have no `content` and `chunks`."""

    id: str
    project_id: str
    title: str
    summary: str | None
    content_type: str
    source_url: str | None
    metadata: dict[str, Any]
    status: str
    error: str | None
    chunk_count: int
    version: int
    updates_memory_id: str | None
    duplicate_of: str | None
    has_original: bool
    forget_after: datetime | None
    last_accessed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    content: str
    chunks: list[Chunk]
    versions: list[Version] | None


class Entry(Answer):
    """A document of a container and its state: `done`, `failed`, or an earlier stage."""

    id: str
    container: str
    title: str
    summary: str | None
    content_type: str
    source_url: str | None
    metadata: dict[str, Any]
    tags: list[str]
    status: str
    error_message: str | None
    duplicate_of: str | None
    chunk_count: int
    created_at: datetime
    updated_at: datetime


class Neighbour(Answer):
    id: str
    title: str
    summary: str | None
    content_type: str
    source_url: str | None
    project_id: str
    score: float
    created_at: datetime


class Memory(Answer):
    """One atomic statement, or a version of one."""

    id: str
    title: str | None
    content: str
    category: str
    project: str
    project_id: str
    session_id: str | None
    document_id: str | None
    tags: list[str]
    context: dict[str, Any]
    confidence: float
    state: str
    quality: str
    is_current: bool
    version: int
    root_id: str
    supersedes_id: str | None
    valid_from: datetime | None
    valid_until: datetime | None
    occurred_at: datetime | None
    due_at: datetime | None
    speaker: str | None
    said_at: datetime | None
    dates: list[dict[str, Any]]
    access_count: int
    last_accessed_at: datetime | None
    source: str
    evidence: dict[str, Any]
    replaced_by: dict[str, Any] | None
    created_at: datetime
    updated_at: datetime


class SavedMemory(Answer):
    """`status` is saved, updated, extended or duplicate; `superseded` is the memory it replaced,
    `added_tags` and `not_taken` are as in `Saved`."""

    id: str
    status: str
    superseded: str | None
    existing_id: str | None
    job_id: str | None
    added_tags: list[str]
    not_taken: list[str]
    relations: list[dict[str, Any]]
    memory: Memory


class Hit(Answer):
    """A memory or a chunk that matches a query, by `kind`; `url` is where it can be read. If one
    was derived from the other, both are here."""

    id: str
    kind: str
    url: str
    memory_id: str | None
    memory: str | None
    chunk_id: str | None
    chunk: str | None
    document_id: str | None
    occurred_at: datetime | None
    due_at: datetime | None
    weak: bool
    replaced_by: dict[str, Any] | None
    content: str
    category: str
    relevance: float
    speaker: str | None
    said_at: datetime | None
    dates: list[dict[str, Any]]
    created: datetime


class Event(Answer):
    id: str
    subject_kind: str
    subject_id: str
    type: str
    data: dict[str, Any]
    actor: str
    request_id: str | None
    created_at: datetime


class History(Answer):
    versions: list[Memory]
    events: list[Event]


class Derived(Answer):
    id: str
    facts: list[Memory]
    foresight: list[Memory]
    memory: Memory


class Known(Answer):
    """A memory as shown in a profile."""

    id: str
    content: str
    memory_type: str
    confidence: float
    occurred_at: datetime | None
    due_at: datetime | None
    created_at: datetime


class Instruction(Answer):
    """A sentence that the user pinned; `project` is None if it applies everywhere."""

    id: str
    content: str
    project: str | None
    project_id: str | None


class Profile(Answer):
    container: str
    standing_instructions: list[Instruction]
    static_facts: list[Known]
    recent_context: list[Known]
    relevant_memories: list[Known]


class Project(Answer):
    id: str
    name: str
    slug: str
    description: str | None
    document_count: int
    is_default: bool
    created_at: datetime


class WhoAmI(Answer):
    user_id: str
    email: str
    name: str
    organization_id: str
    organization_name: str
    role: str
    scopes: list[str]


class VectorMove(Answer):
    """How far the vectors have moved to another local model."""

    old_model: str
    new_model: str
    moved: int
    total: int


class Stats(Answer):
    total_documents: int
    total_memories: int
    total_projects: int
    documents_this_week: int
    memories_this_week: int
    storage_bytes: int
    embedding_coverage: float
    documents_by_status: dict[str, int]
    jobs_by_status: dict[str, int]
    pictures_read: str = ""
    speech_read: str = ""
    vector_move: VectorMove | None = None


class Job(Answer):
    """Queued work: `pending`, `processing`, `completed` or `failed`."""

    id: str
    name: str
    status: str
    stage: str
    progress: float
    document_id: str | None
    attempts: int
    error: str | None
    created_at: datetime
    finished_at: datetime | None
    done: int | None
    total: int | None
    counts: dict[str, dict[str, int]] | None
    problems: list[dict[str, Any]] | None


class Import(Answer):
    id: str
    job_id: str
    status: str
    total: int


class Health(Answer):
    status: str
    checks: dict[str, str]
    version: str
