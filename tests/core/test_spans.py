"""A written time is parsed exactly: its start and its end."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from remem.core.language.times.options import read_span

BERLIN = ZoneInfo("Europe/Berlin")
# A Wednesday, after the clocks went forward.
NOW = datetime(2026, 4, 15, 10, 30, tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("today", "2026-04-15", "2026-04-16"),
        ("Yesterday", "2026-04-14", "2026-04-15"),
        ("the day before yesterday", "2026-04-13", "2026-04-14"),
        ("last week", "2026-04-06", "2026-04-13"),
        ("  last   week ", "2026-04-06", "2026-04-13"),
        ("this week", "2026-04-13", "2026-04-20"),
        ("last weekend", "2026-04-11", "2026-04-13"),
        ("last month", "2026-03-01", "2026-04-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("3 days ago", "2026-04-12", "2026-04-13"),
        ("two weeks ago", "2026-04-01", "2026-04-02"),
        ("a month ago", "2026-03-15", "2026-03-16"),
        ("a couple of years ago", "2024-04-15", "2024-04-16"),
        ("the last 30 days", "2026-03-16", "2026-04-15T10:30"),
        ("past 2 weeks", "2026-04-01", "2026-04-15T10:30"),
        ("Friday", "2026-04-10", "2026-04-11"),
        ("last Monday", "2026-04-13", "2026-04-14"),
        ("May", "2025-05-01", "2025-06-01"),
        ("May 2024", "2024-05-01", "2024-06-01"),
        ("since March", "2026-03-01", "2026-04-01"),
        ("2024", "2024-01-01", "2025-01-01"),
        ("2024-05", "2024-05-01", "2024-06-01"),
        ("2024-05-01", "2024-05-01", "2024-05-02"),
        ("1.5.2024", "2024-05-01", "2024-05-02"),
        ("3 March 2024", "2024-03-03", "2024-03-04"),
        ("March 3rd, 2024", "2024-03-03", "2024-03-04"),
        ("now", "2026-04-15T10:30", "2026-04-15T10:30"),
        ("2 hours ago", "2026-04-15T08:30", "2026-04-15T08:30"),
        ("yesterday at 9", "2026-04-14T09:00", "2026-04-14T09:00"),
        ("2024-05-01T14:30", "2024-05-01T14:30", "2024-05-01T14:30"),
        ("2024-05-01 14:30", "2024-05-01T14:30", "2024-05-01T14:30"),
    ],
)
def test_a_time_is_in_the_time_zone_of_the_caller(text: str, start: str, end: str) -> None:
    expected = [datetime.fromisoformat(moment).replace(tzinfo=BERLIN) for moment in (start, end)]
    assert read_span(text, NOW) == tuple(expected)


def test_a_written_time_zone_is_used() -> None:
    moment = datetime(2024, 5, 1, 14, 30, tzinfo=UTC)
    assert read_span("2024-05-01T14:30:00Z", NOW) == (moment, moment)


def test_hours_are_counted_across_a_change_of_clocks() -> None:
    morning = datetime(2026, 3, 29, 8, tzinfo=BERLIN)
    evening = datetime(2026, 3, 28, 19, tzinfo=BERLIN)
    assert read_span("12 hours ago", morning) == (evening, evening)


@pytest.mark.parametrize(
    "text",
    ["", " ", "soon", "last", "week", "99", "2024-13-01", "2024-02-30", "0000-01", "31 April 2024",
     "03/04/2024", "999 years", "yesterday I slept", "see you on Friday", "last week " * 50,
     "999 years ago " * 3, "９ days"],
)  # fmt: skip
def test_text_that_is_no_time_is_refused(text: str) -> None:
    assert read_span(text, NOW) is None


def test_a_time_before_the_calendar_is_refused() -> None:
    assert read_span("999 years ago", NOW.replace(year=900)) is None
