"""Writes the dates that files carry as ISO 8601, or not at all."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

PDF_DATE = re.compile(
    r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z|[+-])(\d\d)?'?(\d\d)?)?"
)
TWITTER_FORM = "%a %b %d %H:%M:%S %z %Y"
# What clocks that were never set say.
UNSET_YEARS = (1600, 1601, 1899, 1900, 1904, 1970)


def iso_date(said: object) -> str | None:
    """A date or a moment in ISO 8601, from ISO, RFC 5322 or seconds since 1970."""
    if isinstance(said, int | float) and not isinstance(said, bool):
        return _from_seconds(said)
    text = str(said or "").strip()
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return text if _valid(text) else None
    if re.fullmatch(r"\d{9,13}", text):
        return _from_seconds(int(text))
    return _from_iso(text) or _from_mail(text)


def pdf_date(said: str) -> str | None:
    found = PDF_DATE.match(said.strip())
    if not found:
        return iso_date(said)
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    sign, hours, minutes = found.groups()[6:]
    zone = "+00:00" if sign in (None, "Z") else f"{sign}{hours or '00'}:{minutes or '00'}"
    clock = f"T{hour:02}:{minute:02}:{second:02}{zone}"
    return _from_iso(f"{year:04}-{month or 1:02}-{day or 1:02}{clock}")


def _from_iso(text: str) -> str | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return _iso_or_none(moment)


def _from_mail(text: str) -> str | None:
    try:
        return _iso_or_none(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError):
        pass
    try:
        return _iso_or_none(datetime.strptime(text, TWITTER_FORM))
    except ValueError:
        return None


def _from_seconds(seconds: float) -> str | None:
    seconds = seconds / 1000 if seconds > 1e11 else seconds
    try:
        return _iso_or_none(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def _iso_or_none(moment: datetime) -> str | None:
    if moment.year in UNSET_YEARS or moment.year < 1000:
        return None
    return moment.isoformat(timespec="seconds")


def _valid(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).year >= 1000
    except ValueError:
        return False
