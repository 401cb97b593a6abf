"""What is specific to websites: links, robots.txt, limits, deleted and failing pages."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta

import pytest
import time_machine

from remem.adapters.connectors import web as connector_module
from remem.adapters.connectors import web_pages
from remem.adapters.connectors.web import WebConnector
from remem.adapters.fetch.guarded import GuardedFetcher
from remem.core.connectors.model import Access
from remem.core.errors import Invalid, Unavailable
from remem.core.time import now
from tests.tools.mirror import Mirror
from tests.tools.site import Page, Site, page, redirect, serving

pytestmark = pytest.mark.anyio


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site()) as running_site:
        yield running_site


@pytest.fixture
async def mirror(site: Site) -> AsyncIterator[Mirror]:
    fetcher = GuardedFetcher(allow_private=["127.0.0.1"], waits_s=())
    yield Mirror(WebConnector(fetcher, gap_s=0.0), Access({"url": f"{site.url}/docs/"}))
    await fetcher.close()


def html(title: str, *links: str, head: str = "") -> Page:
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    text = f"<html><head><title>{title}</title>{head}</head><body><p>{title}.</p>{anchors}</body>"
    return page(text.encode(), Content_Type="text/html; charset=utf-8")


def titles(mirror: Mirror) -> list[str]:
    return sorted(str(item.title) for item in mirror.items.values())


async def test_links_are_followed_only_below_the_url(mirror: Mirror, site: Site) -> None:
    elsewhere = "http://192.0.2.1/docs/secret"
    links = (
        "a",
        "/docs/b#part",
        "/private/x",
        elsewhere,
        "c.png",
        "mailto:x@y",
        "javascript:1",
        "no",
    )
    site.pages |= {
        "/robots.txt": page(b"User-agent: *\nDisallow: /docs/no*\n"),
        "/docs/": html("Start", *links),
        "/docs/a": html("A", "/docs/", "b", "away"),
        "/docs/b": html("B", "a", head='<link rel="canonical" href="/docs/b?x=1">'),
        "/docs/no": html("Not allowed"),
        "/docs/away": redirect(elsewhere),
        "/private/x": html("Private"),
    }
    await mirror.sync()
    assert titles(mirror) == ["A", "B", "Start"]
    assert f"{site.url}/docs/b?x=1" in mirror.items
    paths = {request.path for request in site.requests}
    assert not paths & {"/private/x", "/docs/no", "/docs/c.png"}
    reads = mirror.reads
    await mirror.sync()
    assert mirror.reads == reads
    site.pages["/docs/a"] = html("A new", "/docs/")
    await mirror.sync()
    assert titles(mirror) == ["A new", "B", "Start"] and mirror.reads == reads + 1


async def test_a_page_is_deleted_when_it_is_missing_on_two_days(mirror: Mirror, site: Site) -> None:
    site.pages |= {"/docs/": html("Start", "a", "b"), "/docs/a": html("A"), "/docs/b": html("B")}
    await mirror.sync()
    site.pages["/docs/"] = html("Start, without links")
    site.pages["/docs/a"] = page(b"", 500)
    del site.pages["/docs/b"]
    await mirror.sync()
    assert titles(mirror) == ["A", "B", "Start, without links"]
    with time_machine.travel(now() + timedelta(hours=20), tick=True):
        await mirror.sync()
    assert len(mirror.items) == 3
    with time_machine.travel(now() + timedelta(hours=25), tick=True):
        await mirror.sync()
    assert titles(mirror) == ["A", "Start, without links"]


async def test_the_page_limit_is_kept_and_reported(
    mirror: Mirror, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connector_module, "PAGE_LIMIT", 5)
    monkeypatch.setattr(web_pages, "PAGE_LIMIT", 5)
    names = [f"p{number}" for number in range(12)]
    site.pages |= {f"/docs/{name}": html(name, *names) for name in names}
    site.pages["/docs/"] = html("Start", *names)
    await mirror.sync()
    assert len(mirror.items) == 5
    assert "narrower address" in next(iter(mirror.skipped.values()))


async def test_endless_links_are_limited(mirror: Mirror, site: Site) -> None:
    """A calendar always links to one more month."""
    site.pages |= {f"/docs/{n}": html(f"Month {n}", f"/docs/{n + 1}") for n in range(20)}
    site.pages["/docs/"] = html("Start", "/docs/0")
    await mirror.sync()
    assert len(mirror.items) == 6


async def test_hostile_pages_do_not_stop_a_sync(mirror: Mirror, site: Site) -> None:
    site.pages |= {
        "/docs/": html("Start", "deep", "bad", "loop", "empty"),
        "/docs/deep": page(b"<div>" * 20_000, Content_Type="text/html"),
        "/docs/bad": page(b"<html>\xff\xfe\x00<title>\xe9", Content_Type="text/html"),
        "/docs/loop": redirect("/docs/loop"),
        "/docs/empty": page(b" ", Content_Type="text/html"),
    }
    await mirror.sync()
    assert "Start" in titles(mirror)


async def test_a_site_that_may_not_be_crawled_is_reported(mirror: Mirror, site: Site) -> None:
    site.pages |= {"/robots.txt": page(b"User-agent: remem\nDisallow: /"), "/docs/": html("Start")}
    with pytest.raises(Invalid, match=r"robots\.txt"):
        await mirror.connector.account(mirror.access)
    site.pages["/robots.txt"] = page(b"", 503)
    with pytest.raises(Unavailable, match=r"robots\.txt"):
        await mirror.sync()
    guarded = WebConnector(GuardedFetcher(waits_s=()))
    with pytest.raises(Invalid, match="public internet"):
        await guarded.account(mirror.access)
