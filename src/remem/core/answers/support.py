"""Whether the sentences that a claim quotes say what it claims; pure."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from remem.core.answers.sentences import SentenceSpan
from remem.core.language.times.wording import moment_at, on_day
from remem.core.language.tokens import query_terms, terms

QUOTE_LEAST_CHARS = 3
# So many of a claim's words stand in what it quotes or in the question.
SUPPORTED_WORDS = 0.6
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"\b[A-Z][\w'’-]+")
_NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|without|\w+n['’]t)\b", re.IGNORECASE)
_WORDS = re.compile(r"[\w'’-]+")
_CLAUSE_END = re.compile(r"[.;,]| but | and ")
_QUOTATION_MARKS = frozenset("\"“”‘’'`")


class QuotedSentence(NamedTuple):
    """A sentence with who said it and when, and the days that are stored with it."""

    text: str
    speaker: str | None
    said_at: datetime | None
    stored_days: tuple[datetime, ...] = ()


def find_quote(text: str, quote: str) -> SentenceSpan | None:
    """Where the quote stands in the text, whatever white space, quotation marks and case it has."""
    wanted = "".join(char for char, _ in _folded(quote)).strip(" '")
    if len(wanted) < QUOTE_LEAST_CHARS:
        return None
    folded = list(_folded(text))
    at = "".join(char for char, _ in folded).find(wanted)
    if at < 0:
        return None
    return SentenceSpan(folded[at][1], folded[at + len(wanted) - 1][1] + 1)


def _folded(text: str) -> Iterator[tuple[str, int]]:
    """Every character that counts, with its place: one space for several, one quotation mark for
    all of them."""
    last = ""
    for place, char in enumerate(text):
        plain = " " if char.isspace() else "'" if char in _QUOTATION_MARKS else char.lower()[0]
        if plain != " " or last != " ":
            yield plain, place
        last = plain


def is_supported(claim: str, question: str, quoted: Sequence[QuotedSentence]) -> bool:
    """Whether the numbers and names of the claim stand in the sentences, or in what their dates
    mean; so do most of its words; and it denies what they deny."""
    said = " ".join(map(_all_that_is_said, quoted))
    # The words of a claim may be the question's, but not its numbers: the question may be wrong.
    if not set(_NUMBER.findall(claim)) <= set(_NUMBER.findall(said)):
        return False
    given = f"{said} {question}"
    if not _names(claim) <= {word.casefold() for word in _WORDS.findall(given)}:
        return False
    if bool(_NEGATION.search(claim)) and not _NEGATION.search(given):
        return False
    if _NEGATION.search(" ".join(one.text for one in quoted)) and not _NEGATION.search(claim):
        return _restates(claim, said)
    words, known = set(query_terms(claim)), set(terms(given))
    return len(words & known) >= SUPPORTED_WORDS * len(words)


def _restates(claim: str, said: str) -> bool:
    """A sentence that denies something may still say another thing: then nearly all of the claim's
    words stand in the part that denies nothing."""
    affirmed = [part for part in _CLAUSE_END.split(said) if not _NEGATION.search(part)]
    words, known = set(query_terms(claim)), set(terms(" ".join(affirmed)))
    return bool(words) and len(words & known) >= 0.8 * len(words)


def _all_that_is_said(quoted: QuotedSentence) -> str:
    meant = _meant(quoted.text, quoted.said_at)
    days = [_day_in_words(on_day(day), day) for day in quoted.stored_days]
    return " ".join(filter(None, (quoted.text, quoted.speaker, meant, *days)))


def _meant(sentence: str, said_at: datetime | None) -> str:
    """The day that a time in the sentence means."""
    moment = moment_at(sentence, 0, len(sentence), said_at)
    return _day_in_words(moment.text, moment.first) if moment else ""


def _day_in_words(written: str, day: datetime) -> str:
    return f"{written} {day:%Y-%m-%d} {day.month} {day:%B %A}"


def _names(claim: str) -> set[str]:
    """The first word is written large whatever it is."""
    return {
        found[0].casefold().removesuffix("'s").removesuffix("’s")
        for found in _NAME.finditer(claim)
        if found.start() > 0
    }
