"""Write what is due as an iCalendar file (RFC 5545, RFC 7986)."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta

from remem.core.calendars.model import CalendarEvent
from remem.core.text import shorten

SUMMARY_CHARS = 120
LINE_BYTES = 75
_SPECIAL = re.compile(r"([\\;,])")
_LINE_BREAKS = re.compile(r"\r\n?|[\n\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]+")


def write_calendar(name: str, events: Iterable[CalendarEvent], address: str) -> str:
    """`address` is that of the server, for links."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//remem//remem//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
    ]
    for event in events:
        lines += _event(event, address)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _fold(line))


def _event(event: CalendarEvent, address: str) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    # The versions of a statement are one event.
    yield f"UID:{event.root_id}@remem"
    yield f"SEQUENCE:{event.version - 1}"
    yield f"DTSTAMP:{_moment(event.updated_at)}"
    yield f"CREATED:{_moment(event.created_at)}"
    yield f"LAST-MODIFIED:{_moment(event.updated_at)}"
    if isinstance(event.due, datetime):
        yield f"DTSTART:{_moment(event.due)}"
    else:
        yield f"DTSTART;VALUE=DATE:{_day(event.due)}"
        yield f"DTEND;VALUE=DATE:{_day(event.due + timedelta(days=1))}"
    yield f"SUMMARY:{_text(shorten(' '.join(event.content.split()), SUMMARY_CHARS))}"
    yield f"DESCRIPTION:{_text(event.content)}"
    yield f"CATEGORIES:{_text(event.project_ref)}"
    yield f"URL:{address}/memories/{event.id}"
    yield "TRANSP:TRANSPARENT"
    yield "CLASS:PRIVATE"
    yield "END:VEVENT"


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _day(day: date) -> str:
    return day.strftime("%Y%m%d")


def _text(value: str) -> str:
    escaped = _SPECIAL.sub(r"\\\1", value)
    return _CONTROL.sub(" ", _LINE_BREAKS.sub(r"\\n", escaped))


def _fold(line: str) -> Iterator[str]:
    """Split a line into parts of at most 75 bytes, between characters. Each part but the first
    begins with a space."""
    part, size = "", 0
    for character in line:
        width = len(character.encode())
        if size + width > LINE_BYTES:
            yield part
            part, size = " ", 1
        part += character
        size += width
    yield part
