"""Whether a question asks how something was before it changed, and what answers it; pure."""

import re
from collections.abc import Sequence

from remem.core.answers.scoring import Scored
from remem.core.answers.stated import says_as_much, sentence_of
from remem.core.language.words import words

_FLAGS = re.IGNORECASE | re.ASCII
_PAST = re.compile(r"\b(?:was|were|did|had|used to)\b", _FLAGS)
_BEFORE = re.compile(r"\b(?:previous(?:ly)?|former(?:ly)?|used to)\b|\bbefore\W*$", _FLAGS)
# Before somebody, or a time; "before breakfast" asks for no earlier state.
_BEFORE_NAME = re.compile(r"\bbefore (?:[A-Z]|\d{4}\b|that\b|then\b|this\b)")
_SAYS_BEFORE = re.compile(r"\b(?:previous|former)(?:ly)? | before\b[^?]{0,200}", _FLAGS)
_SO_NOW = re.compile(r"\b(?:is|are|am|has|now|since|currently|lives|works)\b", _FLAGS)
_WAS_SO = re.compile(
    r"\b(?:was|were|had|used to|until|previous(?:ly)?|former(?:ly)?|before|from|instead of"
    r"|no longer|replaced|left|sold)\b",
    _FLAGS,
)


def asks_for_before(question: str) -> bool:
    """Whether it asks how something was before it changed."""
    is_named = _BEFORE_NAME.search(question) or _BEFORE.search(question)
    return bool(is_named) and (_PAST.search(question) is not None or "previous" in question.lower())


def without_before(question: str) -> str:
    """As it would be asked of what was said then."""
    return _SAYS_BEFORE.sub("", question)


def as_before(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Without what is so now, and what the question names itself; what was replaced stays."""
    asked = {word.low for word in words(question)}
    return [
        one
        for one in scored
        if not {word.low for word in words(one.text)} & asked
        and (not _is_so_now(one) or _was_replaced(question, one, scored))
    ]


def _is_so_now(one: Scored) -> bool:
    source, (start, end) = one.reading.source, sentence_of(one)
    said = source.content[start:end]
    return not source.speaker and bool(_SO_NOW.search(said)) and not _WAS_SO.search(said)


def _was_replaced(question: str, one: Scored, scored: Sequence[Scored]) -> bool:
    """Whether a later text says as much of what is asked."""
    said_at = one.reading.source.said_at
    return said_at is not None and any(
        other.reading.source.said_at is not None
        and other.reading.source.said_at > said_at
        and says_as_much(question, other, one)
        for other in scored
    )
