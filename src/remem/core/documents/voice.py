"""Who says a whole document, when, and in which session: as its sender tells beside it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any
from uuid import UUID, uuid5

from remem.core.chunking.turns import LABEL_LIMIT, SPEAKER
from remem.core.documents.model import PLAIN_TYPES, Document
from remem.core.enrich.dates import read_date
from remem.core.enrich.reading import front_matter
from remem.core.language.names.lexicon import FIRST_NAMES
from remem.core.language.person import depends_on_speaker
from remem.core.language.times.heading import heading_day
from remem.core.time import now
from remem.core.validate import WEB_SCHEMES

SPEAKERS = ("speaker", "role", "sender")
# Fields that say when something was said, and those that say when it was written down: the name of
# a daily note says it better than the latter.
_SAID = (
    "said_at", "timestamp", "occurred_at", "date", "date_time", "datetime", "session_date",
    "sent_at",
)  # fmt: skip
_WRITTEN = ("published_at", "created_at", "modified_at")
MOMENTS = (*_SAID, *_WRITTEN)
SESSIONS = ("session_id", "session", "conversation_id", "conversation", "thread_id", "chat_id")
_TURN_LIMIT, _AUTHOR_LIMIT = 4_000, 80
# Below this a number is a year, a day or a count, and no moment since 1970.
_EARLIEST_S = 1e8
_ROOM = UUID("8c1f3f2e-5d0b-4d7e-9f57-2f1f0f6c3a11")
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|\d{1,2}(?:st|nd|rd|th)? [A-Za-z]{3,9}\.?,? \d{4}"
    r"|[A-Za-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_DAY_NAME = re.compile(
    rf"(?:{_WEEKDAY}[,.]? )?(?:(?P<y>\d{{4}})[-_./]?(?P<m>\d\d)[-_./]?(?P<d>\d\d)(?!\d|\.\d)"
    r"|(?P<words>(?:\d{1,2}(?:st|nd|rd|th)? [a-z]{3,9}|[a-z]{3,9} \d{1,2}(?:st|nd|rd|th)?),?"
    r" \d{4}))"
    rf"(?:[ ,_-]+{_WEEKDAY})?\b",
    re.IGNORECASE,
)
_NAMES = ("path", "file_name", "filename", "name")
_NAME_CHARS = 200
_SHORT_YEAR = re.compile(r"(\d{1,2}([./])\d{1,2}\2)(\d\d)")
_UNPADDED = re.compile(r"\d{4}-(?:\d-\d{1,2}|\d\d-\d)")
# Fields in which a clipped page says where it was taken from.
_ADDRESSES = ("source", "url", "source_url", "link", "canonical")
# Labels of lines that nobody says.
_NOT_NAMES = frozenset(
    (
        "note todo re fwd subject title url summary warning tip idea question answer reminder"
        " update task decision fact example source author date ps dream goal goals plan plans"
        " wish hope fear thought thoughts feeling mood gratitude lesson learning insight"
        " problem issue result status progress context background reason rule principle quote"
        " advice caution important remember memo log diary journal morning evening today"
        " tomorrow yesterday weekend work home health family money travel me myself personal"
        " private confession conclusion feedback review bug fix change feature request agenda"
        " action actions minutes next then so also and but"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Voice:
    speaker: str = ""
    said_at: datetime | None = None
    thread_id: UUID | None = None


def voice_of(metadata: Mapping[str, Any], content: str, title: str = "") -> Voice:
    """`content` is given where the document is one chunk, which may be a single turn."""
    opening = SPEAKER.match(content) if len(content) <= _TURN_LIMIT else None
    named = opening["name"].strip() if opening else ""
    stamp = (opening["bracket"] or opening["day"] or "") if opening else ""
    return Voice(
        speaker=_first_text(metadata, SPEAKERS)[:LABEL_LIMIT]
        or (named if opening and _speaks(named, stamp, content[opening.end() :]) else ""),
        said_at=_first_moment(metadata, _SAID)
        or moment_of(stamp)
        or _named_day(metadata, title)
        or (heading_day(content, now()) if content else None)
        or _first_moment(metadata, _WRITTEN),
        thread_id=_thread_id(metadata),
    )


def is_own(document: Document) -> bool:
    """Whether it is text or markdown of the user's, where it names no author: typed in or in a
    file, without an address on the web, beside it or in its front matter."""
    if document.content_type not in PLAIN_TYPES:
        return False
    if _is_elsewhere(document.source_url):
        return False
    fields = {**front_matter(document.content)[0], **document.metadata}
    return not is_page(document.content_type, None, fields)


def is_page(content_type: str, source_url: str | None, metadata: Mapping[str, Any]) -> bool:
    """Whether it was taken from the web: whom it calls "I" is not the user. What an account of the
    user's has, such as their notes elsewhere, has an address too."""
    if content_type == "html":
        return True
    if metadata.get("connection_id"):
        return False
    return _is_elsewhere(source_url) or any(_is_web(metadata.get(key)) for key in _ADDRESSES)


def _is_elsewhere(address: str | None) -> bool:
    return bool(address) and not (address or "").lower().startswith("file:")


def _is_web(value: Any) -> bool:
    scheme, colon, _ = str(value or "").strip().partition("://")
    return bool(colon) and scheme.lower() in WEB_SCHEMES


def author_of(metadata: Mapping[str, Any]) -> str:
    author = metadata.get("author")
    return author.strip()[:_AUTHOR_LIMIT] if isinstance(author, str) else ""


def moment_of(value: Any) -> datetime | None:
    """The moment a value tells, at least to the day."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_seconds(value)
    found = _DATE.search(value[:100]) if isinstance(value, str) else None
    written = read_date(_full(found[0])) if found else None
    try:
        moment = datetime.fromisoformat(written) if written else None
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None


def _full(date: str) -> str:
    """A day as it is written in full; messengers leave out the century."""
    if short := _SHORT_YEAR.fullmatch(date):
        return f"{short[1]}20{short[3]}"
    return date.replace("-", "/") if _UNPADDED.fullmatch(date) else date


def _from_seconds(seconds: float) -> datetime | None:
    if seconds < _EARLIEST_S:
        return None
    try:
        return datetime.fromtimestamp(seconds / 1_000 if seconds > 1e11 else seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _first_moment(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> datetime | None:
    return next((moment for key in keys if (moment := moment_of(metadata.get(key)))), None)


def day_in_name(name: str) -> datetime | None:
    """The day that a note or heading is named after: "2024-05-01", "2024-05-01 Monday"."""
    found = _DAY_NAME.match(name[:_NAME_CHARS].strip())
    if not found:
        return None
    return moment_of("-".join(found.group("y", "m", "d")) if found["y"] else found["words"])


def _named_day(metadata: Mapping[str, Any], title: str) -> datetime | None:
    names = (metadata.get(key) for key in _NAMES)
    stems = (PurePath(name).stem for name in names if isinstance(name, str))
    return next((day for name in (title, *stems) if (day := day_in_name(name))), None)


def _first_text(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    found = (metadata.get(key) for key in keys)
    return next((value.strip() for value in found if isinstance(value, str) and value.strip()), "")


def _thread_id(metadata: Mapping[str, Any]) -> UUID | None:
    session = next((metadata[key] for key in SESSIONS if metadata.get(key)), None)
    return uuid5(_ROOM, str(session)) if isinstance(session, str | int) else None


def _speaks(label: str, stamp: str, rest: str) -> bool:
    """Whether a label is who says the rest, and not what it is about ("Car: a blue Skoda")."""
    if not _is_name(label):
        return False
    return bool(stamp) or label.split()[0] in FIRST_NAMES or depends_on_speaker(rest)


def _is_name(label: str) -> bool:
    words = label.split()
    known = label.casefold() in _NOT_NAMES
    return 0 < len(words) <= 3 and not known and all(word[0].isupper() for word in words)
