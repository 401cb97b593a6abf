"""The questions and answers of a conversation, with follow-ups resolved; pure."""

from collections.abc import Sequence

from remem.core.answers.follow_up import Exchange, resolve
from remem.core.sessions.model import Turn


def exchanges_of(turns: Sequence[Turn]) -> list[Exchange]:
    """Follow-ups are resolved again in order, so that nothing remains of an answer that was
    erased."""
    exchanges: list[Exchange] = []
    question: str | None = None
    for turn in turns:
        if turn.role == "user" and turn.content:
            question = resolve_question(turn.content, exchanges)
            exchanges.append(Exchange(question))
        elif turn.role == "assistant" and question is not None:
            exchanges[-1] = Exchange(question, _short_answer(turn))
    return exchanges


def resolve_question(text: str, history: Sequence[Exchange]) -> str:
    return resolve(text, history[-1] if history else None)


def _short_answer(turn: Turn) -> str | None:
    """The value of an answer by `ask`; the text of any other assistant turn."""
    answer = turn.evidence.get("answer")
    if isinstance(answer, dict):
        value = answer.get("value")
        return value if isinstance(value, str) else None
    return turn.content or None
