"""Which statements are tasks of the speaker, and which are events or the tasks of others."""

from datetime import UTC, datetime

import pytest

from remem.core.judgements import Passage, Statement
from remem.core.language.person import USER
from remem.core.memories.rules.distil import distil

SAID_AT = datetime(2026, 11, 16, 9, tzinfo=UTC)


def statement_in(text: str) -> Statement:
    (statement,) = distil([Passage(text, 0, USER, SAID_AT)])
    return statement


@pytest.mark.parametrize(
    "text",
    [
        "My sister Anna called: she is pregnant and due in April.",
        "Marta is expecting twins and is due in June.",
        "Our baby is due in March.",
        "Karim's daughter starts school next month.",
        "My brother's team moves to Leipzig next week.",
        "Lena starts at Siemens next month.",
        "Tom and Mia fly to Rome next Friday.",
        "Standup: the release slips to 11 December",
        "Kick-off notes: the launch moves to 3 February.",
        "The festival in Kassel begins on 3 June 2027.",
        "The museum in Kassel is closed until 3 May 2027.",
    ],
)
def test_an_event_or_an_action_of_somebody_else_is_not_a_task(text: str) -> None:
    statement = statement_in(text)
    assert (statement.category, statement.due_at) == ("fact", None)
    assert statement.dates


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I need to send the report by next Friday.", "2026-11-27"),
        ("Submit the grant by 15 January.", "2027-01-15"),
        ("Priya has to finish the slides by 3 December.", "2026-12-03"),
        ("Order tickets by 3 December.", "2026-12-03"),
        ("The tax return is due on 31 December.", "2026-12-31"),
        ("Our passports expire on 3 May 2027.", "2027-05-03"),
        ("Rent is due on 1 December.", "2026-12-01"),
        ("The dentist moved my appointment to Friday at nine.", "2026-11-20"),
        ("Tom wants me to send the slides by Friday.", "2026-11-20"),
        ("Tom and I are going to paint the kitchen next week.", "2026-11-29"),
        ("The slides must be ready by 3 December.", "2026-12-03"),
    ],
)
def test_an_obligation_is_a_task_with_its_day(text: str, day: str) -> None:
    statement = statement_in(text)
    assert (statement.category, statement.due_at and statement.due_at.date().isoformat()) == (
        "task",
        day,
    )


@pytest.mark.parametrize(
    "text",
    [
        "Our Wi-Fi at home is called Hagebutte and covers the garden.",
        "My brother's partner is named Benedikt.",
        "Kofi's birthday is 23 September and he turned forty.",
        "The studio is located in Ghent.",
        "I'm married to a nurse from Ghent.",
        "We have a dog called Rex.",
        "Our last name is Okafor.",
        "We use hosted runners for the nightly build.",
    ],
)
def test_a_state_or_a_name_is_a_fact(text: str) -> None:
    assert statement_in(text).category == "fact"


@pytest.mark.parametrize(
    "text",
    [
        "Decided with Priya today: we drop the Redis cache.",
        "Agreed with the landlord: he repaints the hall.",
        "Settled: the wedding is in Lisbon.",
        "After the retro we finally decided together with Ana to postpone the launch.",
        "We've agreed with the school: no phones before noon.",
    ],
)
def test_a_decision_with_others_is_a_decision(text: str) -> None:
    assert statement_in(text).category == "decision"


def test_settling_somewhere_is_not_a_decision() -> None:
    assert statement_in("We settled in Porto after the war.").category == "episode"


@pytest.mark.parametrize(
    "text",
    [
        "We pay freelancers within ten days.",
        "Pay freelancers within ten days.",
        "Refunds are possible within two weeks of purchase.",
        "Invoices must be paid within 30 days.",
        "I read the whole book in three days.",
    ],
)
def test_a_rule_or_a_duration_has_no_due_day(text: str) -> None:
    statement = statement_in(text)
    assert statement.dates == () and statement.due_at is None


def test_in_two_days_is_certain_in_a_plan_and_not_in_a_rule() -> None:
    assert not any(
        date.certain for date in statement_in("Our supplier ships the parts in two days.").dates
    )
    plan = statement_in("I will move to Bern in two weeks.")
    assert [(date.text, date.certain) for date in plan.dates] == [("in two weeks", True)]
    answer = statement_in("I have to answer the lawyer within ten days.")
    assert answer.due_at and answer.due_at.date().isoformat() == "2026-11-26"


def test_the_current_year_is_not_a_time_of_occurrence() -> None:
    assert statement_in("We decided to spend Easter in Graz this year.").occurred_at is None
