"""The speaker, time and session of a whole document, from its metadata and its first line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any
from uuid import UUID, uuid5

from remem.core.chunking.turns import LABEL_LIMIT, SPEAKER, is_said
from remem.core.content_kinds import PLAIN_TYPES
from remem.core.documents.model import Document
from remem.core.enrich.dates import read_date
from remem.core.enrich.reading import front_matter
from remem.core.language.names.lexicon import FIRST_NAMES
from remem.core.language.person import (
    depends_on_speaker,
    file_speaker,
    is_user,
    page_speaker,
)
from remem.core.language.times.heading import heading_day
from remem.core.text import shorten
from remem.core.time import now
from remem.core.validate import WEB_SCHEMES

SPEAKER_FIELDS = ("speaker", "role", "sender")
# Metadata fields for when something was said, and for when it was written down. The date in the
# name of a daily note takes precedence over the latter.
_SAID_FIELDS = (
    "said_at", "timestamp", "occurred_at", "date", "date_time", "datetime", "session_date",
    "sent_at",
)  # fmt: skip
_WRITTEN_FIELDS = ("published_at", "created_at", "modified_at")
MOMENT_FIELDS = (*_SAID_FIELDS, *_WRITTEN_FIELDS)
SESSION_FIELDS = (
    "session_id",
    "session",
    "conversation_id",
    "conversation",
    "thread_id",
    "chat_id",
)
# The metadata field with the name of the file that a text was before somebody edited it here.
EDITED_FILE = "edited_file"
_TURN_LIMIT, _AUTHOR_LIMIT = 4_000, 80
# A smaller number is a year, a day or a count, not a Unix time.
_MIN_UNIX_TIME_S = 1e8
_THREAD_NAMESPACE = UUID("8c1f3f2e-5d0b-4d7e-9f57-2f1f0f6c3a11")
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
_NAME_FIELDS = ("path", "file_name", "filename", "name")
_NAME_CHARS = 200
_SHORT_YEAR = re.compile(r"(\d{1,2}([./])\d{1,2}\2)(\d\d)")
_UNPADDED = re.compile(r"\d{4}-(?:\d-\d{1,2}|\d\d-\d)")
# Metadata fields with the URL of a clipped page.
_URL_FIELDS = ("source", "url", "source_url", "link", "canonical")
# Labels before a colon that are not speakers.
_NOT_SPEAKERS = frozenset(
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
    """`content` is only given when the document is a single chunk, which may be a turn."""
    opening = SPEAKER.match(content) if len(content) <= _TURN_LIMIT else None
    label = opening["name"].strip() if opening else ""
    stamp = (opening["bracket"] or opening["day"] or "") if opening else ""
    return Voice(
        speaker=_first_text(metadata, SPEAKER_FIELDS)[:LABEL_LIMIT]
        or (label if opening and _is_speaker(label, stamp, content[opening.end() :]) else ""),
        said_at=_first_moment(metadata, _SAID_FIELDS)
        or parse_moment(stamp)
        or _day_in_names(metadata, title)
        or (heading_day(content, now()) if content else None)
        or _first_moment(metadata, _WRITTEN_FIELDS),
        thread_id=_thread_id(metadata),
    )


def is_own_text(document: Document) -> bool:
    """Whether a document without an author is the user's own text or markdown: typed in or a file,
    without a web address in its fields or its front matter."""
    if document.content_type not in PLAIN_TYPES:
        return False
    if _is_remote(document.source_url):
        return False
    fields = {**front_matter(document.content)[0], **document.metadata}
    return not is_page(document.content_type, None, fields)


def own_speaker(
    content_type: str,
    source_url: str | None,
    metadata: Mapping[str, Any],
    title: str,
    file_name: str | None,
) -> str | None:
    """Who "I" is in a text without speakers: its author, or nobody in a page or file without one;
    None for the user, who typed it or says so in the metadata. `file_name` is None for a text
    without an original."""
    if says_mine(metadata):
        return None
    author = author_of(metadata)
    if author and not is_user(author):
        return author
    if is_page(content_type, source_url, metadata):
        return shorten(page_speaker(title), LABEL_LIMIT)
    file_name = file_name or _first_text(metadata, (EDITED_FILE,)) or None
    is_typed = file_name is None and content_type in PLAIN_TYPES
    if is_typed and not _is_remote(source_url) and not metadata.get("connection_id"):
        return None
    return shorten(file_speaker(file_name or title), LABEL_LIMIT)


def says_mine(metadata: Mapping[str, Any]) -> bool:
    """Whether the user said that a document is in their own words."""
    speaker = metadata.get("speaker")
    return bool(speaker) and is_user(str(speaker))


def owner_of(document: Document, file_name: str | None) -> str | None:
    """The same as `own_speaker`. Fields in the text itself may name an author, but not the user."""
    fields = {**front_matter(document.content)[0], "speaker": None, **document.metadata}
    where = (document.content_type, document.source_url)
    return own_speaker(*where, fields, document.title, file_name)


def is_mine(document: Document) -> bool:
    """Whether "my" in a document means the user."""
    is_of_user = is_user(str(document.metadata.get("speaker") or ""))
    return is_of_user and owner_of(document, document.blob_key) is None


def speaker_of_turn(
    label: str, owner: str | None, content_type: str, metadata: Mapping[str, Any], file: bool
) -> str | None:
    """Who says a turn, None for the user. The label of the author is the owner's, and so is "me"
    in a mail, a page or a file; a user who says that the text is theirs is both."""
    is_mine = says_mine(metadata)
    if is_mine and label.casefold() == author_of(metadata).casefold():
        return owner
    if not is_user(label):
        return label
    return None if is_mine or not (file or content_type in ("email", "html")) else owner


def is_page(content_type: str, source_url: str | None, metadata: Mapping[str, Any]) -> bool:
    """Whether a document was taken from the web, so that "I" in it is not the user. Items of a
    connected account of the user have URLs too, but are not pages."""
    if content_type == "html":
        return True
    if metadata.get("connection_id"):
        return False
    return _is_remote(source_url) or any(_is_web(metadata.get(key)) for key in _URL_FIELDS)


def _is_remote(address: str | None) -> bool:
    return bool(address) and not (address or "").lower().startswith("file:")


def _is_web(value: Any) -> bool:
    scheme, colon, _ = str(value or "").strip().partition("://")
    return bool(colon) and scheme.lower() in WEB_SCHEMES


def author_of(metadata: Mapping[str, Any]) -> str:
    author = metadata.get("author")
    return author.strip()[:_AUTHOR_LIMIT] if isinstance(author, str) else ""


def parse_moment(value: Any) -> datetime | None:
    """Parse a value as a time, at least to the day."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_seconds(value)
    match = _DATE.search(value[:100]) if isinstance(value, str) else None
    iso_date = read_date(_with_full_year(match[0])) if match else None
    try:
        moment = datetime.fromisoformat(iso_date) if iso_date else None
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None


def _with_full_year(date: str) -> str:
    """A date with a full year; messengers leave out the century."""
    if short := _SHORT_YEAR.fullmatch(date):
        return f"{short[1]}20{short[3]}"
    return date.replace("-", "/") if _UNPADDED.fullmatch(date) else date


def _from_seconds(seconds: float) -> datetime | None:
    if seconds < _MIN_UNIX_TIME_S:
        return None
    try:
        return datetime.fromtimestamp(seconds / 1_000 if seconds > 1e11 else seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _first_moment(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> datetime | None:
    return next((moment for key in keys if (moment := parse_moment(metadata.get(key)))), None)


def day_in_name(name: str) -> datetime | None:
    """The date that a note or heading is named after: "2024-05-01", "2024-05-01 Monday"."""
    match = _DAY_NAME.match(name[:_NAME_CHARS].strip())
    if not match:
        return None
    return parse_moment("-".join(match.group("y", "m", "d")) if match["y"] else match["words"])


def _day_in_names(metadata: Mapping[str, Any], title: str) -> datetime | None:
    names = (metadata.get(key) for key in _NAME_FIELDS)
    stems = (PurePath(name).stem for name in names if isinstance(name, str))
    return next((day for name in (title, *stems) if (day := day_in_name(name))), None)


def _first_text(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    values = (metadata.get(key) for key in keys)
    return next((value.strip() for value in values if isinstance(value, str) and value.strip()), "")


def _thread_id(metadata: Mapping[str, Any]) -> UUID | None:
    session = next((metadata[key] for key in SESSION_FIELDS if metadata.get(key)), None)
    return uuid5(_THREAD_NAMESPACE, str(session)) if isinstance(session, str | int) else None


def _is_speaker(label: str, stamp: str, rest: str) -> bool:
    """Whether a label is the speaker of the rest, not its topic ("Car: a blue Skoda", "Tom: renew
    the passport")."""
    if not _is_name(label):
        return False
    is_person = label.split()[0] in FIRST_NAMES
    if not stamp and any(_is_name(match["name"].strip()) for match in SPEAKER.finditer(rest)):
        return False
    return bool(stamp) or depends_on_speaker(rest) or (is_person and is_said(rest))


def _is_name(label: str) -> bool:
    words = label.split()
    is_excluded = label.casefold() in _NOT_SPEAKERS
    return 0 < len(words) <= 3 and not is_excluded and all(word[0].isupper() for word in words)
