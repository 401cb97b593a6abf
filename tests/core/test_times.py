"""The time windows that a query names, relative to a fixed time."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.language.times.queries import asks_when, windows_of

# A Sunday.
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
TIME_QUERIES = [
    "yesterday", "last night", "today", "last week", "the past 3 months", "two years ago",
    "a couple of days ago", "last monday", "in May 2023", "on 29 February 2024", "9999-12-31",
    "0001-01-01", "in 2023", "December 31 9999", "999 years ago", "last ſunday", "frıday nıght ago",
]  # fmt: skip


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def includes(query: str, text: str, now: datetime = NOW) -> bool:
    """Whether noon of a day is within a window of the query."""
    moment = day(text) + timedelta(hours=12)
    return any(start <= moment < end for start, end in windows_of(query, now))


@pytest.mark.parametrize(
    ("query", "within", "without"),
    [
        ("on 2023-05-07", ["2023-05-07", "2023-05-10"], ["2023-05-05", "2023-05-16"]),
        ("on 7 May 2023", ["2023-05-07"], ["2023-05-05", "2022-05-07"]),
        ("on the 7th of May, 2023", ["2023-05-07"], ["2023-06-07"]),
        ("May 7, 2023", ["2023-05-07"], ["2023-05-20"]),
        ("on may 7th", ["2026-05-07", "2024-05-07"], ["2026-05-20", "2020-05-07"]),
        ("in May 2023", ["2023-05-01", "2023-05-31"], ["2023-04-30", "2023-06-20"]),
        ("in may 2023", ["2023-05-01"], ["2023-04-30"]),
        ("in Sept. 2023", ["2023-09-30"], ["2023-08-30", "2023-10-20"]),
        ("in December 2023", ["2023-12-31", "2024-01-03"], ["2023-11-30", "2024-01-20"]),
        ("in August", ["2026-08-15", "2023-08-15"], ["2026-07-15", "2022-08-15"]),
        ("in 2023", ["2023-01-01", "2023-12-31"], ["2022-12-31", "2024-02-01"]),
        ("yesterday", ["2026-11-14"], ["2026-11-12", "2026-11-17"]),
        ("last night", ["2026-11-14"], ["2026-11-01"]),
        ("today", ["2026-11-15"], ["2026-11-13", "2026-11-17"]),
        ("this morning", ["2026-11-15"], ["2026-11-13"]),
        ("last week", ["2026-11-02", "2026-11-09"], ["2026-10-20"]),
        ("this week", ["2026-11-12", "2026-11-15"], ["2026-11-02"]),
        ("last month", ["2026-10-01", "2026-10-31"], ["2026-08-30"]),
        ("last year", ["2025-01-10", "2025-12-31"], ["2024-06-01"]),
        ("the last 3 days", ["2026-11-13"], ["2026-11-08"]),
        ("the past two months", ["2026-09-20"], ["2026-08-15"]),
        ("last weekend", ["2026-11-14"], ["2026-11-01"]),
        ("3 days ago", ["2026-11-12"], ["2026-11-09", "2026-11-15"]),
        ("a week ago", ["2026-11-08"], ["2026-10-25"]),
        ("a couple of weeks ago", ["2026-11-01"], ["2026-10-20", "2026-11-14"]),
        ("a few months ago", ["2026-08-15"], ["2026-03-01"]),
        ("ten years ago", ["2016-11-15"], ["2010-01-01", "2024-01-01"]),
        ("last Friday", ["2026-11-13"], ["2026-11-11", "2026-11-20"]),
        ("last sunday", ["2026-11-08"], ["2026-11-05", "2026-11-15"]),
    ],
)
def test_the_days_that_an_expression_includes(
    query: str, within: list[str], without: list[str]
) -> None:
    assert [text for text in within if not includes(f"Who came {query}?", text)] == []
    assert [text for text in without if includes(f"Who came {query}?", text)] == []


@pytest.mark.parametrize(
    ("query", "now", "within"),
    [
        ("yesterday", "2026-03-01", "2026-02-28"),
        ("yesterday", "2024-03-01", "2024-02-29"),
        ("yesterday", "2026-01-01", "2025-12-31"),
        ("last month", "2024-03-31", "2024-02-29"),
        ("a year ago", "2024-02-29", "2023-03-01"),
        ("in February", "2024-02-29", "2024-02-29"),
        ("last week", "2026-01-02", "2025-12-27"),
    ],
)
def test_windows_at_the_ends_of_months_and_years(query: str, now: str, within: str) -> None:
    assert includes(query, within, day(now))


def test_a_leap_day_exists_only_in_leap_years() -> None:
    starts = [start for start, _ in windows_of("on 29 February", NOW)]
    assert starts == [day("2024-02-28")]
    assert windows_of("on 29 February 2023", NOW) == []


@pytest.mark.parametrize(
    "query",
    [
        "",
        "Who came?",
        "May I come in?",
        "may we",
        "It may rain",
        "the march of time",
        "in the end it may be",
        "on 2023-13-45",
        "on 45 March 2023",
        "on 0 June 2023",
        "June 5, 0000",
        "a 2023 wine",
        "version 2023",
        "10 minutes ago",
        "the last straw",
        "Mayonnaise in Marchfield",
    ],
)
def test_a_query_without_a_time(query: str) -> None:
    assert windows_of(query, NOW) == []


def test_may_is_a_month_after_a_word_such_as_in() -> None:
    assert includes("What happened in May?", "2026-05-10")
    assert not windows_of("What may happen in the city?", NOW)


def test_two_times_are_two_windows() -> None:
    query = "Between 3 March 2024 and 5 June 2024"
    assert includes(query, "2024-03-03")
    assert includes(query, "2024-06-05")
    assert not includes(query, "2024-04-20")


@pytest.mark.parametrize("query", TIME_QUERIES)
@pytest.mark.parametrize("now", [datetime.min, datetime.max, datetime(2000, 2, 29)])
@pytest.mark.parametrize("hours", [-14, 0, 14])
def test_the_ends_of_the_calendar_are_no_error(query: str, now: datetime, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    for start, end in windows_of(query, now.replace(tzinfo=zone)):
        assert start <= end
        assert start.astimezone(UTC) <= end.astimezone(UTC)


@given(
    st.lists(st.sampled_from(TIME_QUERIES) | st.text(max_size=20), max_size=4).map(" ".join),
    st.datetimes(timezones=st.just(UTC)),
)
def test_any_query_at_any_time_has_ordered_windows(query: str, now: datetime) -> None:
    asks_when(query)
    assert all(start <= end for start, end in windows_of(query, now))


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("When did Ann move?", True),
        ("so when is it?", True),
        ("Do you remember when we met?", True),
        ("What year was it?", True),
        ("In which month did she leave?", True),
        ("How long has he been there?", True),
        ("Who was there when it rained?", False),
        ("What did she say?", False),
        ("", False),
    ],
)
def test_whether_a_query_asks_when(query: str, asks: bool) -> None:
    assert asks_when(query) is asks


def test_the_day_before_yesterday_is_not_yesterday() -> None:
    (window,) = windows_of("what did I eat the day before yesterday?", NOW)
    assert window[0] <= NOW - timedelta(days=2) < window[1]
    assert window[0] > NOW - timedelta(days=4)


def test_may_before_a_word_with_a_digit_is_no_month() -> None:
    assert windows_of("She said that I may 3D print it.", NOW) == []
