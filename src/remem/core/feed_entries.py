"""What a feed says, whatever format it is written in, and the port that reads it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """`key` names it among all entries of a project: its id, else its address, else its words."""

    key: str
    title: str
    summary: str
    url: str | None = None
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """`entries` come as the feed has them, usually the newest first."""

    title: str
    entries: tuple[FeedEntry, ...]


class FeedParser(Protocol):
    """Reads RSS, Atom and JSON feeds. Raises Unreadable, with what is wrong, for anything else and
    for documents that declare entities. Texts are plain, without markup."""

    async def parse(self, data: bytes, url: str) -> ParsedFeed: ...
