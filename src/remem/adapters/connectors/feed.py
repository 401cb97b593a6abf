"""RSS, Atom and JSON feeds: one by its address, that of a web page, or those of an OPML file."""

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
    """A daily walk reads every feed; in between only those that have changed are sent. What has
    left a feed is not gone: feeds list only what is new."""

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
        # Somebody else speaks in it: what it says is found, and is no memory of the owner's.
        index_only=True,
    )

    async def account(self, access: Access) -> Account:
        url = _url(access)
        fetched = await self._fetcher.fetch(url)
        feeds = await asyncio.to_thread(_feeds_in, fetched)
        if feeds and len(feeds) > 1:
            return Account(url, f"{len(feeds)} feeds of {url}")
        parsed = await self._parse(await self._fetcher.fetch(feeds[0]) if feeds else fetched)
        return Account(url, parsed.title or url)

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        feeds = await self._feeds(_url(access))
        return ResourcePage(tuple(Resource(url, url) for url in feeds))

    async def begin(self, access: Access) -> Mark:
        return None

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """One feed a page, of the list as it was when the walk began."""
        with _ended():
            feeds = list(at["feeds"]) if at else await self._feeds(_url(access))
            seen = await self._entries(feeds[0], is_only=not at and len(feeds) == 1)
        return WalkPage(tuple(seen), {"feeds": feeds[1:]} if feeds[1:] else None)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """Right after a walk only the list of feeds is noted. A feed that is unchanged since its
        version of the mark is not sent again."""
        if mark is None:
            with _ended():
                feeds = await self._feeds(_url(access))
            return ChangePage((), {"feeds": feeds, "versions": {}, "left": []})
        url, *left = mark["left"] or mark["feeds"]
        known = PageVersion(*mark["versions"].get(url, [None, None]))
        with _ended():
            seen, version = await self._newer(url, known, is_only=len(mark["feeds"]) == 1)
        versions = {**mark["versions"], url: [version.etag, version.last_modified]}
        return ChangePage(
            tuple(seen), {**mark, "versions": versions, "left": left}, is_last=not left
        )

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        """A list gives every entry whole."""
        return seen.item

    async def close(self) -> None:
        """What it reads with belongs to the process."""

    async def _entries(self, url: str, *, is_only: bool) -> list[SeenItem]:
        """A feed of a list that cannot be read does not stop the others."""
        return (await self._newer(url, PageVersion(), is_only=is_only))[0]

    async def _newer(
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
        return [_seen(url, parsed.title, entry) for entry in parsed.entries], fetched.version

    async def _parse(self, fetched: Fetched) -> ParsedFeed:
        return await self._parser.parse(fetched.data, fetched.url)

    async def _feeds(self, url: str) -> list[str]:
        fetched = await self._fetcher.fetch(url)
        return await asyncio.to_thread(_feeds_in, fetched) or [url]


@contextmanager
def _ended() -> Iterator[None]:
    """410 is a site's own word that nothing comes any more; 404 may be a mistake."""
    try:
        yield
    except Unreadable as error:
        if error.code != "page_removed":
            raise
        raise Ended(f"{error.message} The feed is paused.") from error


def _url(access: Access) -> str:
    return str(access.settings.get("url", ""))


def _feeds_in(fetched: Fetched) -> list[str]:
    """The feeds that an OPML file or a web page names; none for a feed itself."""
    start = fetched.data[:_START_BYTES].lower()
    if b"<opml" in start:
        try:
            found = feed_addresses(fetched.data)
        except NotOpml as error:
            raise Unreadable(f"The OPML file cannot be read: {error}; export it again.") from error
        if not found:
            raise Unreadable("The OPML file lists no feeds; export it again.")
        return list(dict.fromkeys(found))[:FEEDS_LIMIT]
    if b"<html" in start or b"<!doctype html" in start:
        return _alternate(fetched)[:1]
    return []


def _alternate(fetched: Fetched) -> list[str]:
    page: Any = html.fromstring(fetched.data[:_PAGE_BYTES])
    return [
        urljoin(fetched.url, link.get("href"))
        for link in page.iter("link")
        if link.get("rel") == "alternate" and link.get("type") in FEED_TYPES and link.get("href")
    ]


def _seen(feed: str, title: str, entry: FeedEntry) -> SeenItem:
    words = f"{entry.title}\n{entry.url}\n{entry.summary}"
    item = Item(
        kind="bookmark",
        reference=f"{feed}#{entry.key}",
        title=entry.title,
        url=entry.url,
        content=entry.summary,
        created_at=entry.published_at,
        metadata={"feed": feed, "speaker": shorten(feed_speaker(title or feed), _SPEAKER_CHARS)},
    )
    revision = hashlib.sha256(words.encode(errors="replace")).hexdigest()
    return SeenItem(item.reference, revision, path=entry.title, item=item)
