"""Questions about who gives or does something to whom: the direction and the thing must fit."""

import pytest

from remem.core.answers.ask import ask
from remem.core.answers.reply import UNKNOWN, AskRequest
from remem.core.answers.transfers import is_other_transfer
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

pytestmark = pytest.mark.anyio

NOTES = (
    "I bought a watch in Geneva in May.",
    "I gave Karim a watch for his birthday.",
    "I received a necklace from my aunt Rosa.",
    "Grandma left me her piano.",
    "I borrowed a ladder from our neighbour Paul.",
    "I lent my drill to Omar.",
    "I sold my old bike to Emil and bought a new one from Frida.",
    "I called Dana about the roof on Monday.",
)


async def test_who_gives_and_who_receives(ports: Ports, scope: Scope) -> None:
    for note in NOTES:
        await save_memory(ports, scope, MemoryDraft(note))
    for question, answer in {
        "I received a watch from whom?": UNKNOWN,
        "Who gave me a watch?": UNKNOWN,
        "Who got a watch from me?": "Karim",
        "I received a ring from whom?": UNKNOWN,
        "From whom did I receive a necklace?": "Rosa",
        "I borrowed a ladder from whom?": "Paul",
        "Who lent me a drill?": UNKNOWN,
        "I lent my drill to whom?": "Omar",
        "Who left me the piano?": "Grandma",
        "Who bought my old bike?": "Emil",
        "Who sold me the new bike?": "Frida",
        "Who did I call on Monday?": "Dana",
        "Who called me on Monday?": UNKNOWN,
    }.items():
        reply = await ask(ports, scope, AskRequest(question, record=False))
        assert answer in reply.text, question


@pytest.mark.parametrize(
    ("question", "sentence", "answer", "expected"),
    [
        ("I received a watch from whom?", "I gave Karim a watch.", "Karim", True),
        ("I received a watch from whom?", "I got a watch from Ole.", "Ole", False),
        ("I received a watch from whom?", "I was given a watch by Ole.", "Ole", False),
        ("I received a watch from whom?", "The watch was a present from Ole.", "Ole", False),
        ("I received a watch from whom?", "I bought Ole a watch.", "Ole", True),
        ("I received a watch from whom?", "Mia got a watch from Ole.", "Ole", True),
        ("I received jewelry from whom?", "I got a ring from Ole.", "Ole", False),
        ("I received a bike from whom?", "I got a bicycle from Ole.", "Ole", False),
        (
            "I received a watch from whom?",
            "I got a ring from Ole and a watch from Mia.",
            "Ole",
            True,
        ),
        (
            "I received a watch from whom?",
            "I got a ring from Ole and a watch from Mia.",
            "Mia",
            False,
        ),
        ("Mia received a watch from whom?", "My friend Mia has a watch.", "friend", True),
        ("Who gave Leo a camera?", "Jana gave Leo a camera.", "Jana", False),
        ("Who gave Jana a camera?", "Jana gave Leo a camera.", "Leo", True),
        ("Who was the drill lent to?", "I lent my drill to Omar.", "Omar", False),
        ("Who beat me at chess?", "I beat Sofia at chess.", "Sofia", True),
        ("Who did I beat at chess?", "I beat Sofia at chess.", "Sofia", False),
        ("Who invited me?", "Omar invited me to his wedding.", "Omar", False),
        ("Who did I meet in Porto?", "Lea met me in Porto.", "Lea", False),
        ("Where is the watch?", "I gave Karim a watch.", "Karim", False),
        ("Wer gab mir eine Uhr?", "Ich gab Karim eine Uhr.", "Karim", False),
    ],
)
def test_the_roles_of_a_sentence(
    question: str, sentence: str, answer: str, *, expected: bool
) -> None:
    assert is_other_transfer(question, sentence, answer) is expected
