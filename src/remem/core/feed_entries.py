"""Feeds independent of their format, and the port that parses them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """`key` identifies it among all entries of a project: its id, else its URL, else its text."""

    key: str
    title: str
    summary: str
    url: str | None = None
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """`entries` are in the order of the feed, usually newest first."""

    title: str
    entries: tuple[FeedEntry, ...]


class FeedParser(Protocol):
    """Parses RSS, Atom and JSON feeds. Raises Unreadable with the reason for anything else and for
    documents that declare entities. Texts are plain, without markup."""

    async def parse(self, data: bytes, url: str) -> ParsedFeed: ...
