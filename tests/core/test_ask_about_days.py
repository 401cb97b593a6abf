"""Questions about a day that they name, and about how long ago or how soon something is."""

from datetime import UTC, datetime

import pytest

from remem.core.answers.ask import ask
from remem.core.answers.questions import ago_as_when, until_as_when, what_is_counted
from remem.core.answers.reply import AskRequest
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query

pytestmark = pytest.mark.anyio

ASKED_AT = datetime(2026, 11, 15, 21, tzinfo=UTC)
DIARY = {
    "2026-09-20": "I collected the puppy today.",
    "2026-10-02": "Spent the day in Bruges with the orchestra.",
    "2026-10-08": "Met Doctor Oyelaran about the grant.",
    "2026-10-16": "Hiked from Crianlarich to Tyndrum.",
    "2026-11-03": "Bought a second-hand loom from a weaver in Hawick.",
    "2026-11-08": "Repotted the lemon tree this morning.",
    "2026-11-10": "My train to Malmo leaves on 6 December 2026.",
}


async def save_diary(ports: Ports, scope: Scope) -> None:
    for day, text in DIARY.items():
        metadata = {"date": f"{day}T19:00:00"}
        await ingest(ports, scope, Draft(text, content_type="text", metadata=metadata))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which city was I in on 2 October?", "Bruges"),
        ("Who did I meet on October 8?", "Oyelaran"),
        ("What did I do on 16 October?", "Hiked"),
        ("What did I buy on 3 November?", "loom"),
        ("How many weeks ago did I collect the puppy?", "8 weeks ago"),
        ("How many days ago did I repot the lemon tree?", "7 days ago"),
        ("How many weeks until my train to Malmo?", "6 December 2026"),
        ("In how many days does my train leave?", "6 December 2026"),
    ],
)
async def test_the_answer_is_of_that_day(
    ports: Ports, scope: Scope, question: str, answer: str
) -> None:
    await save_diary(ports, scope)
    reply = await ask(ports, scope, AskRequest(question, asked_at=ASKED_AT, record=False))
    assert answer in reply.text


@pytest.mark.parametrize(
    "question",
    [
        "Which city was I in on 3 October?",
        "Who did I meet on October 21?",
        "What did I buy on 7 November?",
        "How many weeks ago did I go to Malmo?",
    ],
)
async def test_another_day_is_not_answered(ports: Ports, scope: Scope, question: str) -> None:
    await save_diary(ports, scope)
    reply = await ask(ports, scope, AskRequest(question, asked_at=ASKED_AT, record=False))
    assert not reply.is_known


async def test_what_was_written_on_the_named_day_is_found(ports: Ports, scope: Scope) -> None:
    await save_diary(ports, scope)
    query = Query("What did I do on 16 October?", asked_at=ASKED_AT)
    found = await find(ports, scope, query)
    assert [hit.chunk.content for hit in found.hits if hit.chunk][:1] == [DIARY["2026-10-16"]]


def test_a_reader_is_asked_for_the_time() -> None:
    assert ago_as_when("How many weeks ago did I move?") == "When did I move?"
    assert ago_as_when("How long ago was the flood?") == "When was the flood?"
    assert ago_as_when("How many weeks did I stay?") == "How many weeks did I stay?"
    assert until_as_when("How many days until the wedding?") == "When is the wedding?"
    assert until_as_when("How many weeks are left till the wedding?") == "When is the wedding?"
    assert until_as_when("How long is it until the wedding?") == "When is the wedding?"
    assert until_as_when("In how many weeks do I fly?") == "When do I fly?"
    assert until_as_when("How many eggs do I need?") == "How many eggs do I need?"


def test_weeks_ago_are_not_counted_as_things() -> None:
    assert what_is_counted("How many weeks ago did I move?") is None
    assert what_is_counted("How many eggs did I buy?") is not None
