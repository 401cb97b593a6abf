"""Feeds of every format are read alike; what is hostile or no feed is refused."""

import json

import pytest

from remem.adapters.feeds.feedparser import FeedparserFeeds
from remem.core.errors import Unreadable
from remem.core.feed_entries import ParsedFeed

pytestmark = pytest.mark.anyio

URL = "https://example.org/feed"
RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>The Almanac</title>
<item><guid>one</guid><title>Tides &amp;amp; moons</title>
<link>/tides?utm_source=x&amp;page=2</link>
<description>&lt;p&gt;The tide &lt;b&gt;turns&lt;/b&gt; at noon.&lt;/p&gt;</description>
<pubDate>Mon, 02 Nov 2026 10:00:00 +0100</pubDate></item>
<item><title>No id</title><link>https://example.org/second</link></item>
<item><description>Only words.</description></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title>
<entry><id>tag:1</id><title>v1.0</title><link href="https://example.org/v1"/>
<updated>2026-11-02T09:00:00Z</updated><summary>The first.</summary></entry></feed>"""
JSON = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "Letters",
    "items": [
        {"id": "1", "url": "https://example.org/1", "content_html": "<p>Dear reader</p>"},
        {"id": "2", "title": "Second", "date_published": "2026-11-02T09:00:00Z"},
        "nonsense",
    ],
}


async def parse(data: str | bytes) -> ParsedFeed:
    raw = data.encode() if isinstance(data, str) else data
    return await FeedparserFeeds().parse(raw, URL)


async def test_rss() -> None:
    found = await parse(RSS)
    assert found.title == "The Almanac"
    first, second, third = found.entries
    assert first.title == "Tides & moons" and first.summary == "The tide turns at noon."
    assert first.url == "https://example.org/tides?page=2"
    assert first.published_at and first.published_at.isoformat() == "2026-11-02T09:00:00+00:00"
    assert second.url == "https://example.org/second" and third.title == "Only words."
    assert len({first.key, second.key, third.key}) == 3


async def test_atom_and_json() -> None:
    [entry] = (await parse(ATOM)).entries
    assert entry.title == "v1.0" and entry.published_at is not None
    letters = await parse(json.dumps(JSON))
    assert [one.title for one in letters.entries] == ["Dear reader", "Second"]


async def test_an_entry_keeps_its_key_whatever_else_changes() -> None:
    later = RSS.replace("turns", "turned").replace("Mon, 02 Nov", "Tue, 03 Nov")
    keys = [entry.key for entry in (await parse(RSS)).entries]
    assert [entry.key for entry in (await parse(later)).entries] == keys


async def test_a_feed_that_is_cut_off_or_in_latin_1_gives_what_it_has() -> None:
    cut = RSS[: RSS.index("<item><title>No id")]
    assert [entry.title for entry in (await parse(cut)).entries] == ["Tides & moons"]
    latin = ATOM.replace("v1.0", "Café").replace(
        "<feed", '<?xml version="1.0" encoding="latin-1"?><feed'
    )
    [entry] = (await parse(latin.encode("latin-1"))).entries
    assert entry.title == "Café"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"<html><body>A page</body></html>",
        b"{}",
        b'{"items": 5}',
        b"[" * 100_000,
        b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel/></rss>',
        b'<!DOCTYPE x [<!entity a SYSTEM "file:///etc/passwd">]><feed/>',
        b"{" + b" " * 10_000_001,
    ],
    ids=["empty", "text", "page", "object", "items", "deep", "bomb", "file", "large"],
)
async def test_what_is_no_feed_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        await parse(data)


async def test_addresses_that_are_no_web_pages_are_left_out() -> None:
    for bad in ("javascript:alert(1)", "data:text/html,x", "http://[", "file:///etc/passwd"):
        found = await parse(ATOM.replace("https://example.org/v1", bad))
        assert found.entries[0].url is None, bad
