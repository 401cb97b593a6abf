"""The year of a day or a month without one follows from the tense of the statement."""

from datetime import UTC, datetime

import pytest

from remem.core.memories.rules.dates import certain_times, due_of, occurred_at, read_times

# A Wednesday.
SAID_AT = datetime(2026, 11, 18, 16, tzinfo=UTC)

# Days that are certain.
CERTAIN = [
    ("The dentist was on 12 October.", "2026-10-12"),
    ("The dentist was on 20 December.", "2025-12-20"),
    ("I went to Rome in December.", "2025-12-01"),
    ("We flew to Oslo on 19 November.", "2025-11-19"),
    ("The warranty expired on 31 March.", "2026-03-31"),
    ("The dentist is on 12 January.", "2027-01-12"),
    ("The dentist is on 12 October.", "2027-10-12"),
    ("The dentist will be on 20 December.", "2026-12-20"),
    ("I'm going to Rome in May.", "2027-05-01"),
    ("The warranty expires on 31 March.", "2027-03-31"),
    ("I have lived here since 3 May.", "2026-05-03"),
    ("I live here since 3 May.", "2026-05-03"),
    ("Since 3 May I have a cat.", "2026-05-03"),
    ("Anna has been ill since 20 December.", "2025-12-20"),
    ("I have been vegetarian since January.", "2026-01-01"),
    ("I haven't seen Tom since 12 December.", "2025-12-12"),
    ("I've been at Bosch since Monday.", "2026-11-16"),
    ("I am on leave until 3 May.", "2027-05-03"),
    ("I was on leave until 3 May.", "2026-05-03"),
    ("I lived in Bonn until 3 May.", "2026-05-03"),
    ("My visa was valid till 20 December.", "2025-12-20"),
    ("The meeting was postponed until 12 January.", "2027-01-12"),
    ("The deadline was extended until 3 May.", "2027-05-03"),
    ("Anna said she was on leave until 3 December.", "2026-12-03"),
    ("I was asked to pay until 3 December.", "2026-12-03"),
    ("I borrowed the drill until 3 December.", "2026-12-03"),
    ("The meeting was moved to 12 January.", "2027-01-12"),
]
# Ambiguous: the nearest day, or the next one if the tense is the present.
UNCERTAIN = [
    ("The exam is 3 June.", "2027-06-03"),
    ("Lena's surgery is 12 October.", "2027-10-12"),
    ("The dentist's on 12 October.", "2027-10-12"),
    ("The meeting is held on 12 October.", "2027-10-12"),
    ("The heating gets repaired on 12 January.", "2027-01-12"),
    ("I get paid on 25 November.", "2026-11-25"),
    ("Dentist on 12 October.", "2026-10-12"),
    ("Anna's party 12 October", "2026-10-12"),
]
SPANS = [
    ("From 3 May to 9 May we were in Rome.", ["2026-05-03", "2026-05-09"]),
    ("We were in Rome from 20 to 27 December.", ["2025-12-27"]),
    ("We'll be there from 3 May to 9 May.", ["2027-05-03", "2027-05-09"]),
    ("The meeting was moved from 12 October to 12 January.", ["2026-10-12", "2027-01-12"]),
    (
        "I was on leave until 3 May and the office is closed until 20 December.",
        ["2026-05-03", "2026-12-20"],
    ),
]


def days(text: str, *, certain: bool) -> list[str]:
    stated = read_times(text, SAID_AT).stated
    return [f"{time.first:%Y-%m-%d}" for time in stated if time.certain is certain]


@pytest.mark.parametrize(("text", "day"), CERTAIN)
def test_the_tense_determines_the_year(text: str, day: str) -> None:
    assert days(text, certain=True) == [day]


@pytest.mark.parametrize(("text", "day"), UNCERTAIN)
def test_a_present_is_not_in_the_past(text: str, day: str) -> None:
    assert days(text, certain=True) == []
    assert days(text, certain=False) == [day]


@pytest.mark.parametrize(("text", "expected"), SPANS)
def test_both_ends_of_a_span_have_the_same_tense(text: str, expected: list[str]) -> None:
    assert days(text, certain=True) == expected


def test_a_past_span_is_not_due() -> None:
    text = "From 3 May to 9 May we were in Rome."
    times = certain_times(text, SAID_AT)
    assert due_of(text, times, SAID_AT) is None
    assert f"{occurred_at(times, SAID_AT):%Y-%m-%d}" == "2026-05-03"
