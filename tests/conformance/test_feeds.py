"""Feeds of every format are parsed; hostile input and other files are refused."""

import json
from typing import cast

import pytest

from remem.adapters.feeds.feedparser import ENTRIES_LIMIT, FeedparserFeeds, parse_feed
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
    """Parse in this process, which is faster; see parse_in_subprocess for the adapter itself."""
    raw = data.encode() if isinstance(data, str) else data
    result = parse_feed(raw, URL)
    if isinstance(result, str):
        raise Unreadable(result)
    return result


async def parse_in_subprocess(data: bytes, seconds: float = 10) -> ParsedFeed:
    feeds = FeedparserFeeds(seconds)
    try:
        return await feeds.parse(data, URL)
    finally:
        await feeds.close()


async def test_rss() -> None:
    feed = await parse(RSS)
    assert feed.title == "The Almanac"
    first, second, third = feed.entries
    assert first.title == "Tides & moons" and first.summary == "The tide turns at noon."
    assert first.url == "https://example.org/tides?page=2"
    assert first.published_at and first.published_at.isoformat() == "2026-11-02T09:00:00+00:00"
    assert second.url == "https://example.org/second" and third.title == "Only words."
    assert len({first.key, second.key, third.key}) == 3


async def test_atom_and_json() -> None:
    [entry] = (await parse(ATOM)).entries
    assert entry.title == "v1.0" and entry.published_at is not None
    letters = await parse(json.dumps(JSON))
    assert [letter.title for letter in letters.entries] == ["Dear reader", "Second"]


async def test_an_entry_keeps_its_key_when_its_content_changes() -> None:
    later = RSS.replace("turns", "turned").replace("Mon, 02 Nov", "Tue, 03 Nov")
    keys = [entry.key for entry in (await parse(RSS)).entries]
    assert [entry.key for entry in (await parse(later)).entries] == keys


async def test_a_truncated_feed_and_one_in_latin_1_are_parsed() -> None:
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
        '<!DOCTYPE x [<!ENTITY a "aaaa">]><rss><channel/></rss>'.encode("utf-16"),
        '<!DOCTYPE x [<!ENTITY a "aaaa">]><rss><channel/></rss>'.encode("utf-32"),
        *(
            f'<?xml version="1.0" encoding="{name}"?>{RSS[21:]}'.encode()
            for name in ("undefined", "utf-7", "unicode_escape", "rot13", "zlib", "nonsense")
        ),
    ],
    ids=[
        *("empty", "text", "page", "object", "items", "deep", "bomb", "file", "large"),
        *("utf-16", "utf-32", "undefined", "utf-7", "escape", "rot13", "zlib", "nonsense"),
    ],
)
async def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        await parse(data)


async def test_urls_that_are_not_web_pages_are_removed() -> None:
    for bad in ("javascript:alert(1)", "data:text/html,x", "http://[", "file:///etc/passwd"):
        feed = await parse(ATOM.replace("https://example.org/v1", bad))
        assert feed.entries[0].url is None, bad


@pytest.mark.parametrize(
    "date",
    ["0000-00-00", "0000-00-00T00:00:00Z", "9999-12-31T23:59:59-14:00", "9999-99-99", "x" * 9_000],
)
async def test_an_impossible_date_is_ignored(date: str) -> None:
    feed = await parse(RSS.replace("Mon, 02 Nov 2026 10:00:00 +0100", date))
    assert len(feed.entries) == 3
    item = {"id": "1", "title": "One", "date_published": date}
    assert len((await parse(json.dumps({"items": [item]}))).entries) == 1


async def test_scripts_and_styles_are_removed() -> None:
    html = (
        '<style>p{}</style>Tides<script>if (a<b) fetch("x")</script> turn<SCRIPT src=x>never ends'
    )
    item = {"id": "1", "title": "One", "content_html": html}
    [entry] = (await parse(json.dumps({"items": [item]}))).entries
    assert entry.summary == "Tides turn"


async def test_surrogates_and_control_characters_are_removed() -> None:
    xml = RSS.replace("turns", "tur&amp;#xD800;ns &#xD800; &amp;#0;").replace(
        "Almanac", "A&#xDFFF;"
    )
    letters = {
        "title": "\ud800T",
        "items": [{"id": "1", "title": "\ud800x", "summary": "\udfff\x00"}],
    }
    for feed in (await parse(xml), await parse(json.dumps(letters))):
        for text in (feed.title, *(entry.title + entry.summary for entry in feed.entries)):
            assert text.encode() and "\x00" not in text


@pytest.mark.parametrize(
    "reference", ["&#xD800;", "&#55296;", "&#0;", "&#x110000;", f"&#{'9' * 5_000};", "&#xDFFF"]
)
async def test_invalid_character_references_are_removed(reference: str) -> None:
    feed = await parse(RSS.replace("turns", f"tu{reference}rns &#233;").replace("&lt;b&gt;", ""))
    assert "turns é" in feed.entries[0].summary


async def test_a_feed_with_very_many_entries_is_read_to_the_limit() -> None:
    item = "<item><guid>{0}</guid><title>Entry {0}</title></item>"
    items = "".join(item.format(number) for number in range(50_000))
    feed = await parse_in_subprocess(
        f"<rss version='2.0'><channel>{items}</channel></rss>".encode()
    )
    assert [entry.title for entry in feed.entries] == [f"Entry {n}" for n in range(ENTRIES_LIMIT)]


async def test_a_feed_that_takes_too_long_is_stopped() -> None:
    data = b"<rss version='2.0'><channel><item><title>x" + b"&" * 4_000_000
    with pytest.raises(Unreadable, match="too long"):
        await parse_in_subprocess(data, seconds=0.5)


async def test_an_unexpected_error_does_not_reveal_the_feed() -> None:
    # A bytes-like object that parsing cannot handle fails inside the process.
    with pytest.raises(Unreadable, match="damaged") as refused:
        await parse_in_subprocess(cast(bytes, {"a secret": 1}))
    assert "secret" not in str(refused.value)
