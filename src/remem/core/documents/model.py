"""The data classes of documents."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from uuid import UUID

from remem.core.chunking.model import Mark
from remem.core.flags import Flag

# Text analysis processes import this module, and must not import what the ports need.
if TYPE_CHECKING:
    from remem.core.ports import Extracted, Original

CONTENT_LIMIT = 500_000
# The jobs of a larger text or file take longer than somebody wants to wait behind them.
LARGE_CHARS, LARGE_SENTENCES = 200_000, 200
_SENTENCE_ENDS = ".!?\n。।؟"
SOURCE_LIMIT = 100

# Prefix of the `source` of documents that a connection keeps up to date.
CONNECTED = "connection:"
# How the key of an original ends that is a self-contained copy of the page.
COPY_KEY_END = "-copy"


@dataclass(frozen=True, slots=True)
class Draft:
    """Content to save: text, an original file, a URL to fetch, or text that was already extracted
    from a file."""

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
    # To be read later by who saves it.
    unread: bool = False
    # For imported content: its id here, and when it was created.
    id: UUID | None = None
    created_at: datetime | None = None
    # Only make it searchable; distil no memories from it.
    index_only: bool = False
    # Chosen by the client: a repeated save with the same key saves nothing.
    key: str | None = None

    @property
    def versioned_url(self) -> str | None:
        """The URL whose document this draft is a new version of."""
        return versioned_url(self.source_url, self.metadata)


def versioned_url(url: str | None, metadata: dict[str, Any]) -> str | None:
    """The URL that identifies a document's versions. None for items of a connection: several may
    share one URL, and each item knows its document."""
    return None if "connection_id" in metadata else url


Sort: TypeAlias = Literal["created", "updated", "title", "size"]
# The position after which a page begins: the value of the sort column, and the id.
DocumentPosition: TypeAlias = tuple[datetime | str | int, UUID]


@dataclass(frozen=True, slots=True)
class DocumentChoice:
    """Which documents to list, and in which order; `title` matches a part of the title."""

    project: str | UUID | None = None
    status: str | None = None
    content_types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None
    title: str | None = None
    source_url: str | None = None
    # The caller has set all of these.
    flags: tuple[Flag, ...] = ()
    with_archived: bool = True
    sort: Sort = "created"
    ascending: bool = False


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """The text of a draft with its title, summary, metadata and structure marks."""

    content: str
    hash: str
    content_type: str
    title: str
    summary: str | None
    metadata: dict[str, Any]
    tags: list[str]
    marks: tuple[Mark, ...] = ()


def columns(parsed: ParsedDocument) -> dict[str, Any]:
    """The column values of a parsed document."""
    return {
        "title": parsed.title,
        "content": parsed.content,
        "summary": parsed.summary,
        "content_type": parsed.content_type,
        "metadata": parsed.metadata,
        "tags": parsed.tags,
        "content_hash": parsed.hash,
        "marks": [[mark.joint, mark.start, mark.label, mark.number] for mark in parsed.marks],
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
    # Whether somebody gave the title; None of documents that were saved before this was stored.
    title_given: bool | None = None
    chunk_count: int = 0
    project_ref: str = ""
    # The flags that the caller has set.
    flags: list[Flag] = field(default_factory=list)
    # The size of the original, or else of the text; only set in lists.
    size_bytes: int | None = None
    # The beginning of the text; only set in lists, which have no text.
    opening: str = ""

    @property
    def is_read(self) -> bool:
        """Whether its text has been extracted."""
        return bool(self.content)

    @property
    def has_copy(self) -> bool:
        """Whether its original is a self-contained copy of the page."""
        return bool(self.blob_key) and str(self.blob_key).endswith(COPY_KEY_END)


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
    """The result of saving a draft; `existing` if the same content was already stored, with the
    tags that were added to it and the fields that it keeps as they were. `made_mine`: this save
    said that it is the user's own."""

    document: Document
    existing: bool = False
    job_id: UUID | None = None
    added_tags: tuple[str, ...] = ()
    not_taken: tuple[str, ...] = ()
    made_mine: bool = False


@dataclass(frozen=True, slots=True)
class Version:
    id: UUID
    title: str
    summary: str | None
    version: int
    is_latest: bool
    created_at: datetime


def is_large(content: str) -> bool:
    """Whether work on the text takes much longer than on a note: by characters and sentences."""
    if len(content) > LARGE_CHARS:
        return True
    return sum(map(content.count, _SENTENCE_ENDS)) > LARGE_SENTENCES
