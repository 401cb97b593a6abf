"""Yes/no questions about things that were only tried, refused, claimed, supposed or planned."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from remem.core.answers.ask import ask
from remem.core.answers.model import Source
from remem.core.answers.reply import UNKNOWN, AskRequest
from remem.core.answers.yes_no import decide
from remem.core.answers.yes_no_question import read_question
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

SAID_AT = datetime(2026, 11, 16, 9, tzinfo=UTC)


def verdict(question: str, note: str) -> str | None:
    yes_no_question = read_question(question, SAID_AT)
    assert yes_no_question is not None
    decision = decide(yes_no_question, [Source(note, "memory", UUID(int=1), said_at=SAID_AT)])
    return decision.verdict if decision else None


@pytest.mark.parametrize(
    ("note", "question", "expected"),
    [
        ("Bas refused to pay the fee.", "Did Bas pay the fee?", "no"),
        ("Bas refused to pay the fee.", "Will Bas pay the fee?", "no"),
        ("Bas refused to pay the fee.", "Did Bas refuse to pay the fee?", "yes"),
        ("Bas forgot to feed the hens.", "Did Bas feed the hens?", "no"),
        ("Bas did not forget to feed the hens.", "Did Bas feed the hens?", "yes"),
        ("Bas did not refuse to pay the fee.", "Did Bas pay the fee?", None),
        ("Bas managed to feed the hens.", "Did Bas feed the hens?", "yes"),
        ("Noor decided against buying the barn.", "Did Noor buy the barn?", "no"),
        ("Noor almost bought the barn.", "Did Noor buy the barn?", "no"),
        ("Almost all came, and Noor came late.", "Did Noor come?", "yes"),
        ("Noor is too small to reach the shelf.", "Can Noor reach the shelf?", "no"),
        ("Noor is not too small to reach the shelf.", "Can Noor reach the shelf?", None),
        ("Noor tried to sell the barn.", "Did Noor sell the barn?", None),
        ("Noor tried to sell the barn.", "Did Noor try to sell the barn?", "yes"),
        ("Noor did not try to sell the barn.", "Did Noor sell the barn?", "no"),
        ("Noor tried to find the leak and fix the roof.", "Did Noor fix the roof?", None),
        ("Noor tried to fix the roof and Bas fixed the sink.", "Did Bas fix the sink?", "yes"),
        ("Noor tried to get a visa.", "Did Noor get a visa?", None),
        ("Noor was asked to bring a cake.", "Did Noor bring a cake?", None),
        ("Noor thought about leaving Ghent.", "Did Noor leave Ghent?", None),
        ("Noor thought about leaving Ghent.", "Did Noor think about leaving Ghent?", "yes"),
        ("Noor is glad about leaving Ghent.", "Did Noor leave Ghent?", "yes"),
        ("Noor offered the barn to Bas and sold the mill.", "Did Noor sell the mill?", "yes"),
        ("Noor promised to bring a cake.", "Did Noor bring a cake?", None),
        ("Noor promised to bring a cake.", "Will Noor bring a cake?", "yes"),
        ("Noor claims that she met the king.", "Did Noor meet the king?", None),
        ("Noor thinks that she met the king.", "Did Noor meet the king?", None),
        ("Noor dreams of the king and met the queen.", "Did Noor meet the queen?", "yes"),
        ("I forgot to mention that Noor met the king.", "Did Noor meet the king?", "yes"),
        ("I believe that Noor met the king.", "Did Noor meet the king?", "yes"),
    ],
)
def test_the_outcome_decides(note: str, question: str, expected: str | None) -> None:
    assert verdict(question, note) == expected


@pytest.mark.parametrize(
    ("note", "question", "expected"),
    [
        ("If the grant comes, we will plant a hedge.", "Will we plant a hedge?", None),
        ("We will plant a hedge unless it freezes.", "Will we plant a hedge?", None),
        ("Should it thaw, we will plant a hedge.", "Will we plant a hedge?", None),
        ("Should it freeze, the path is closed.", "Is the path closed?", None),
        ("Maybe Bas will plant a hedge.", "Will Bas plant a hedge?", None),
        ("Bas will plant a hedge, and might dig a pond.", "Will Bas plant a hedge?", "yes"),
        ("Had I known, I would have planted a hedge.", "Have I planted a hedge?", None),
        ("Had the flu, planted a hedge though.", "Did I plant a hedge?", "yes"),
        ("We would plant a hedge if we had time.", "Would we plant a hedge?", None),
        ("We would plant a hedge if asked.", "Would we plant a hedge if asked?", "yes"),
        ("We do not know whether we will plant a hedge.", "Will we plant a hedge?", None),
        ("I will ask Bas if he plants a hedge.", "Will I ask Bas?", "yes"),
        ("Bas will plant a hedge in May.", "Will Bas plant a hedge?", "yes"),
        ("Bas will not plant a hedge.", "Will Bas plant a hedge?", "no"),
    ],
)
def test_a_conditional_statement_does_not_answer(
    note: str, question: str, expected: str | None
) -> None:
    assert verdict(question, note) == expected


@pytest.mark.parametrize(
    ("note", "question", "expected"),
    [
        ("- [ ] renew the visa", "Did I renew the visa?", "no"),
        ("* [ ] renew the visa", "Have I renewed the visa?", "no"),
        ("2. [ ] renew the visa", "Did I renew the visa?", "no"),
        ("☐ renew the visa", "Did I renew the visa?", "no"),
        ("- [x] renew the visa", "Did I renew the visa?", "yes"),
        ("- [ ] renew the visa", "Should I renew the visa?", "yes"),
        ("- [ ] renew the visa", "Do I have to renew the visa?", "yes"),
        ("- [ ] sell the sledge", "Do I still have the sledge?", None),
        ("- [ ] renew the visa\n- [x] sell the sledge", "Did I sell the sledge?", "yes"),
        ("- [ ] renew the visa\n- [x] sell the sledge", "Did I renew the visa?", "no"),
    ],
)
def test_a_task_is_done_when_its_box_is_checked(
    note: str, question: str, expected: str | None
) -> None:
    assert verdict(question, note) == expected


@pytest.mark.anyio
async def test_the_answer_quotes_the_task(ports: Ports, scope: Scope) -> None:
    for note in ("- [ ] renew the visa", "Bas tries to play the horn."):
        await save_memory(ports, scope, MemoryDraft(note))
    task_answer = await ask(ports, scope, AskRequest("Did I renew the visa?"))
    attempt_answer = await ask(ports, scope, AskRequest("Does Bas play the horn?"))
    assert task_answer.value == "No" and "renew the visa" in task_answer.text
    assert attempt_answer.text == UNKNOWN
