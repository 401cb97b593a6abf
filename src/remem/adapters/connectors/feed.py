"""RSS, Atom and JSON feeds, one by its address, or those that an OPML file lists."""

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path

from lxml import etree

from remem.adapters.feeds.feedparser import FeedparserFeeds
from remem.adapters.fetch.guarded import GuardedFetcher
from remem.core.connectors import (
    Access,
    Account,
    ChangePage,
    Field,
    Mark,
    Provider,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.errors import Invalid, Unreadable
from remem.core.feed_entries import FeedEntry, ParsedFeed
from remem.core.items import Item, LeftOut
from remem.core.ports import Fetched

HOUR_S = 3_600
FEEDS_LIMIT = 200


class FeedConnector:
    """Every sync reads the feeds as they are. What has left a feed is not gone: feeds list only
    what is new."""

    def __init__(self, allow_private: Sequence[str]) -> None:
        self._fetcher = GuardedFetcher(allow_private=tuple(allow_private))
        self._parser = FeedparserFeeds()

    provider = Provider(
        title="Feed (RSS, Atom, JSON) or OPML",
        fields=(Field("url", "the address of a feed, or of an OPML file"),),
        selected="url",
        interval_s=HOUR_S,
        walk_every_s=0,
        absence_means_removed=False,
    )

    async def account(self, access: Access) -> Account:
        url = _url(access)
        fetched = await self._get(url)
        if feeds := _listed(fetched.data):
            return Account(url, f"{len(feeds)} feeds of {url}")
        parsed = await self._parse(fetched)
        return Account(url, parsed.title or url)

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        feeds = await self._feeds(_url(access))
        return ResourcePage(tuple(Resource(url, url) for url in feeds))

    async def begin(self, access: Access) -> Mark:
        return None

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """One feed a page. A feed of a list that cannot be read does not stop the others."""
        feeds = await self._feeds(_url(access))
        place = int(at or 0)
        if place >= len(feeds):
            return WalkPage((), None)
        following = place + 1 if place + 1 < len(feeds) else None
        try:
            parsed = await self._parse(await self._get(feeds[place]))
        except (Unreadable, Invalid) as error:
            if len(feeds) == 1:
                raise
            problem = LeftOut("document", feeds[place], error.message)
            return WalkPage((SeenItem(feeds[place], error.message, item=problem),), following)
        return WalkPage(tuple(_seen(feeds[place], one) for one in parsed.entries), following)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        return ChangePage((), mark)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        """A walk gives every entry whole."""
        return seen.item

    async def close(self) -> None:
        await self._fetcher.close()

    async def _get(self, url: str) -> Fetched:
        return await self._fetcher.fetch(url)

    async def _parse(self, fetched: Fetched) -> ParsedFeed:
        return await self._parser.parse(fetched.data, fetched.url)

    async def _feeds(self, url: str) -> list[str]:
        fetched = await self._get(url)
        return await asyncio.to_thread(_listed, fetched.data) or [url]


def _url(access: Access) -> str:
    return str(access.settings.get("url", ""))


def _listed(data: bytes) -> list[str]:
    """The feeds of an OPML file; none for anything else."""
    if b"<opml" not in data[:2_000].lower():
        return []
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise Unreadable("The OPML file is damaged; export it again.") from error
    if root is None:
        raise Unreadable("The OPML file is damaged; export it again.")
    found = [str(one.get("xmlUrl")) for one in root.iter("outline") if one.get("xmlUrl")]
    return list(dict.fromkeys(found))[:FEEDS_LIMIT]


def _seen(feed: str, entry: FeedEntry) -> SeenItem:
    words = f"{entry.title}\n{entry.url}\n{entry.summary}"
    item = Item(
        kind="bookmark",
        reference=f"{feed}#{entry.key}",
        title=entry.title,
        url=entry.url,
        content=entry.summary,
        created_at=entry.published_at,
        metadata={"feed": feed},
    )
    revision = hashlib.sha256(words.encode(errors="replace")).hexdigest()
    return SeenItem(item.reference, revision, path=entry.title, item=item)
