"""Check whether the sentences that a claim quotes support it; pure."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from remem.core.answers.sentences import SentenceSpan
from remem.core.language.times.wording import moment_at, on_day
from remem.core.language.tokens import query_terms, terms

MIN_QUOTE_CHARS = 3
# The share of a claim's words that must be in its quotes or in the question.
MIN_SUPPORTED_SHARE = 0.6
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"\b[A-Z][\w'’-]+")
_NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|without|\w+n['’]t)\b", re.IGNORECASE)
_WORDS = re.compile(r"[\w'’-]+")
_CLAUSE_END = re.compile(r"[.;,]| but | and ")
_QUOTATION_MARKS = frozenset("\"“”‘’'`")


class QuotedSentence(NamedTuple):
    """A sentence with its speaker and time, and the days that are stored with it."""

    text: str
    speaker: str | None
    said_at: datetime | None
    stored_days: tuple[datetime, ...] = ()


def find_quote(text: str, quote: str) -> SentenceSpan | None:
    """The position of the quote in the text, ignoring white space, quotation marks and case."""
    wanted = "".join(char for char, _ in _normalized(quote)).strip(" '")
    if len(wanted) < MIN_QUOTE_CHARS:
        return None
    characters = list(_normalized(text))
    at = "".join(char for char, _ in characters).find(wanted)
    if at < 0:
        return None
    return SentenceSpan(characters[at][1], characters[at + len(wanted) - 1][1] + 1)


def _normalized(text: str) -> Iterator[tuple[str, int]]:
    """The significant characters with their offsets: white space collapsed, all quotation marks
    alike."""
    previous = ""
    for place, char in enumerate(text):
        plain = " " if char.isspace() else "'" if char in _QUOTATION_MARKS else char.lower()[0]
        if plain != " " or previous != " ":
            yield plain, place
        previous = plain


def is_supported(claim: str, question: str, quoted: Sequence[QuotedSentence]) -> bool:
    """Whether the numbers and names of the claim, and most of its words, are in the sentences or in
    the dates they refer to, and whether it is negated as they are."""
    quoted_text = " ".join(map(_full_text, quoted))
    # The words of a claim may be those of the question, but not its numbers: the question may be
    # wrong.
    if not set(_NUMBER.findall(claim)) <= set(_NUMBER.findall(quoted_text)):
        return False
    quoted_and_asked = f"{quoted_text} {question}"
    if not _names(claim) <= {word.casefold() for word in _WORDS.findall(quoted_and_asked)}:
        return False
    if bool(_NEGATION.search(claim)) and not _NEGATION.search(quoted_and_asked):
        return False
    if _NEGATION.search(" ".join(sentence.text for sentence in quoted)) and not _NEGATION.search(
        claim
    ):
        return _restates(claim, quoted_text)
    words, known = set(query_terms(claim)), set(terms(quoted_and_asked))
    return len(words & known) >= MIN_SUPPORTED_SHARE * len(words)


def _restates(claim: str, quoted_text: str) -> bool:
    """A sentence with a negation may also state something else. Then nearly all words of the claim
    must be in the parts without a negation."""
    affirmed = [part for part in _CLAUSE_END.split(quoted_text) if not _NEGATION.search(part)]
    words, known = set(query_terms(claim)), set(terms(" ".join(affirmed)))
    return bool(words) and len(words & known) >= 0.8 * len(words)


def _full_text(quoted: QuotedSentence) -> str:
    resolved = _resolved_time(quoted.text, quoted.said_at)
    days = [_day_in_words(on_day(day), day) for day in quoted.stored_days]
    return " ".join(filter(None, (quoted.text, quoted.speaker, resolved, *days)))


def _resolved_time(sentence: str, said_at: datetime | None) -> str:
    """The day that a time in the sentence refers to."""
    moment = moment_at(sentence, 0, len(sentence), said_at)
    return _day_in_words(moment.text, moment.first) if moment else ""


def _day_in_words(written: str, day: datetime) -> str:
    return f"{written} {day:%Y-%m-%d} {day.month} {day:%B %A}"


def _names(claim: str) -> set[str]:
    """Capitalized words; the first word of a sentence is always capitalized."""
    return {
        match[0].casefold().removesuffix("'s").removesuffix("’s")
        for match in _NAME.finditer(claim)
        if match.start() > 0
    }
