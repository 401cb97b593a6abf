"""Questions that change one detail of what is kept: another thing, another day."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from remem.core.answers.ask import ask
from remem.core.answers.asked_day import day_in_question, is_about_day, without_day
from remem.core.answers.key_noun import is_of_other_label, lacks_kind, shares_only_number
from remem.core.answers.model import Source
from remem.core.answers.reply import UNKNOWN, AskRequest
from remem.core.answers.sentences import SentenceSpan
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

pytestmark = pytest.mark.anyio

ASKED_AT = datetime(2026, 11, 18, 10, tzinfo=UTC)
NOTES = {
    "I play tennis with Karim.": "2026-01-03",
    "I received a silver bracelet from Aunt Mia.": "2026-01-04",
    "Tove was at her grandmother's in Graz today.": "2026-05-02",
    "Tove was in Vienna today.": "2026-05-09",
    "On November 2 I was in Porto.": "2026-11-02",
    "We had pumpkin soup for dinner.": "2026-11-13",
    "We had lasagne for dinner.": "2026-11-14",
}


def on(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


async def test_a_question_with_another_detail_is_not_answered(ports: Ports, scope: Scope) -> None:
    for note, day in NOTES.items():
        await save_memory(ports, scope, MemoryDraft(note, said_at=on(day)))
    for question, answer in {
        "Who do I play tennis with?": "Karim",
        "Who do I play table tennis with?": UNKNOWN,
        "I received jewelry from whom?": "Aunt Mia",
        "Where was Tove on 2 May?": "Graz",
        "Where was Tove on 9 May?": "Vienna",
        "Where was Tove on 3 May?": UNKNOWN,
        "Which city was I in on November 2?": "Porto",
        "Which city was I in on November 3?": UNKNOWN,
        "What did we eat last Friday?": "pumpkin soup",
        "What did we eat last Thursday?": UNKNOWN,
    }.items():
        reply = await ask(ports, scope, AskRequest(question, asked_at=ASKED_AT, record=False))
        assert answer in reply.text, question


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("Who do I play table tennis with?", "I play tennis with Karim.", True),
        ("Who do I play table tennis with?", "Table tennis is on Monday with Ole.", False),
        ("How much did the cotton sweater cost?", "The sweater cost 80 euros.", True),
        ("How much did the sweater cost?", "The jumper cost 80 euros.", False),
        ("What is our wifi password?", "Wi-Fi: Nest, password: otter-42.", False),
        ("What is the wireless password?", "The password of the network is otter-42.", False),
        ("What is the wifi password?", "The Netflix password is popcorn88.", True),
        ("What is the guest wifi password?", "The wifi password is plum12.", True),
        ("What is the code of the garden shed?", "Shed in the garden: 5512.", False),
        ("Where did Mia buy bread?", "Mia gets bread at the mill.", False),
        ("Where is my new bike?", "The bike is in the garage.", False),
        ("Which eye doctor did I see?", "I saw Dr. Klein, the ophthalmologist.", False),
        ("Which eye doctor did I see?", "I saw the doctor on Monday.", True),
        ("Where is the bookshelf plan?", "The plan of the book shelf is in the drawer.", False),
        # Hasty notes leave out the kind, shorten it, and have questions without a verb.
        ("what does a riding lesson cost", "lesson 40, boots 12", False),
        ("my minimum charge", "kiln: min charge 12, open thu", False),
        ("when is the baby due", "SCAN! a girl. due 3 june", False),
        ("date Ola starts", "trial: Ola, quick. starts tue 4 may, date fixed", False),
        ("where is the ferry trip now", "trip moved to may, now from Rostock", False),
        ("what's the wifi password", "netflix password popcorn88", True),
    ],
)
def test_the_kind_of_a_thing_is_part_of_it(question: str, text: str, expected: bool) -> None:
    assert lacks_kind(question, text) is expected


async def test_the_word_that_tells_two_things_apart_is_in_the_answer(
    ports: Ports, scope: Scope
) -> None:
    for number, note in enumerate(
        (
            "The IP of host alpha is 10.0.0.1.",
            "The IP of host beta is 10.0.0.2.",
            "The IP of host alpha has been changed to 10.0.0.4.",
            "The IP of host beta has been changed to 10.0.0.9.",
            "The password of the wifi upstairs is plum12.",
            "The password of the wifi downstairs is fig77.",
        )
    ):
        said_at = datetime(2026, 10, 1 + number, tzinfo=UTC)
        await save_memory(ports, scope, MemoryDraft(note, said_at=said_at))
    for question, answer in {
        "What is the IP of host alpha?": "10.0.0.4",
        "What is the IP of host beta?": "10.0.0.9",
        "What is the IP of host gamma?": UNKNOWN,
        "What is the password of the wifi upstairs?": "plum12",
        "What is the wifi password downstairs?": "fig77",
    }.items():
        reply = await ask(ports, scope, AskRequest(question, asked_at=ASKED_AT, record=False))
        assert answer in reply.text, question


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("What is the IP of host alpha?", "The IP of host beta is 10.0.0.9.", True),
        ("What is the IP of host alpha?", "Alpha has the IP 10.0.0.4.", False),
        ("What is the IP of the host?", "The IP of host beta is 10.0.0.9.", False),
        ("What is the port of server zephyr?", "Server boreas listens on port 81.", True),
        ("What is the port of server zephyr?", "The server runs on port 81.", False),
        ("Where is the red bike?", "The blue bike is in the cellar.", True),
        ("Where is the red bike?", "The red bike stands in the blue shed.", False),
        ("What is the code of the garden door?", "The garden gate has the code 7.", True),
        ("What is the guest wifi code?", "The guest wifi password is plum12.", False),
        ("menu for the Hart group", "12 june, hart party: soup, lamb", False),
        ("who goes to the swim club", "swim camp sat: Ada, Ole", False),
    ],
)
def test_a_sentence_about_another_of_several_is_told(
    question: str, text: str, expected: bool
) -> None:
    assert is_of_other_label(question, text) is expected


@pytest.mark.parametrize(
    ("question", "text", "said_on", "expected"),
    [
        ("Where was I on 3 May?", "I was in Ulm.", "2026-05-03", True),
        ("Where was I on 3 May?", "I was in Ulm.", "2026-05-04", False),
        ("Where was I on 3 May?", "Yesterday I was in Ulm.", "2026-05-04", True),
        ("Where was I on 3 May?", "Yesterday I was in Ulm.", "2026-05-03", False),
        ("Where was I on 3 May?", "I was in Ulm on 3 May 2024.", "2026-01-01", True),
        ("Where was I on 3 May 2025?", "I was in Ulm on 3 May 2024.", "2026-01-01", False),
        ("Where was I on 3 May?", "I was in Ulm in May 2026.", "2026-06-01", True),
        ("Where was I on 3 May?", "I was in Ulm from 1 May to 5 May.", "2026-06-01", True),
        ("Where was I on 3 May?", "On 3 May I left home. I was in Ulm.", "2026-06-01", True),
    ],
)
def test_a_sentence_is_about_the_day_it_names_or_was_said_on(
    question: str, text: str, said_on: str, expected: bool
) -> None:
    day = day_in_question(question, ASKED_AT)
    assert day is not None
    source = Source(text, "memory", UUID(int=0), said_at=on(said_on))
    sentence = SentenceSpan(text.rindex(". ", 0, -1) + 2 if ". " in text else 0, len(text))
    assert is_about_day(question, day, source, sentence) is expected


def test_a_day_is_read_only_in_a_question_about_the_past() -> None:
    for question in ("Who comes on Friday?", "Where was I before 3 May?", "Where was I in May?"):
        assert day_in_question(question, ASKED_AT) is None
        assert without_day(question, ASKED_AT) == question
    assert without_day("Where was I on 3 May?", ASKED_AT) == "Where was I?"
    assert without_day("What was on 3 May?", ASKED_AT) == "What was on 3 May?"


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("Who lives in flat 5?", "Room 5 is Dr. Klein's office.", True),
        ("Who lives in flat 5?", "Mr Okoro lives in no. 5.", False),
        ("Who lives in flat 5?", "Mr Okoro has flat 5.", False),
        ("Who wrote PR 42?", "Tom wrote pull request 42.", False),
        ("Where does bus 7 go?", "Locker 7 has my shoes.", True),
        ("Who lives there?", "Room 5 is Dr. Klein's office.", False),
    ],
)
def test_a_number_alone_does_not_make_a_sentence_an_answer(
    question: str, sentence: str, *, expected: bool
) -> None:
    assert shares_only_number(question, sentence) is expected


async def test_the_time_of_another_lane_is_no_answer(ports: Ports, scope: Scope) -> None:
    for note in (
        "Lane 1 closes at 8, lane 2 at 9 and lane 5 at 10.",
        "Lane 4 closes at 9 pm, but lane 3 stays open.",
        "On Mondays lane 3 is used by the club from 5 to 7 pm.",
    ):
        await save_memory(ports, scope, MemoryDraft(note))
    for question, answer in {
        "When does lane 3 close?": UNKNOWN,
        "What time does lane three close?": UNKNOWN,
        "When does lane 6 close?": UNKNOWN,
        "When does lane 4 close?": "9 pm",
    }.items():
        reply = await ask(ports, scope, AskRequest(question, record=False))
        assert answer in reply.text, question
