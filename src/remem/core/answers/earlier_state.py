"""Recognize questions about an earlier state, and select what answers them; pure."""

import re
from collections.abc import Sequence

from remem.core.answers.scoring import ScoredPlace
from remem.core.answers.stated import says_as_much, sentence_of
from remem.core.language.words import words

_FLAGS = re.IGNORECASE | re.ASCII
_PAST = re.compile(r"\b(?:was|were|did|had|used to)\b", _FLAGS)
_ASKS_BEFORE = re.compile(r"\b(?:previous(?:ly)?|former(?:ly)?|used to)\b|\bbefore\W*$", _FLAGS)
# Before a person or a time; "before breakfast" asks for no earlier state.
_BEFORE_NAME = re.compile(r"\bbefore (?:[A-Z]|\d{4}\b|that\b|then\b|this\b)")
_BEFORE_WORDS = re.compile(r"\b(?:previous|former)(?:ly)? | before\b[^?]{0,200}", _FLAGS)
_IS_CURRENT = re.compile(r"\b(?:is|are|am|has|now|since|currently|lives|works)\b", _FLAGS)
_IS_PAST = re.compile(
    r"\b(?:was|were|had|used to|until|previous(?:ly)?|former(?:ly)?|before|from|instead of"
    r"|no longer|replaced|left|sold)\b",
    _FLAGS,
)


def asks_for_earlier_state(question: str) -> bool:
    """Whether the question asks how something was before it changed."""
    is_named = _BEFORE_NAME.search(question) or _ASKS_BEFORE.search(question)
    return bool(is_named) and (_PAST.search(question) is not None or "previous" in question.lower())


def without_before_words(question: str) -> str:
    """The question as it would have been asked at that time."""
    return _BEFORE_WORDS.sub("", question)


def earlier_state_only(question: str, scored: Sequence[ScoredPlace]) -> list[ScoredPlace]:
    """Without statements about the present and names from the question; replaced statements
    stay."""
    question_words = {word.low for word in words(question)}
    return [
        candidate
        for candidate in scored
        if not {word.low for word in words(candidate.text)} & question_words
        and (not _states_present(candidate) or _was_replaced(question, candidate, scored))
    ]


def _states_present(candidate: ScoredPlace) -> bool:
    source, (start, end) = candidate.reading.source, sentence_of(candidate)
    sentence = source.content[start:end]
    return (
        not source.speaker and bool(_IS_CURRENT.search(sentence)) and not _IS_PAST.search(sentence)
    )


def _was_replaced(question: str, candidate: ScoredPlace, scored: Sequence[ScoredPlace]) -> bool:
    """Whether a later text says as much about the question."""
    said_at = candidate.reading.source.said_at
    return said_at is not None and any(
        other.reading.source.said_at is not None
        and other.reading.source.said_at > said_at
        and says_as_much(question, other, candidate)
        for other in scored
    )
