"""The values of documents."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from uuid import UUID

from remem.core.chunking.model import Mark

# The processes that analyse texts know these values, and need none of what ports need.
if TYPE_CHECKING:
    from remem.core.ports import Extracted, Original

CONTENT_LIMIT = 500_000
SOURCE_LIMIT = 100

CONTENT_TYPES = frozenset(
    "text markdown html pdf image audio video code json csv docx xlsx pptx epub email tweet"
    " subtitles note".split()
)
# Types that are already text: nothing needs to be extracted.
PLAIN_TYPES = frozenset({"text", "markdown", "note"})

# The source of a document that a connection keeps up to date begins with this.
CONNECTED = "connection:"


@dataclass(frozen=True, slots=True)
class Draft:
    """Something to save, as it was handed in: text, an original file, a URL to fetch, or what
    somebody took out of a file already."""

    content: str = ""
    extracted: "Extracted | None" = None
    original: "Original | None" = None
    fetch: bool = False
    title: str | None = None
    content_type: str | None = None
    source_url: str | None = None
    project: str | UUID | None = None
    create_project: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    updates_id: UUID | None = None
    forget_after: datetime | None = None
    source: str = "api"
    in_background: bool = False
    # Of what was kept elsewhere before: the id it is to have here, and when it was made.
    id: UUID | None = None
    created_at: datetime | None = None
    # Only to be found: no memories are distilled from it.
    index_only: bool = False

    @property
    def versioned_url(self) -> str | None:
        """The address whose document this is a version of."""
        return versioned_url(self.source_url, self.metadata)


def versioned_url(url: str | None, metadata: dict[str, Any]) -> str | None:
    """None for what a connection reads: several items of it may have one address, and each item
    knows its document."""
    return None if "connection_id" in metadata else url


Sort: TypeAlias = Literal["created", "updated", "title", "size"]
# Where a page begins: after the value that the list is sorted by, and the id.
Place: TypeAlias = tuple[datetime | str | int, UUID]


@dataclass(frozen=True, slots=True)
class DocumentChoice:
    """Which documents to list, and in which order; `title` is a part of theirs."""

    project: str | UUID | None = None
    status: str | None = None
    content_types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None
    title: str | None = None
    sort: Sort = "created"
    ascending: bool = False


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a draft says once it is text: clean, named, described, with its joints."""

    content: str
    hash: str
    content_type: str
    title: str
    summary: str | None
    metadata: dict[str, Any]
    tags: list[str]
    marks: tuple[Mark, ...] = ()


def columns(reading: ParsedDocument) -> dict[str, Any]:
    """A reading as the columns of its document."""
    return {
        "title": reading.title,
        "content": reading.content,
        "summary": reading.summary,
        "content_type": reading.content_type,
        "metadata": reading.metadata,
        "tags": reading.tags,
        "content_hash": reading.hash,
        "marks": [[mark.joint, mark.start, mark.label, mark.number] for mark in reading.marks],
    }


@dataclass(frozen=True, slots=True)
class Document:
    id: UUID
    project_id: UUID
    user_id: UUID
    title: str
    content: str
    summary: str | None
    content_type: str
    source_url: str | None
    blob_key: str | None
    metadata: dict[str, Any]
    tags: list[str]
    content_hash: str
    previous_id: UUID | None
    root_id: UUID
    version: int
    is_latest: bool
    duplicate_of: UUID | None
    forget_after: datetime | None
    status: str
    error: str | None
    last_accessed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    chunk_count: int = 0
    project_slug: str = ""
    # Of its original, or of its text; known in lists.
    size_bytes: int | None = None

    @property
    def is_read(self) -> bool:
        """Whether its text has been taken out of its original."""
        return bool(self.content)


@dataclass(frozen=True, slots=True)
class Chunk:
    id: UUID
    document_id: UUID
    content: str
    chunk_index: int
    start_offset: int
    end_offset: int
    page: int | None
    at_s: float | None
    heading_path: list[str]
    speaker: str | None = None
    said_at: datetime | None = None
    thread_id: UUID | None = None
    place: int | None = None
    asks: float = 0.0
    tells_time: bool = False


@dataclass(frozen=True, slots=True)
class SavedDocument:
    """What became of a draft: `existing` when the same content was there already."""

    document: Document
    existing: bool = False
    job_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Version:
    id: UUID
    title: str
    summary: str | None
    version: int
    is_latest: bool
    created_at: datetime
