"""Times as people tell them, resolved against the moment they were told at."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from remem.core.memories.rules.moments import Told, times_in

MONDAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def told(text: str, said_at: datetime = MONDAY) -> Told:
    found = times_in(text, said_at)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "expression", "words"),
    [
        ("I moved to Berlin last week.", "last week", "in the week before 8 May 2023"),
        ("I read a lot in the past week.", "in the past week", "in the week before 8 May 2023"),
        ("I move next week.", "next week", "in the week after 8 May 2023"),
        ("I was ill this week.", "this week", "in the week of 8 May 2023"),
        ("I was there yesterday.", "yesterday", "on 7 May 2023"),
        ("I was there the day before yesterday.", "the day before yesterday", "on 6 May 2023"),
        ("I will go the day after tomorrow.", "the day after tomorrow", "on 10 May 2023"),
        ("I will call tomorrow morning.", "tomorrow morning", "in the morning of 9 May 2023"),
        ("We spoke last night.", "last night", "on the night of 7 May 2023"),
        ("I ran this morning.", "this morning", "in the morning of 8 May 2023"),
        ("We will eat out tonight.", "tonight", "on the night of 8 May 2023"),
        ("I met Ann three days ago.", "three days ago", "on 5 May 2023"),
        ("I met Ann two weeks ago.", "two weeks ago", "two weeks before 8 May 2023"),
        ("I met Ann a few years ago.", "a few years ago", "a few years before May 2023"),
        ("I met Ann a month ago.", "a month ago", "a month before May 2023"),
        ("I met Ann last month.", "last month", "in April 2023"),
        ("I met Ann last year.", "last year", "in 2022"),
        ("I travel next month.", "next month", "in June 2023"),
        ("I went camping last weekend.", "last weekend", "on the weekend of 6 May 2023"),
        ("I will camp this weekend.", "this weekend", "on the weekend of 13 May 2023"),
        ("I went hiking last summer.", "last summer", "in the summer of 2022"),
        ("I went skiing last winter.", "last winter", "in the winter of 2022"),
        ("I saw her last Friday.", "last Friday", "on 5 May 2023"),
        ("I saw her on Monday.", "on Monday", "on 1 May 2023"),
        ("I will see her on Monday.", "on Monday", "on 15 May 2023"),
        ("I will see her this Friday.", "this Friday", "on 12 May 2023"),
        ("I will see her next Friday.", "next Friday", "on 19 May 2023"),
        ("We leave in two weeks.", "in two weeks", "on 22 May 2023"),
        ("We leave in a few weeks.", "in a few weeks", "about 29 May 2023"),
        ("We leave in three months.", "in three months", "in August 2023"),
        ("Answer within 10 days.", "within 10 days", "by 18 May 2023"),
        ("Submit it by next Friday.", "by next Friday", "by 19 May 2023"),
        ("Pay at the end of the month.", "at the end of the month", "on 31 May 2023"),
        ("Pay by the end of next month.", "by the end of next month", "by 30 June 2023"),
        ("Finish by the end of the week.", "by the end of the week", "by 12 May 2023"),
        ("Finish by EOD.", "by EOD", "by 8 May 2023"),
        ("Call tomorrow at 9.", "tomorrow at 9", "on 9 May 2023 at 09:00"),
        ("Meet at noon tomorrow.", "at noon tomorrow", "on 9 May 2023 at 12:00"),
        ("We will meet 3pm on Friday.", "3pm on Friday", "on 12 May 2023 at 15:00"),
        ("We will meet Friday at 3.", "Friday at 3", "on 12 May 2023 at 15:00"),
        ("Due by 3 March.", "by 3 March", "by 3 March 2024"),
        ("I arrived on 3 March.", "on 3 March", "on 3 March 2023"),
        ("I will fly on July 4th.", "on July 4th", "on 4 July 2023"),
        ("She was born in May 1990.", "in May 1990", "in May 1990"),
        ("I finished school in June.", "in June", "in June 2022"),
        ("I was there since 2019.", "since 2019", "since 2019"),
        ("It starts on 5.3.2027.", "on 5.3.2027", "on 5 March 2027"),
        ("I bought it on 12/25/2022.", "on 12/25/2022", "on 25 December 2022"),
        ("It ends 2027-03-05.", "2027-03-05", "on 5 March 2027"),
    ],
)
def test_each_expression_is_said_for_good(text: str, expression: str, words: str) -> None:
    found = told(text)
    assert (text[found.start : found.end], found.words) == (expression, words)


@pytest.mark.parametrize(
    "text",
    [
        "May I ask you something?",
        "The ISO week is 2026-W10.",
        "Version 1.2.2023 is out.",
        "They march every day.",
        "Read chapters 3 and 4.",
        "I paid 2023 euros.",
        "Yesterday's meeting was long.",
        "It is due on 30 February 2024.",
        "The 3/4/2023 is anybody's guess.",
        "Ask Mr. March about it.",
        "She said that I may 3D print it.",
    ],
)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert times_in(text, MONDAY) == []


@pytest.mark.parametrize(
    ("said", "text", "day"),
    [
        ("2023-12-31", "I will call tomorrow.", "2024-01-01"),
        ("2024-01-01", "I called yesterday.", "2023-12-31"),
        ("2024-01-31", "I will pay in one month.", "2024-02-01"),
        ("2024-03-31", "I paid last month.", "2024-02-01"),
        ("2023-12-15", "I start next month.", "2024-01-01"),
        ("2024-02-28", "I will call tomorrow.", "2024-02-29"),
        ("2023-02-28", "I will call tomorrow.", "2023-03-01"),
        ("2024-02-10", "Pay by the end of the month.", "2024-02-29"),
        ("2023-02-10", "Pay by the end of the month.", "2023-02-28"),
        ("2025-03-01", "I turned 8 on 29 February.", "2024-02-29"),
        ("2025-03-01", "It is due on 29 February.", "2028-02-29"),
        ("2023-12-30", "It is due on 2 January.", "2024-01-02"),
        ("2024-01-02", "I saw her on 30 December.", "2023-12-30"),
        ("2023-05-14", "I will call next Friday.", "2023-05-19"),
        ("2023-05-12", "I called last Friday.", "2023-05-05"),
    ],
)
def test_months_and_years_end(said: str, text: str, day: str) -> None:
    said_at = datetime.fromisoformat(f"{said}T10:00:00+00:00")
    assert told(text, said_at).first.date().isoformat() == day


def test_a_day_is_one_of_the_speakers_own_zone() -> None:
    late = datetime(2026, 3, 27, 23, 30, tzinfo=UTC).astimezone(BERLIN)
    tomorrow = told("I will call tomorrow.", late)
    assert tomorrow.first.isoformat() == "2026-03-29T00:00:00+01:00"
    assert tomorrow.last.isoformat() == "2026-03-30T00:00:00+02:00"


def test_a_time_the_clocks_leap_over_is_a_time_all_the_same() -> None:
    said = datetime(2026, 3, 28, 12, tzinfo=BERLIN)
    at = told("The backup runs tomorrow at 2:30.", said).first
    assert at.astimezone(UTC) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert at.isoformat() == "2026-03-29T03:30:00+02:00"


def test_by_a_day_leaves_that_day_and_before_it_does_not() -> None:
    assert told("Send it by 12 May 2023.").due.isoformat() == "2023-05-12T23:59:59+00:00"
    assert told("Send it before 12 May 2023.").due.isoformat() == "2023-05-11T23:59:59+00:00"
    assert told("Call tomorrow at 9.").due.isoformat() == "2023-05-09T09:00:00+00:00"


def test_several_times_are_told_from_left_to_right() -> None:
    text = "I arrived last week and will leave tomorrow at 10:15."
    assert [text[one.start : one.end] for one in times_in(text, MONDAY)] == [
        "last week",
        "tomorrow at 10:15",
    ]


def test_only_a_full_date_needs_no_day_of_its_own() -> None:
    assert not told("It ends on 5 March 2027.").relative
    assert told("It ends on 5 March.").relative
