"""The options `--since`, `--until`, `--due`: times in plain words, in the local time zone."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Annotated

import typer

from remem.surfaces.cli.output import MISUSED, fail

_EXAMPLES = '"last week", "3 days ago", 30d, "May 2024" or 2024-05-01'

# 30d: the last 30 days.
_SHORT = re.compile(r"(\d{1,4})([dwmy])")
_UNITS = {"d": "days", "w": "weeks", "m": "months", "y": "years"}
_DUE_EXAMPLES = '"next Friday", "in 3 days" or 2027-01-31'

Due = Annotated[str | None, typer.Option("--due", help=f"The due date: {_DUE_EXAMPLES}.")]
Since = Annotated[
    str | None, typer.Option("--since", help=f"The start of the period: {_EXAMPLES}.")
]
Until = Annotated[
    str | None,
    typer.Option("--until", help="The end of the period, in the same format as --since."),
]


class _SystemZone(tzinfo):
    """The time zone of this machine, with daylight saving time as of each date."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return moment.replace(tzinfo=None).astimezone().utcoffset() if moment else None

    def dst(self, moment: datetime | None) -> timedelta | None:
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        return moment.replace(tzinfo=None).astimezone().tzname() if moment else None

    def fromutc(self, moment: datetime) -> datetime:
        return moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)


def period(since: str | None, until: str | None) -> tuple[str | None, str | None]:
    """Return both as ISO 8601 for the API: the start of `since`, and the end of `until`."""
    start, end = _read("--since", since), _read("--until", until)
    if start and end and start[0] >= end[1]:
        fail("--since is after --until; swap them, or leave one out.", MISUSED)
    return _iso(start[0] if start else None), _iso(end[1] if end else None)


def due_at(text: str | None) -> str | None:
    """Return a due date as ISO 8601: the end of the day or period, so that what is due on Friday is
    not late on Friday. A bare "Friday" is the next one."""
    if text is None:
        return None
    spans = [_span(text), _span(f"this {text}"), _span(f"next {text}")]
    now = datetime.now(UTC)
    span = next((span for span in spans if span and span[1] > now), spans[0])
    if span is None:
        fail(f'--due: "{text}" is not a time; write, for example, {_DUE_EXAMPLES}.', MISUSED)
    start, end = span
    return _iso(end if start == end else end - timedelta(seconds=1))


def _span(text: str) -> tuple[datetime, datetime] | None:
    from remem.core.language.times.options import read_span

    if short := _SHORT.fullmatch(text.strip()):
        text = f"last {short[1]} {_UNITS[short[2]]}"
    return read_span(text, datetime.now(UTC).astimezone(_SystemZone()))


def _read(option: str, text: str | None) -> tuple[datetime, datetime] | None:
    if text is None:
        return None
    span = _span(text)
    if span is None:
        fail(f'{option}: "{text}" is not a time; write, for example, {_EXAMPLES}.', MISUSED)
    return span


def _iso(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat() if moment else None
