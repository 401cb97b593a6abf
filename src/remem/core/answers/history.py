"""The questions and answers of a conversation so far, each question as it was understood; pure."""

from collections.abc import Sequence

from remem.core.answers.follow_up import Exchange, resolve
from remem.core.sessions.model import Turn


def exchanges_of(turns: Sequence[Turn]) -> list[Exchange]:
    """Follow-ups are resolved again, one after the other: nothing of an answer that was erased
    since is left in them."""
    found: list[Exchange] = []
    question: str | None = None
    for turn in turns:
        if turn.role == "user" and turn.content:
            question = understood(turn.content, found)
            found.append(Exchange(question))
        elif turn.role == "assistant" and question is not None:
            found[-1] = Exchange(question, _short(turn))
    return found


def understood(text: str, before: Sequence[Exchange]) -> str:
    return resolve(text, before[-1] if before else None)


def _short(turn: Turn) -> str | None:
    """The values of an answer; of another's answer, its words."""
    answer = turn.evidence.get("answer")
    if isinstance(answer, dict):
        value = answer.get("value")
        return value if isinstance(value, str) else None
    return turn.content or None
