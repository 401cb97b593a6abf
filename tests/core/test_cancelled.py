"""A cancelled plan is not due, in any language, and an answer says that it was cancelled."""

from datetime import UTC, datetime

import pytest

from remem.core.answers.ask import ask
from remem.core.answers.reply import AskRequest
from remem.core.language.claims.cancelled import asks_for_cancelled, says_cancelled
from remem.core.memories.model import MemoryDraft
from remem.core.memories.rules.dates import due_in
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

SAID_AT = datetime(2026, 11, 16, 9, tzinfo=UTC)
MARKS = """
cancelled canceled abgesagt storniert annulé annulée cancelado cancelada anulado annullato
geannuleerd afgelast odwołane zrušeno inställt aflyst avlyst peruttu отменено скасовано iptal
törölve anulat ακυρώθηκε dibatalkan キャンセル 中止 取消 已取消 취소 ยกเลิก
""".split()


@pytest.mark.parametrize("mark", MARKS)
def test_a_plan_that_is_marked_as_cancelled_is_not_due(mark: str) -> None:
    assert due_in("Dentist on 5 March 2027 at 9", SAID_AT)
    for text in (
        f"Dentist on 5 March 2027 at 9 ({mark})",
        f"Dentist ({mark}) on 5 March 2027 at 9",
        f"Submit the form ({mark.upper()}) by 5 March 2027",
        f"{mark.capitalize()}: dentist on 5 March 2027 at 9",
        f"Dentist on 5 March 2027 at 9 – {mark}",
    ):
        assert due_in(text, SAID_AT) is None, text
        assert says_cancelled(text)


@pytest.mark.parametrize(
    "text",
    [
        "Cancel the gym by 5 March 2027.",
        "Call the bank (urgent) by 5 March 2027.",
        "Kündigung (Absageschreiben) by 5 March 2027 abschicken",
        "予約をキャンセルする by 5 March 2027",
    ],
)
def test_what_is_still_to_be_done_is_due(text: str) -> None:
    assert due_in(text, SAID_AT)


def test_a_question_may_ask_for_what_was_cancelled() -> None:
    assert asks_for_cancelled("Which meeting was cancelled?")
    assert asks_for_cancelled("Welcher Termin wurde abgesagt?")
    assert not asks_for_cancelled("When is the dentist?")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("note", "question"),
    [
        ("Dentist (cancelled) on 5 March 2027 at 9", "When is the dentist?"),
        ("The choir rehearsal on 12 March 2027 (abgesagt) is in the hall.", "When is the choir?"),
        ("The choir rehearsal on 12 March 2027 was cancelled.", "When is the choir rehearsal?"),
    ],
)
async def test_an_answer_says_that_the_plan_was_cancelled(
    ports: Ports, scope: Scope, note: str, question: str
) -> None:
    await save_memory(ports, scope, MemoryDraft(note))
    reply = await ask(ports, scope, AskRequest(question))
    assert reply.text.rstrip(".") in (note.rstrip("."), "I don't know")
