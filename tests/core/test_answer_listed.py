"""A sentence that lists several numbered things answers only with what it says of the asked one."""

import pytest

from remem.core.answers.ask import ask
from remem.core.answers.listed_things import listed_part
from remem.core.answers.reply import AskRequest
from remem.core.answers.sentences import SentenceSpan
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

pytestmark = pytest.mark.anyio

GATES = "The codes are: gate 1 4711, gate 2 6620 and gate 3 9034."
TORE = "Die Codes sind: Tor 1 4711, Tor 2 6620 und Tor 3 9034."


@pytest.mark.parametrize(
    ("question", "sentence", "part"),
    [
        ("What is the code of gate 1?", GATES, "gate 1 4711"),
        ("What is the code of gate 3?", GATES, "gate 3 9034"),
        ("Was ist der Code von Tor 2?", TORE, "Tor 2 6620"),
        ("2号门的密码是什么？", "密码：1号门4711，2号门6620，3号门9034。", "2号门6620"),
        ("code of gate 2", "4711 is for gate 1, 6620 for gate 2.", "6620 for gate 2"),
        ("code of locker 13?", "Locker 12 is 3391; locker 13 is 8840.", "locker 13 is 8840"),
        ("How warm is room B?", "Room A: 21 degrees, room B: 19.", "room B: 19"),
        ("code of the second gate?", "First gate 4711, second gate 6620.", "second gate 6620"),
        ("Who plays on court 2?", "Eva on court 1, Dan on court 2 and Flo on court 3.",
         "Dan on court 2"),
    ],
)  # fmt: skip
def test_the_part_about_the_asked_thing(question: str, sentence: str, part: str) -> None:
    listed = listed_part(question, sentence, SentenceSpan(0, len(sentence)))
    assert listed is not None
    assert sentence[slice(*listed.part)] == part


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What is the code of gate 4?", GATES),
        ("What are the codes?", GATES),
        ("When does gate 1 open?", "Gate 1 and gate 2 open at 9."),
        ("When do we leave gate 1?", "We move from gate 1 to gate 2 at 5."),
        ("What is next to gate 1?", "Gate 1 is next to gate 2."),
        ("What is the code of gate 1?", "Gate 1 has 4711, and the key is with Ann."),
    ],
)
def test_other_sentences_are_no_lists(question: str, sentence: str) -> None:
    assert listed_part(question, sentence, SentenceSpan(0, len(sentence))) is None


@pytest.mark.parametrize(
    ("note", "question", "answer"),
    [
        ("Set the timer to __ninety__ seconds.", "How long is the timer?", "ninety seconds"),
        ("Boil the eggs for *ten* seconds.", "How long do I boil the eggs?", "ten seconds"),
    ],
)
async def test_emphasis_hides_no_answer(
    ports: Ports, scope: Scope, note: str, question: str, answer: str
) -> None:
    await save_memory(ports, scope, MemoryDraft(note))
    assert (await ask(ports, scope, AskRequest(question))).text == answer


@pytest.mark.parametrize(
    ("note", "question", "answer"),
    [
        (GATES, "What is the code of gate 1?", "The code of gate 1 is 4711"),
        (GATES, "What is the code of gate 2?", "The code of gate 2 is 6620"),
        (GATES, "which code has gate 3?", "9034"),
        (TORE, "Was ist der Code von Tor 2?", "6620"),
    ],
)
async def test_only_the_asked_thing_is_answered(
    ports: Ports, scope: Scope, note: str, question: str, answer: str
) -> None:
    await save_memory(ports, scope, MemoryDraft(note))
    reply = await ask(ports, scope, AskRequest(question))
    assert reply.text == answer
    assert [quote.sentence for quote in reply.quotes] == [note]
