"""RSS and Atom by the library feedparser, JSON feeds by ourselves."""

import asyncio
import calendar
import hashlib
import html
import json
import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from remem.core.errors import Unreadable
from remem.core.feed_entries import FeedEntry, ParsedFeed
from remem.core.text import clean, shorten

SIZE_LIMIT = 10_000_000
ENTRIES_LIMIT = 200
TITLE_CHARS, SUMMARY_CHARS, URL_CHARS = 300, 2_000, 2_000
_TAG = re.compile(r"<[^<>]{0,2000}>")
_SPACE = re.compile(r"\s+")
_TRACKING = re.compile(r"(?:utm_\w+|fbclid|gclid|mc_[ce]id)")
_ENTITY = re.compile(rb"<!\s*ENTITY", re.IGNORECASE)


class FeedparserFeeds:
    """In a thread: a large feed takes a while."""

    async def parse(self, data: bytes, url: str) -> ParsedFeed:
        return await asyncio.to_thread(_parse, data, url)


def _parse(data: bytes, url: str) -> ParsedFeed:
    if len(data) > SIZE_LIMIT:
        raise Unreadable("The feed is larger than 10 MB; subscribe to a smaller one.")
    if _ENTITY.search(data):
        raise Unreadable("The feed declares entities, which are not read; subscribe to another.")
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        return _json_feed(data, url)
    return _xml_feed(data, url)


def _xml_feed(data: bytes, url: str) -> ParsedFeed:
    import feedparser

    found: Any = feedparser.parse(data, resolve_relative_uris=False, sanitize_html=False)
    if not found.get("version") and not found.entries:
        raise Unreadable("This is not a feed; give the address of an RSS, Atom or JSON feed.")
    entries = [_xml_entry(entry, url) for entry in found.entries[:ENTRIES_LIMIT]]
    return ParsedFeed(_plain(found.feed.get("title"), TITLE_CHARS), _with_words(entries))


def _xml_entry(entry: Any, base: str) -> FeedEntry:
    body = entry.get("summary") or next((one.get("value") for one in entry.get("content", [])), "")
    moment = entry.get("published_parsed") or entry.get("updated_parsed")
    return _entry(
        id=entry.get("id"),
        url=entry.get("link"),
        title=entry.get("title"),
        summary=body,
        published_at=_from_seconds(calendar.timegm(moment)) if moment else None,
        base=base,
    )


def _json_feed(data: bytes, url: str) -> ParsedFeed:
    """https://www.jsonfeed.org/version/1.1/"""
    try:
        found = json.loads(data)
        items = found["items"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Unreadable("This is not a JSON feed; it has no list of items.") from error
    if not isinstance(items, list):
        raise Unreadable("This is not a JSON feed; it has no list of items.")
    entries = [_json_entry(item, url) for item in items[:ENTRIES_LIMIT] if isinstance(item, dict)]
    return ParsedFeed(_plain(found.get("title"), TITLE_CHARS), _with_words(entries))


def _json_entry(item: dict[str, Any], base: str) -> FeedEntry:
    return _entry(
        id=item.get("id"),
        url=item.get("url") or item.get("external_url"),
        title=item.get("title"),
        summary=item.get("summary") or item.get("content_text") or item.get("content_html"),
        published_at=_from_iso(item.get("date_published")),
        base=base,
    )


def _entry(
    *, id: Any, url: Any, title: Any, summary: Any, published_at: datetime | None, base: str
) -> FeedEntry:
    address = _address(url, base)
    words, heading = _plain(summary, SUMMARY_CHARS), _plain(title, TITLE_CHARS)
    name = str(id)[:URL_CHARS] if id else address or f"{heading}\n{words}"
    key = hashlib.sha256(name.encode(errors="replace")).hexdigest()
    return FeedEntry(key, heading or shorten(words, TITLE_CHARS), words, address, published_at)


def _with_words(entries: list[FeedEntry]) -> tuple[FeedEntry, ...]:
    return tuple({entry.key: entry for entry in entries if entry.title}.values())


def _plain(value: Any, limit: int) -> str:
    text = html.unescape(_TAG.sub(" ", html.unescape(str(value or "")[: limit * 20])))
    return shorten(_SPACE.sub(" ", clean(text.replace("\x00", ""))).strip(), limit)


def _address(value: Any, base: str) -> str | None:
    """Without what only counts readers."""
    try:
        parts = urlsplit(urljoin(base, str(value or "").strip()))
        kept = [one for one in parse_qsl(parts.query, True) if not _TRACKING.fullmatch(one[0])]
        found = urlunsplit(parts._replace(query=urlencode(kept), fragment=""))
    except ValueError:
        return None
    is_web = bool(value) and parts.scheme in ("http", "https") and bool(parts.hostname)
    return found if is_web and len(found) <= URL_CHARS and " " not in found else None


def _from_seconds(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _from_iso(value: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(value))
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
