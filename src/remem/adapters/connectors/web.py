"""A website: crawl its pages from one URL, within robots.txt and remem's limits."""

import asyncio
import hashlib
import time
from collections import OrderedDict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from remem.adapters.connectors.web_pages import (
    PAGE_LIMIT,
    ParsedPage,
    is_sitemap,
    parse_page,
    plain_address,
    site_folder,
    sitemap_addresses,
)
from remem.core.connectors.model import (
    Access,
    Account,
    ChangePage,
    Mark,
    Removed,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.connectors.provider import Field, Provider
from remem.core.errors import Invalid, Unavailable, Unreadable
from remem.core.items import Item, LeftOut
from remem.core.ports import Fetched, Fetcher
from remem.core.time import iso, now

WEEK_S = 7 * 86_400
# Every sync lists all pages anyway, so a separate walk adds nothing.
NEVER_S = 100 * 365 * 86_400
DEPTH_LIMIT = 5
QUEUE_LIMIT = 2_000
BATCH = 10
GAP_S = 1.0
MAX_GAP_S = 10.0
GONE_AFTER = timedelta(days=1)
AGENT = "remem"
GONE_CODES = ("page_gone", "page_removed")
RECENT_BYTES = 2_000_000
RECENT_PAGES = 16
TEXT_CHARS = 400_000
TEXTS = {"text/plain": "text", "text/markdown": "markdown"}
LIMIT_REACHED = f"only the first {PAGE_LIMIT} pages are read; connect a narrower address"


class WebConnector:
    """Crawl the site at every sync. A page is removed when the site reports it as gone (404, 410)
    in two syncs a day apart, but not when it cannot be read or is no longer linked. The mark stores
    the pages that were seen and since when pages are missing."""

    def __init__(
        self, fetcher: Fetcher, *, gap_s: float = GAP_S, gone_after: timedelta = GONE_AFTER
    ) -> None:
        self._fetcher = fetcher
        self._gap_s, self._gone_after = gap_s, gone_after
        self._recent: OrderedDict[tuple[str, str], Fetched] = OrderedDict()
        self._free_at_s: dict[str, float] = {}

    provider = Provider(
        title="Website",
        about="The pages of a website below one address.",
        help="Give the first page, or a sitemap. Links are followed on the same host, below the"
        " folder of that page.",
        fields=(
            Field("url", "the address to begin with", example="https://example.org/handbook/"),
        ),
        selected="url",
        interval_s=WEEK_S,
        walk_every_s=NEVER_S,
        absence_means_removed=False,
        # Others wrote the pages.
        index_only=True,
    )

    async def account(self, access: Access) -> Account:
        url = _start(access)
        rules = await self._rules(url)
        if not rules.allows(url):
            raise Invalid("url", "the site's robots.txt does not allow it; choose another address")
        await self._fetcher.fetch(url)
        return Account(url, url)

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        url = _start(access)
        return ResourcePage((Resource(url, url),))

    async def begin(self, access: Access) -> Mark:
        return {"known": [], "missing": {}}

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        return WalkPage((), None)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """Crawl a batch of pages. At the end, visit known pages that the crawl did not reach."""
        start = _start(access)
        crawl: dict[str, Any] = mark.get("crawl") or {"queue": [[start, 0]], "done": [], "seen": []}
        rules = await self._rules(start)
        changes: list[SeenItem | Removed] = []
        missing = dict(mark["missing"])
        for _ in range(BATCH):
            if not crawl["queue"] or len(crawl["seen"]) >= PAGE_LIMIT:
                break
            changes += await self._visit(start, crawl, rules, missing)
        if crawl["queue"] and len(crawl["seen"]) < PAGE_LIMIT:
            return ChangePage(tuple(changes), {**mark, "missing": missing, "crawl": crawl}, False)
        if not crawl.get("is_second"):
            unmet = [url for url in mark["known"] if url not in {*crawl["seen"], *crawl["done"]}]
            if crawl["queue"]:
                changes.append(_limit_item(start))
            crawl = {**crawl, "is_second": True, "queue": [[url, DEPTH_LIMIT] for url in unmet]}
            if unmet:
                more = {
                    **mark,
                    "missing": missing,
                    "crawl": {**crawl, "seen": []},
                    "met": crawl["seen"],
                }
                return ChangePage(tuple(changes), more, False)
        known = list(dict.fromkeys([*mark.get("met", []), *crawl["seen"]]))[:PAGE_LIMIT]
        still_missing = {url: since for url, since in missing.items() if url not in known}
        known += [url for url in still_missing if url not in known]
        return ChangePage(tuple(changes), {"known": known, "missing": still_missing})

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        fetched = self._recent.get((seen.reference, seen.revision))
        if fetched is None:
            await self._wait_for_turn(seen.reference, self._gap_s)
            fetched = await self._fetcher.fetch(seen.reference)
        return await asyncio.to_thread(_item, seen, fetched, folder)

    async def close(self) -> None:
        """Close nothing: the fetcher is shared."""

    async def _visit(
        self, start: str, crawl: dict[str, Any], rules: "Rules", missing: dict[str, str]
    ) -> list[SeenItem | Removed]:
        url, depth = crawl["queue"].pop(0)
        if url in crawl["done"] or not rules.allows(url):
            return []
        crawl["done"].append(url)
        await self._wait_for_turn(url, max(self._gap_s, rules.gap_s))
        try:
            fetched = await self._fetcher.fetch(url)
        except Unreadable as error:
            return self._handle_failure(url, error, crawl, missing)
        missing.pop(url, None)
        return await self._handle_page(start, crawl, fetched, url, depth)

    def _handle_failure(
        self, url: str, error: Unreadable, crawl: dict[str, Any], missing: dict[str, str]
    ) -> list[SeenItem | Removed]:
        """Handle a page that cannot be read. It is removed if the site reports it as gone twice;
        any other failure may be temporary."""
        if error.code not in GONE_CODES:
            if not crawl["done"][1:]:
                raise Unavailable(f"{error.message}") from error
            crawl["seen"].append(url)
            return []
        since = datetime.fromisoformat(missing.setdefault(url, iso(now())))
        if now() - since < self._gone_after:
            return []
        del missing[url]
        return [Removed(url)]

    async def _handle_page(
        self, start: str, crawl: dict[str, Any], fetched: Fetched, url: str, depth: int
    ) -> list[SeenItem | Removed]:
        if is_sitemap(fetched):
            listed = await asyncio.to_thread(sitemap_addresses, fetched.data, start)
            _enqueue(crawl, listed, depth)
            return []
        if not site_folder(start).contains(fetched.url):
            # A redirect out of the site, such as to a sign-in page.
            crawl["seen"].append(url)
            return []
        page = await asyncio.to_thread(parse_page, fetched, start)
        if depth < DEPTH_LIMIT:
            _enqueue(crawl, page.links, depth + 1)
        if page.address in crawl["seen"]:
            return []
        crawl["seen"].append(page.address)
        crawl["done"] += [
            address for address in (page.address, fetched.url) if address not in crawl["done"]
        ]
        return [self._seen_item(page, fetched)]

    def _seen_item(self, page: ParsedPage, fetched: Fetched) -> SeenItem:
        revision = hashlib.sha256(fetched.data).hexdigest()
        if len(fetched.data) <= RECENT_BYTES:
            self._recent[page.address, revision] = fetched
            while len(self._recent) > RECENT_PAGES:
                self._recent.popitem(last=False)
        return SeenItem(page.address, f"{revision} {page.title}"[:500], path=page.address)

    async def _rules(self, start: str) -> "Rules":
        url = f"{site_folder(start).root}/robots.txt"
        try:
            fetched = await self._fetcher.fetch(url)
        except Unreadable as error:
            if error.code in (*GONE_CODES, "page_forbidden", "no_page"):
                return Rules("")
            raise Unavailable(f"The site's robots.txt cannot be read: {error.message}") from error
        return Rules(fetched.data[:500_000].decode("utf-8", "replace"))

    async def _wait_for_turn(self, url: str, gap_s: float) -> None:
        host, current_s = site_folder(url).root, time.monotonic()
        turn_s = max(current_s, self._free_at_s.get(host, 0.0))
        if len(self._free_at_s) > 1_000:
            self._free_at_s.clear()
        self._free_at_s[host] = turn_s + gap_s
        if turn_s > current_s:
            await asyncio.sleep(turn_s - current_s)


class Rules:
    """The rules of a robots.txt for remem."""

    def __init__(self, text: str) -> None:
        from protego import Protego

        self._parsed = Protego.parse(text)
        delay = self._parsed.crawl_delay(AGENT)
        self.gap_s = min(float(delay or 0), MAX_GAP_S)

    def allows(self, url: str) -> bool:
        return self._parsed.can_fetch(url, AGENT)


def _start(access: Access) -> str:
    return plain_address(str(access.settings.get("url", "")))


def _enqueue(crawl: dict[str, Any], links: list[str], depth: int) -> None:
    waiting = {*crawl["done"], *(url for url, _ in crawl["queue"])}
    for url in links:
        if url not in waiting and len(crawl["queue"]) < QUEUE_LIMIT:
            waiting.add(url)
            crawl["queue"].append([url, depth])


def _limit_item(start: str) -> SeenItem:
    return SeenItem(
        f"{start}#limit", LIMIT_REACHED, path=start, item=LeftOut("page", start, LIMIT_REACHED)
    )


def _item(seen: SeenItem, fetched: Fetched, folder: Path) -> Item | LeftOut:
    title = seen.revision.partition(" ")[2] or fetched.name or seen.reference
    if not fetched.data.strip():
        return LeftOut("page", seen.reference, "it is empty")
    common: dict[str, Any] = {"kind": "document", "reference": seen.reference, "title": title}
    kind = TEXTS.get((fetched.media_type or "").partition(";")[0].strip().lower())
    if kind and len(fetched.data) <= TEXT_CHARS:
        text = fetched.data.decode("utf-8-sig", "replace")
        return Item(**common, url=seen.reference, content=text, content_type=kind)
    file = folder / "page"
    file.write_bytes(fetched.data)
    return Item(**common, url=seen.reference, file=file)
