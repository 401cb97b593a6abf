"""The values of feeds."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, get_args
from uuid import UUID

# Digests come in this order: what was published, then new projects.
FeedKind: TypeAlias = Literal["research", "projects"]
KINDS: tuple[FeedKind, ...] = get_args(FeedKind)
FEEDS_LIMIT = 100
# The most entries of a digest; others wait for the next day.
ENTRIES_LIMIT = 100
ERROR_CHARS = 500


@dataclass(frozen=True, slots=True)
class Feed:
    """`error` is why the last read failed; `failures` counts consecutive failures."""

    id: UUID
    project_id: UUID
    project_ref: str
    kind: FeedKind
    url: str
    title: str | None
    error: str | None
    failures: int
    collected_at: datetime | None
    created_at: datetime
    updated_at: datetime
    # The validators of the last fetched version.
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Digest:
    """A document that was composed of new entries."""

    kind: FeedKind
    project_id: UUID
    document_id: UUID
    entries: int
