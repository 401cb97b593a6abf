"""Feeds as a connection: with the real store and a site on loopback."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from uuid import UUID

import pytest

from remem.adapters.connectors.feed import FeedConnector
from remem.adapters.fetch.guarded import GuardedFetcher
from remem.core.connections.check import check_account
from remem.core.connections.connect import connect
from remem.core.connections.manage import get_connection, list_items
from remem.core.connections.model import NewConnection, SyncRun
from remem.core.connections.sync import sync_connection
from remem.core.errors import Invalid, Unreadable
from remem.core.ports import Fetcher, Ports
from remem.core.scope import Scope
from tests.conftest import READABLE_HOST
from tests.tools.idle_queue import IdleQueue
from tests.tools.site import Site, page, redirect, serving

pytestmark = pytest.mark.anyio

RSS = """<rss version="2.0"><channel><title>Harbour news</title>{}</channel></rss>"""
ITEM = "<item><guid>{0}</guid><title>{1}</title><link>https://example.org/{0}</link></item>"
OPML = """<opml version="2.0"><body><outline text="All">{}</outline></body></opml>"""


def rss(**entries: str) -> bytes:
    return RSS.format("".join(ITEM.format(id, title) for id, title in entries.items())).encode()


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site()) as running_site:
        yield running_site


@pytest.fixture
async def store(ports: Ports) -> AsyncIterator[Ports]:
    fetcher = GuardedFetcher(allow_private=["127.0.0.1"], waits_s=())
    yield with_fetcher(ports, fetcher)
    await fetcher.close()


def with_fetcher(ports: Ports, fetcher: Fetcher) -> Ports:
    connector = FeedConnector(fetcher, ports.feeds)
    return replace(ports, connectors={"feed": connector}, queue=IdleQueue())  # type: ignore[arg-type]


async def connect_feed(store: Ports, scope: Scope, url: str) -> UUID:
    return (await connect(store, scope, NewConnection("feed", {"url": url})))[0].id


async def sync(store: Ports, scope: Scope, id: UUID) -> SyncRun:
    await sync_connection(store, scope, id)
    connection, runs = await get_connection(store, scope, id)
    assert runs[0].outcome == "done", connection.error
    return runs[0]


async def titles(store: Ports, scope: Scope) -> list[str]:
    async with store.db.transaction(scope) as tx:
        rows = await tx.system.fetch("SELECT title FROM documents WHERE is_latest ORDER BY title")
    return [row["title"] for row in rows]


async def test_entries_are_added_once_updated_and_never_removed(
    store: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/feed"] = page(rss(a="The bridge opens", b="Rain on Monday"))
    url = f"{site.url}/feed"
    checked = await check_account(store, scope, NewConnection("feed", {"url": url}))
    assert (checked.account, checked.seen, checked.more) == ("Harbour news", 2, False)
    id = await connect_feed(store, scope, url)
    assert (await sync(store, scope, id)).added == 2
    again = await sync(store, scope, id)
    assert (again.added, again.updated, again.deleted) == (0, 0, 0)
    site.pages["/feed"] = page(rss(b="Rain on Tuesday", c="A new ferry"))
    run = await sync(store, scope, id)
    assert (run.added, run.updated, run.deleted) == (1, 1, 0)
    assert await titles(store, scope) == ["A new ferry", "Rain on Tuesday", "The bridge opens"]


async def test_a_list_of_feeds_is_read_without_the_broken_one(
    store: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/one"] = page(rss(a="The bridge opens"))
    site.pages["/two"] = page(b"{ broken")
    outlines = "".join(f'<outline xmlUrl="{site.url}/{name}"/>' for name in ("one", "two", "one"))
    site.pages["/list"] = page(OPML.format(outlines).encode())
    id = await connect_feed(store, scope, f"{site.url}/list")
    run = await sync(store, scope, id)
    assert (run.added, run.skipped) == (1, 1)
    (problem,), _ = await list_items(store, scope, id, True, None, 10)
    assert problem.reference == f"{site.url}/two" and "not a JSON feed" in str(problem.problem)


async def test_a_page_that_is_not_a_feed_is_refused(store: Ports, scope: Scope, site: Site) -> None:
    site.pages["/page"] = page(b"<html><body>Hello</body></html>")
    with pytest.raises(Unreadable, match="not a feed"):
        await connect_feed(store, scope, f"{site.url}/page")


async def test_a_private_address_is_not_read(ports: Ports, scope: Scope, site: Site) -> None:
    with pytest.raises(Invalid, match="not on the public internet"):
        await connect_feed(with_fetcher(ports, ports.fetcher), scope, f"{site.url}/feed")
    assert site.requests == []


async def test_a_feed_is_found_on_the_page_that_names_it(
    store: Ports, scope: Scope, site: Site
) -> None:
    link = '<link rel="alternate" type="application/rss+xml" href="/news.xml">'
    site.pages["/"] = page(f"<!doctype html><html><head>{link}</head></html>".encode())
    site.pages["/news.xml"] = page(rss(a="The bridge opens"))
    id = await connect_feed(store, scope, f"{site.url}/")
    assert (await sync(store, scope, id)).added == 1
    assert (await get_connection(store, scope, id))[0].account == "Harbour news"


async def test_an_unchanged_feed_is_requested_with_its_etag(
    store: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/feed"] = page(rss(a="The bridge opens"), ETag='"1"')
    id = await connect_feed(store, scope, f"{site.url}/feed")
    for _ in range(3):
        await sync(store, scope, id)
    site.pages["/feed"] = page(b"", 304)
    request_count = len(site.requests)
    await sync(store, scope, id)
    assert [request.headers.get("If-None-Match") for request in site.requests[request_count:]] == [
        '"1"'
    ]


async def test_statements_of_a_feed_are_not_attributed_to_the_user(
    store: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/feed"] = page(rss(a="I am allergic to peanuts and live in Lisbon"))
    id = await connect_feed(store, scope, f"{site.url}/feed")
    await sync(store, scope, id)
    async with store.db.transaction(scope) as tx:
        row = await tx.system.fetchrow("SELECT metadata FROM documents")
    assert row and row["metadata"]["speaker"] == "Feed: Harbour news"
    assert store.connectors["feed"].provider.index_only


async def test_neither_a_redirect_nor_a_list_leads_to_a_private_address(
    ports: Ports, scope: Scope
) -> None:
    fetcher = GuardedFetcher(allow_private=[READABLE_HOST], waits_s=())
    store = with_fetcher(ports, fetcher)
    with serving(Site(host=READABLE_HOST)) as outside, serving(Site()) as inside:
        inside.pages["/"] = page(rss(a="The secret of the house"))
        outside.pages["/moved"] = redirect(f"{inside.url}/")
        with pytest.raises(Unreadable):
            await connect_feed(store, scope, f"{outside.url}/moved")
        outside.pages["/good"] = page(rss(a="The bridge opens"))
        urls = [f"{outside.url}/good", f"{outside.url}/moved", f"{inside.url}/"]
        outlines = "".join(f'<outline xmlUrl="{url}"/>' for url in urls)
        outside.pages["/list"] = page(OPML.format(outlines).encode())
        id = await connect_feed(store, scope, f"{outside.url}/list")
        run = await sync(store, scope, id)
        assert (run.added, run.skipped) == (1, 2) and inside.requests == []
    await fetcher.close()
