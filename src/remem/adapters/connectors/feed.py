"""RSS, Atom and JSON feeds: a feed by its URL, the feed of a web page, or all of an OPML file."""

import asyncio
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from lxml import html

from remem.core.connectors.errors import Ended
from remem.core.connectors.model import (
    Access,
    Account,
    ChangePage,
    Mark,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.connectors.provider import (
    DAY_S,
    MINUTE_S,
    Field,
    Provider,
)
from remem.core.errors import Invalid, Unreadable
from remem.core.feed_entries import FeedEntry, FeedParser, ParsedFeed
from remem.core.items import Item, LeftOut
from remem.core.language.person import feed_speaker
from remem.core.opml import NotOpml, feed_addresses
from remem.core.ports import Fetched, Fetcher, PageVersion
from remem.core.text import shorten

FEEDS_LIMIT = 200
FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")
_START_BYTES = 2_000
_PAGE_BYTES = 500_000
_SPEAKER_CHARS = 100


class FeedConnector:
    """Read every feed in a daily walk, and in between only the feeds that have changed. An entry
    that is no longer in its feed is not removed, because feeds list only what is new."""

    def __init__(self, fetcher: Fetcher, feeds: FeedParser) -> None:
        self._fetcher, self._parser = fetcher, feeds

    provider = Provider(
        title="Feed",
        about="Blogs, releases and news: every entry as a document.",
        help="Give the address of an RSS, Atom or JSON feed, of a web page that has one, or of an"
        " OPML file.",
        fields=(Field("url", "the address of a feed", example="https://example.org/feed.xml"),),
        selected="url",
        interval_s=60 * MINUTE_S,
        walk_every_s=DAY_S,
        absence_means_removed=False,
        # Others wrote the entries: they are searchable but never become memories of the owner.
        index_only=True,
    )

    async def account(self, access: Access) -> Account:
        url = _url(access)
        fetched = await self._fetcher.fetch(url)
        feeds = await asyncio.to_thread(_listed_feeds, fetched)
        if feeds and len(feeds) > 1:
            return Account(url, f"{len(feeds)} feeds of {url}")
        parsed = await self._parse(await self._fetcher.fetch(feeds[0]) if feeds else fetched)
        return Account(url, parsed.title or url)

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        feeds = await self._feed_urls(_url(access))
        return ResourcePage(tuple(Resource(url, url) for url in feeds))

    async def begin(self, access: Access) -> Mark:
        return None

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """Return one feed per page, from the list of feeds as of the start of the walk."""
        with _end_when_removed():
            feeds = list(at["feeds"]) if at else await self._feed_urls(_url(access))
            seen = await self._entries(feeds[0], is_only=not at and len(feeds) == 1)
        return WalkPage(tuple(seen), {"feeds": feeds[1:]} if feeds[1:] else None)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """Right after a walk, only store the list of feeds in the mark. A feed whose version in the
        mark is still current is not downloaded again."""
        if mark is None:
            with _end_when_removed():
                feeds = await self._feed_urls(_url(access))
            return ChangePage((), {"feeds": feeds, "versions": {}, "left": []})
        url, *remaining = mark["left"] or mark["feeds"]
        known = PageVersion(*mark["versions"].get(url, [None, None]))
        with _end_when_removed():
            seen, version = await self._fetch_newer(url, known, is_only=len(mark["feeds"]) == 1)
        versions = {**mark["versions"], url: [version.etag, version.last_modified]}
        return ChangePage(
            tuple(seen), {**mark, "versions": versions, "left": remaining}, is_last=not remaining
        )

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        """The list already contains every entry in full."""
        return seen.item

    async def close(self) -> None:
        """Close nothing: the fetcher and the parser belong to the process."""

    async def _entries(self, url: str, *, is_only: bool) -> list[SeenItem]:
        """Return the entries of a feed. Unless it is the only feed, an error becomes an item, so
        that the other feeds are still read."""
        return (await self._fetch_newer(url, PageVersion(), is_only=is_only))[0]

    async def _fetch_newer(
        self, url: str, known: PageVersion, *, is_only: bool
    ) -> tuple[list[SeenItem], PageVersion]:
        try:
            fetched = await self._fetcher.fetch_newer(url, known)
            if fetched is None:
                return [], known
            parsed = await self._parse(fetched)
        except (Unreadable, Invalid) as error:
            if is_only:
                raise
            problem = LeftOut("document", url, error.message)
            return [SeenItem(url, error.message, url, problem)], PageVersion()
        return [_seen_item(url, parsed.title, entry) for entry in parsed.entries], fetched.version

    async def _parse(self, fetched: Fetched) -> ParsedFeed:
        return await self._parser.parse(fetched.data, fetched.url)

    async def _feed_urls(self, url: str) -> list[str]:
        fetched = await self._fetcher.fetch(url)
        return await asyncio.to_thread(_listed_feeds, fetched) or [url]


@contextmanager
def _end_when_removed() -> Iterator[None]:
    """End the connection on status 410, which says that the feed is gone for good. A 404 may be a
    mistake."""
    try:
        yield
    except Unreadable as error:
        if error.code != "page_removed":
            raise
        raise Ended(f"{error.message} The feed is paused.") from error


def _url(access: Access) -> str:
    return str(access.settings.get("url", ""))


def _listed_feeds(fetched: Fetched) -> list[str]:
    """URLs of the feeds that an OPML file or a web page lists; empty when it is itself a feed."""
    start = fetched.data[:_START_BYTES].lower()
    if b"<opml" in start:
        try:
            urls = feed_addresses(fetched.data)
        except NotOpml as error:
            raise Unreadable(f"The OPML file cannot be read: {error}; export it again.") from error
        if not urls:
            raise Unreadable("The OPML file lists no feeds; export it again.")
        return list(dict.fromkeys(urls))[:FEEDS_LIMIT]
    if b"<html" in start or b"<!doctype html" in start:
        return _alternate_links(fetched)[:1]
    return []


def _alternate_links(fetched: Fetched) -> list[str]:
    page: Any = html.fromstring(fetched.data[:_PAGE_BYTES])
    return [
        urljoin(fetched.url, link.get("href"))
        for link in page.iter("link")
        if link.get("rel") == "alternate" and link.get("type") in FEED_TYPES and link.get("href")
    ]


def _seen_item(feed: str, title: str, entry: FeedEntry) -> SeenItem:
    text = f"{entry.title}\n{entry.url}\n{entry.summary}"
    item = Item(
        kind="bookmark",
        reference=f"{feed}#{entry.key}",
        title=entry.title,
        url=entry.url,
        content=entry.summary,
        created_at=entry.published_at,
        metadata={"feed": feed, "speaker": shorten(feed_speaker(title or feed), _SPEAKER_CHARS)},
    )
    revision = hashlib.sha256(text.encode(errors="replace")).hexdigest()
    return SeenItem(item.reference, revision, path=entry.title, item=item)
