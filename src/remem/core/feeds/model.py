"""The values of feeds."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, get_args
from uuid import UUID

# Digests come in this order: what was published, then new projects.
FeedKind: TypeAlias = Literal["research", "projects"]
KINDS: tuple[FeedKind, ...] = get_args(FeedKind)
FEEDS_LIMIT = 100
# An entry beyond these waits for the next day.
ENTRIES_LIMIT = 100
ERROR_CHARS = 500


@dataclass(frozen=True, slots=True)
class Feed:
    """`error` is why it could not be read last time; `failures` how often in a row."""

    id: UUID
    project_id: UUID
    project_slug: str
    kind: FeedKind
    url: str
    title: str | None
    error: str | None
    failures: int
    collected_at: datetime | None
    created_at: datetime
    updated_at: datetime
    # What its server said of what was read last.
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Digest:
    """A document that was made of new entries."""

    kind: FeedKind
    project_id: UUID
    document_id: UUID
    entries: int
