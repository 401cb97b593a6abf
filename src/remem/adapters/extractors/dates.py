"""Convert dates in files to ISO 8601; None if that is not possible."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

PDF_DATE = re.compile(
    r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z|[+-])(\d\d)?'?(\d\d)?)?"
)
TWITTER_FORMAT = "%a %b %d %H:%M:%S %z %Y"
# Years of clocks that were never set.
UNSET_YEARS = (1600, 1601, 1899, 1900, 1904, 1970)


def iso_date(value: object) -> str | None:
    """Return a date or time as ISO 8601, from ISO, RFC 5322 or seconds since 1970."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_seconds(value)
    text = str(value or "").strip()
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return text if _is_valid(text) else None
    if re.fullmatch(r"\d{9,13}", text):
        return _from_seconds(int(text))
    return _from_iso(text) or _from_mail(text)


def pdf_date(value: str) -> str | None:
    match = PDF_DATE.match(value.strip())
    if not match:
        return iso_date(value)
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    sign, hours, minutes = match.groups()[6:]
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
        return _iso_or_none(datetime.strptime(text, TWITTER_FORMAT))
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


def _is_valid(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).year >= 1000
    except ValueError:
        return False
