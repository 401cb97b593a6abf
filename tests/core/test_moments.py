"""Times as people express them, resolved against the time of the statement."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from remem.core.language.times.statements import StatedTime, times_in

MONDAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def time_of(text: str, said_at: datetime = MONDAY) -> StatedTime:
    times = times_in(text, said_at)
    assert len(times) == 1, times
    return times[0]


@pytest.mark.parametrize(
    ("text", "expression", "span"),
    [
        ("I moved to Berlin last week.", "last week", "2023-05-01/2023-05-08"),
        ("I read a lot in the past week.", "in the past week", "2023-05-01/2023-05-08"),
        ("I move next week.", "next week", "2023-05-15/2023-05-22"),
        ("I was ill this week.", "this week", "2023-05-08/2023-05-15"),
        ("I was there yesterday.", "yesterday", "2023-05-07/2023-05-08"),
        (
            "I was there the day before yesterday.",
            "the day before yesterday",
            "2023-05-06/2023-05-07",
        ),
        ("I will go the day after tomorrow.", "the day after tomorrow", "2023-05-10/2023-05-11"),
        ("I will call tomorrow morning.", "tomorrow morning", "2023-05-09/2023-05-10"),
        ("We spoke last night.", "last night", "2023-05-07/2023-05-08"),
        ("I ran this morning.", "this morning", "2023-05-08/2023-05-09"),
        ("We will eat out tonight.", "tonight", "2023-05-08/2023-05-09"),
        ("I met Ann three days ago.", "three days ago", "2023-05-05/2023-05-06"),
        ("I met Ann two weeks ago.", "two weeks ago", "2023-04-24/2023-05-01"),
        ("I met Ann a few years ago.", "a few years ago", "2020-01-01/2021-01-01"),
        ("I met Ann a month ago.", "a month ago", "2023-04-01/2023-05-01"),
        ("I met Ann last month.", "last month", "2023-04-01/2023-05-01"),
        ("I met Ann last year.", "last year", "2022-01-01/2023-01-01"),
        ("I travel next month.", "next month", "2023-06-01/2023-07-01"),
        ("I went camping last weekend.", "last weekend", "2023-05-06/2023-05-08"),
        ("I will camp this weekend.", "this weekend", "2023-05-13/2023-05-15"),
        ("I went hiking last summer.", "last summer", "2022-06-01/2022-09-01"),
        ("I went skiing last winter.", "last winter", "2022-12-01/2023-03-01"),
        ("I saw her last Friday.", "last Friday", "2023-05-05/2023-05-06"),
        ("I saw her on Monday.", "on Monday", "2023-05-01/2023-05-02"),
        ("I will see her on Monday.", "on Monday", "2023-05-15/2023-05-16"),
        ("I will see her this Friday.", "this Friday", "2023-05-12/2023-05-13"),
        ("I will see her next Friday.", "next Friday", "2023-05-19/2023-05-20"),
        ("We leave in two weeks.", "in two weeks", "2023-05-22/2023-05-23"),
        ("We leave in a few weeks.", "in a few weeks", "2023-05-29/2023-06-05"),
        ("We leave in three months.", "in three months", "2023-08-01/2023-09-01"),
        ("I must answer within 10 days.", "within 10 days", "2023-05-18/2023-05-19"),
        ("Submit it by next Friday.", "by next Friday", "2023-05-19/2023-05-20"),
        ("Pay at the end of the month.", "at the end of the month", "2023-05-31/2023-06-01"),
        ("Pay by the end of next month.", "by the end of next month", "2023-06-30/2023-07-01"),
        ("Finish by the end of the week.", "by the end of the week", "2023-05-12/2023-05-13"),
        ("Finish by EOD.", "by EOD", "2023-05-08/2023-05-09"),
        ("Call tomorrow at 9.", "tomorrow at 9", "2023-05-09T09:00"),
        ("Meet at noon tomorrow.", "at noon tomorrow", "2023-05-09T12:00"),
        ("We will meet 3pm on Friday.", "3pm on Friday", "2023-05-12T15:00"),
        ("We will meet Friday at 3.", "Friday at 3", "2023-05-12T15:00"),
        ("Due by 3 March.", "by 3 March", "2024-03-03/2024-03-04"),
        ("I arrived on 3 March.", "on 3 March", "2023-03-03/2023-03-04"),
        ("I will fly on July 4th.", "on July 4th", "2023-07-04/2023-07-05"),
        ("She was born in May 1990.", "in May 1990", "1990-05-01/1990-06-01"),
        ("I finished school in June.", "in June", "2022-06-01/2022-07-01"),
        ("I was there since 2019.", "since 2019", "2019-01-01/2020-01-01"),
        ("It starts on 5.3.2027.", "on 5.3.2027", "2027-03-05/2027-03-06"),
        ("I bought it on 12/25/2022.", "on 12/25/2022", "2022-12-25/2022-12-26"),
        ("It ends 2027-03-05.", "2027-03-05", "2027-03-05/2027-03-06"),
    ],
)
def test_each_expression_means_certain_days(text: str, expression: str, span: str) -> None:
    stated = time_of(text)
    moments = [moment.strftime("%Y-%m-%dT%H:%M") for moment in (stated.first, stated.last)]
    days = "/".join(dict.fromkeys(moment.removesuffix("T00:00") for moment in moments))
    assert (text[stated.start : stated.end], days) == (expression, span)


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
def test_text_that_is_no_time_is_ignored(text: str) -> None:
    assert times_in(text, MONDAY) == []


@pytest.mark.parametrize(
    ("said_on", "text", "day"),
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
def test_times_cross_the_ends_of_months_and_years(said_on: str, text: str, day: str) -> None:
    said_at = datetime.fromisoformat(f"{said_on}T10:00:00+00:00")
    assert time_of(text, said_at).first.date().isoformat() == day


def test_a_day_is_in_the_time_zone_of_the_speaker() -> None:
    late = datetime(2026, 3, 27, 23, 30, tzinfo=UTC).astimezone(BERLIN)
    tomorrow = time_of("I will call tomorrow.", late)
    assert tomorrow.first.isoformat() == "2026-03-29T00:00:00+01:00"
    assert tomorrow.last.isoformat() == "2026-03-30T00:00:00+02:00"


def test_a_time_that_the_clocks_skip_is_moved_forward() -> None:
    said_at = datetime(2026, 3, 28, 12, tzinfo=BERLIN)
    at = time_of("The backup runs tomorrow at 2:30.", said_at).first
    assert at.astimezone(UTC) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert at.isoformat() == "2026-03-29T03:30:00+02:00"


def test_by_a_day_includes_that_day_and_before_it_does_not() -> None:
    assert time_of("Send it by 12 May 2023.").due.isoformat() == "2023-05-12T23:59:59+00:00"
    assert time_of("Send it before 12 May 2023.").due.isoformat() == "2023-05-11T23:59:59+00:00"
    assert time_of("Call tomorrow at 9.").due.isoformat() == "2023-05-09T09:00:00+00:00"


def test_several_times_are_returned_from_left_to_right() -> None:
    text = "I arrived last week and will leave tomorrow at 10:15."
    assert [text[time.start : time.end] for time in times_in(text, MONDAY)] == [
        "last week",
        "tomorrow at 10:15",
    ]


def test_only_a_full_date_is_not_relative() -> None:
    assert not time_of("It ends on 5 March 2027.").relative
    assert time_of("It ends on 5 March.").relative


SUNDAY = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "words", "start"),
    [
        ("The dentist moved my appointment to Friday at nine", "Friday at nine",
         "2026-11-20T09:00"),
        ("The call was rescheduled to Monday at ten thirty.", "Monday at ten thirty",
         "2026-11-16T10:30"),
        ("They postponed the concert to next Saturday.", "next Saturday", "2026-11-21T00:00"),
        ("I wrote the agenda for Tuesday.", "Tuesday", "2026-11-17T00:00"),
        ("I saw the dentist last Wednesday.", "last Wednesday", "2026-11-11T00:00"),
    ],
)  # fmt: skip
def test_a_day_that_something_was_moved_to_is_in_the_future(
    text: str, words: str, start: str
) -> None:
    stated = time_of(text, SUNDAY)
    assert (stated.words, stated.first.strftime("%Y-%m-%dT%H:%M")) == (words, start)
    assert stated.certain


@pytest.mark.parametrize(
    "text",
    ["Dinner with Bob on Friday.", "I met Ann a few years ago.", "I skied last winter.",
     "We leave in a couple of weeks.", "The party, 4 July."],
)  # fmt: skip
def test_an_ambiguous_time_is_not_certain(text: str) -> None:
    assert not time_of(text, SUNDAY).certain


def test_recurring_weekdays_are_no_dates() -> None:
    assert times_in("I work from Monday to Friday.", SUNDAY) == []
    assert times_in("The shop is open Monday to Friday.", SUNDAY)[1:] == []


@pytest.mark.parametrize("text", ["last ſunday", "frıday nıght ago", "in ſeptember"])
def test_letters_that_only_case_fold_to_ascii_are_no_time(text: str) -> None:
    assert times_in(text, MONDAY) == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("I moved in Sept. 2021.", "2021-09-01"),
        ("I moved thirteen days ago.", "2023-04-25"),
        ("I moved thirty years ago.", "1993-01-01"),
        ("The shop on Fore Street --since 2024-05-01 sells tea.", "2024-05-01"),
    ],
)
def test_every_number_word_and_short_month_is_read(text: str, first: str) -> None:
    assert time_of(text).first.date().isoformat() == first
