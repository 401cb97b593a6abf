"""Parse RSS, Atom and JSON feeds in a separate process, limited in time and memory."""

import calendar
import codecs
import hashlib
import html
import json
import re
import sys
from datetime import UTC, datetime
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from remem.adapters.analysis.deadline import Deadline
from remem.adapters.analysis.processes import ProcessAnalysis
from remem.core.errors import AnalysisStopped, Unreadable
from remem.core.feed_entries import FeedEntry, ParsedFeed
from remem.core.text import clean, shorten

# CPU time. An ordinary feed takes a tenth of a second.
SECONDS = 10.0
_FAILED = {
    "failed": "The feed could not be read; it is damaged. Subscribe to another one.",
    "deadline": "The feed takes too long to read; subscribe to a smaller one.",
}


class FeedparserFeeds:
    """Feeds are untrusted files, so a broken one can only stop the process that parses it."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._analysis = ProcessAnalysis(
            processes=1, deadline=Deadline(seconds), package="remem.adapters.feeds"
        )

    async def parse(self, data: bytes, url: str) -> ParsedFeed:
        try:
            result: FeedResult = await self._analysis.run(parse_feed, data, url)
        except AnalysisStopped as error:
            raise Unreadable(_FAILED.get(error.code, _FAILED["deadline"])) from error
        if isinstance(result, str):
            raise Unreadable(result)
        return result

    async def close(self) -> None:
        await self._analysis.close()


# Parse the bytes of a feed into entries; RSS and Atom by the library feedparser. Pure.


SIZE_LIMIT = 10_000_000
ENTRIES_LIMIT = 200
TITLE_CHARS, SUMMARY_CHARS, URL_CHARS = 300, 2_000, 2_000
_TAG = re.compile(r"<[^<>]{0,2000}>")
_CODE_TAG = re.compile(r"<(?P<closes>/?)(?:script|style)\b[^<>]{0,2000}>", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_TRACKING = re.compile(r"(?:utm_\w+|fbclid|gclid|mc_[ce]id)")
_ENTITY = re.compile(rb"<!\s*ENTITY", re.IGNORECASE)
_ENCODING = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([^\"'>]{1,40})")
_END = re.compile(rb"</(?:[\w.-]{1,40}:)?(?:item|entry)\s*>", re.IGNORECASE)
_REFERENCE = re.compile(rb"&#([xX][0-9a-fA-F]+|[0-9]+);?")
_DIGITS = 12
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# Text encodings. Python has other codecs too, which run code or hide a declaration.
_ENCODINGS = re.compile(
    r"ascii|utf-?(?:8|16|32)(?:-?[bl]e|-sig)?|iso8859-\d+|cp(?:125\d|437|85\d|866|874|932|936|949|950)"
    r"|koi8-[rut]|mac-roman|big5(?:hkscs)?|gb2312|gbk|gb18030|euc_(?:jp|kr)|shift_jis|iso2022_jp"
)

# The feed, or why it cannot be read: an exception would lose its message between processes.
FeedResult: TypeAlias = ParsedFeed | str


def parse_feed(data: bytes, url: str) -> FeedResult:
    try:
        return _parse(data, url)
    except Unreadable as error:
        return error.message


def _parse(data: bytes, url: str) -> ParsedFeed:
    if len(data) > SIZE_LIMIT:
        raise Unreadable("The feed is larger than 10 MB; subscribe to a smaller one.")
    # In UTF-16, every second byte of ASCII letters is a zero.
    plain = data.replace(b"\0", b"")
    if _ENTITY.search(plain):
        raise Unreadable("The feed declares entities, which are not read; subscribe to another.")
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        return _json_feed(data, url)
    _check_encoding(plain[:1_000])
    return _xml_feed(_REFERENCE.sub(_keep_valid_reference, _first_entries(data)), url)


def _check_encoding(start: bytes) -> None:
    match = _ENCODING.search(start)
    try:
        name = codecs.lookup(match[1].decode("ascii")).name if match else "utf-8"
    except (LookupError, ValueError):
        name = ""
    if not _ENCODINGS.fullmatch(name):
        raise Unreadable("The feed names an encoding that is not known; subscribe to another.")


def _keep_valid_reference(reference: re.Match[bytes]) -> bytes:
    """Remove a reference to a surrogate or an invalid code point: feedparser fails on these."""
    digits = reference[1].decode()
    base = 16 if digits[0] in "xX" else 10
    number = int(digits.lstrip("xX"), base) if len(digits) <= _DIGITS else -1
    is_real = 0 < number <= sys.maxunicode and not 0xD800 <= number <= 0xDFFF
    return reference[0] if is_real else b""


def _first_entries(data: bytes) -> bytes:
    """Cut entries beyond the limit, so that a long feed is parsed as fast as a short one."""
    ends = [match.end() for match in _END.finditer(data)]
    if len(ends) <= ENTRIES_LIMIT:
        return data
    return data[: ends[ENTRIES_LIMIT - 1]] + data[ends[-1] :]


def _xml_feed(data: bytes, url: str) -> ParsedFeed:
    import feedparser

    feed: Any = feedparser.parse(data, resolve_relative_uris=False, sanitize_html=False)
    if not feed.get("version") and not feed.entries:
        raise Unreadable("This is not a feed; give the address of an RSS, Atom or JSON feed.")
    entries = [_xml_entry(entry, url) for entry in feed.entries[:ENTRIES_LIMIT]]
    return ParsedFeed(_plain_text(feed.feed.get("title"), TITLE_CHARS), _unique_entries(entries))


def _xml_entry(entry: Any, base: str) -> FeedEntry:
    body = entry.get("summary") or next(
        (content.get("value") for content in entry.get("content", [])), ""
    )
    moment = entry.get("published_parsed") or entry.get("updated_parsed")
    return _entry(
        id=entry.get("id"),
        url=entry.get("link"),
        title=entry.get("title"),
        summary=body,
        published_at=_parse_time_tuple(moment),
        base=base,
    )


def _json_feed(data: bytes, url: str) -> ParsedFeed:
    """https://www.jsonfeed.org/version/1.1/"""
    try:
        feed = json.loads(data)
        items = feed["items"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Unreadable("This is not a JSON feed; it has no list of items.") from error
    if not isinstance(items, list):
        raise Unreadable("This is not a JSON feed; it has no list of items.")
    entries = [_json_entry(item, url) for item in items[:ENTRIES_LIMIT] if isinstance(item, dict)]
    return ParsedFeed(_plain_text(feed.get("title"), TITLE_CHARS), _unique_entries(entries))


def _json_entry(item: dict[str, Any], base: str) -> FeedEntry:
    return _entry(
        id=item.get("id"),
        url=item.get("url") or item.get("external_url"),
        title=item.get("title"),
        summary=item.get("summary") or item.get("content_text") or item.get("content_html"),
        published_at=_parse_iso(item.get("date_published")),
        base=base,
    )


def _entry(
    *, id: Any, url: Any, title: Any, summary: Any, published_at: datetime | None, base: str
) -> FeedEntry:
    address = _clean_url(url, base)
    text, heading = _plain_text(summary, SUMMARY_CHARS), _plain_text(title, TITLE_CHARS)
    name = str(id)[:URL_CHARS] if id else address or f"{heading}\n{text}"
    key = hashlib.sha256(name.encode(errors="replace")).hexdigest()
    return FeedEntry(key, heading or shorten(text, TITLE_CHARS), text, address, published_at)


def _unique_entries(entries: list[FeedEntry]) -> tuple[FeedEntry, ...]:
    return tuple({entry.key: entry for entry in entries if entry.title}.values())


def _plain_text(value: Any, limit: int) -> str:
    markup = _without_code(html.unescape(str(value or "")[: limit * 20]))
    text = html.unescape(_TAG.sub(" ", markup))
    return shorten(_SPACE.sub(" ", clean(_storable(text))).strip(), limit)


def _without_code(text: str) -> str:
    """Remove scripts and styles."""
    parts, position, is_code = [], 0, False
    for tag in _CODE_TAG.finditer(text):
        if not is_code:
            parts.append(text[position : tag.start()])
        is_code, position = not tag["closes"], tag.end()
    return " ".join([*parts, "" if is_code else text[position:]])


def _storable(text: str) -> str:
    """Remove surrogates and control characters, which a database cannot store."""
    return _CONTROL.sub("", text.encode(errors="replace").decode())


def _clean_url(value: Any, base: str) -> str | None:
    """Return an absolute web URL without tracking parameters, or None."""
    try:
        parts = urlsplit(urljoin(base, str(value or "").strip()))
        parameters = [
            parameter
            for parameter in parse_qsl(parts.query, True)
            if not _TRACKING.fullmatch(parameter[0])
        ]
        cleaned = _storable(urlunsplit(parts._replace(query=urlencode(parameters), fragment="")))
    except ValueError:
        return None
    is_web = bool(value) and parts.scheme in ("http", "https") and bool(parts.hostname)
    return cleaned if is_web and len(cleaned) <= URL_CHARS and " " not in cleaned else None


def _parse_time_tuple(moment: Any) -> datetime | None:
    """Convert a parsed date; None for an impossible one, such as the 40th of a month."""
    try:
        return datetime.fromtimestamp(calendar.timegm(moment), UTC) if moment else None
    except (ValueError, OverflowError, OSError, TypeError):
        return None


def _parse_iso(value: Any) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(value))
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
