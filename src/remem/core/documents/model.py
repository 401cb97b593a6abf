"""The values of documents."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

CONTENT_LIMIT = 500_000
URL_LIMIT = 2_048
TAG_LIMIT, TAGS_LIMIT = 100, 100
METADATA_LIMIT = 64_000
CHUNK = "chunk"

CONTENT_TYPES = frozenset(
    "text markdown html pdf image audio video code json csv tweet email note".split()
)


@dataclass(frozen=True, slots=True)
class Draft:
    """Something to save, as it was handed in."""

    content: str
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
    metadata: dict[str, Any]
    tags: list[str]
    previous_id: UUID | None
    root_id: UUID
    version: int
    is_latest: bool
    forget_after: datetime | None
    status: str
    error: str | None
    last_accessed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    chunk_count: int = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    id: UUID
    document_id: UUID
    content: str
    chunk_index: int
    start_offset: int
    end_offset: int
    page: int | None
    heading_path: list[str]


@dataclass(frozen=True, slots=True)
class Saved:
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
