"""A bare hour answers when something happens; a number of other things does not."""

import pytest

from remem.core.answers.ask import ask
from remem.core.answers.bare_hours import is_bare_hour
from remem.core.answers.reply import UNKNOWN, AskRequest
from remem.core.answers.sentences import SentenceSpan
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("The shop closes at 9.", "9", True),
        ("Bins out by 7 on Mondays", "by 7", True),
        ("We are open until 22, come in", "22", True),
        ("The pump runs at 7 bar.", "7", False),
        ("Lane 3 closes at 9.", "3", False),
        ("The oven is at 180 degrees.", "180", False),
        ("It starts at 7.5 percent.", "7", False),
        ("We meet after 3 weeks.", "3", False),
    ],
)
def test_an_hour_counts_nothing(text: str, place: str, expected: bool) -> None:
    start = text.index(place)
    span = SentenceSpan(0, len(text))
    assert is_bare_hour(text, span, start, start + len(place)) is expected


@pytest.mark.parametrize(
    ("note", "question", "answer"),
    [
        ("The shop closes at 9.", "When does the shop close?", "9"),
        ("Bus 5 leaves at 7.", "When does bus 5 leave?", "7"),
        ("The pump runs at 7 bar.", "When does the pump run?", UNKNOWN),
    ],
)
async def test_when_is_answered_by_a_bare_hour(
    ports: Ports, scope: Scope, note: str, question: str, answer: str
) -> None:
    await save_memory(ports, scope, MemoryDraft(note))
    assert (await ask(ports, scope, AskRequest(question))).text == answer
