"""Yes/no questions about things that ended, were returned or are only wished for."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from remem.core.answers.model import Source
from remem.core.answers.yes_no import decide
from remem.core.answers.yes_no_question import read_question

ASKED_AT = datetime(2026, 11, 17, tzinfo=UTC)
BACK, WASHER = "Lucian is back from paternity leave.", "Gareth brought the pressure washer back."


@pytest.mark.parametrize(
    ("note", "question", "verdict"),
    [
        (BACK, "Is Lucian still on leave?", "no"),
        (BACK, "Is Lucian on paternity leave?", "no"),
        (BACK, "Is Lucian back?", "yes"),
        ("Lucian is on paternity leave.", "Is Lucian on leave?", "yes"),
        ("Yusuf is out of hospital.", "Is Yusuf in hospital?", "no"),
        ("Mum is home from hospital.", "Is Mum in hospital?", "no"),
        ("Mum is home from hospital.", "Is Mum home?", "yes"),
        ("Picked the car up from the garage.", "Is the car at the garage?", "no"),
        (WASHER, "Is the pressure washer still with Gareth?", "no"),
        (WASHER, "Does Gareth have the pressure washer?", "no"),
        ("I brought the ladder back to Hamid.", "Do I have the ladder?", "no"),
        ("Hamid returned the ladder.", "Does Hamid have the ladder?", "no"),
        ("Ana got her bike back from the shop.", "Does Ana have her bike?", "yes"),
        ("The leak in the bathroom is fixed.", "Is the bathroom still leaking?", "no"),
        ("The tax return is done and sent off.", "Do I still have to do the tax return?", "no"),
        ("The rent is paid.", "Is the rent paid?", "yes"),
        ("The dishwasher is fixed.", "Is the dishwasher fixed?", "yes"),
        ("I want to go to Japan, but not before 2028.", "Have I been to Japan?", None),
        ("I went to Japan in 2019.", "Have I been to Japan?", "yes"),
        ("Ben left Acme.", "Is Ben still at Acme?", "no"),
    ],
)
def test_endings_and_wishes(note: str, question: str, verdict: str | None) -> None:
    yes_no_question = read_question(question, ASKED_AT)
    assert yes_no_question
    decision = decide(yes_no_question, [Source(note, "memory", uuid4(), said_at=ASKED_AT)])
    assert (decision.verdict if decision else None) == verdict
