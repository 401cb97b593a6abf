"""Answer how old somebody is by a number after the name ("Jonas (7)") or a birth date; pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from remem.core.answers.model import Answer, Citation, Source
from remem.core.answers.sentences import SENTENCE_CHARS
from remem.core.language.times.statements import times_in
from remem.core.search.excerpt import sentence_spans

CONFIDENCE = 0.9
_ASKS = re.compile(r"^\W{0,5}how old (?:is|are) (?P<name>.{2,80})", re.IGNORECASE)
_BESIDE_NAME = re.compile(
    r"\b(?P<name>\w{2,40})(?: \((?:aged? )?(?P<inside>\d{1,3})(?: years?(?: old)?)?\)"
    r"|, (?:aged? )?(?P<between>\d{1,3})(?=[,.](?:\s|$)))"
)


_BORN = re.compile(r"\b(?:born|birthday)\b", re.IGNORECASE)


def by_age(answer: Answer, sources: Sequence[Source], asked_at: datetime) -> Answer:
    """The answer, or, if it is unknown, the number next to the name or the years since the
    birth."""
    question = _ASKS.match(answer.question)
    if question is None or answer.text is not None:
        return answer
    name = question["name"].rstrip("?!. ").removesuffix(" now").split(" ")[-1].casefold()
    for source in sources:
        for match in _BESIDE_NAME.finditer(source.content):
            if match["name"].casefold() == name:
                return _with_age(
                    answer, source, *match.span("inside" if match["inside"] else "between")
                )
    return _by_birth(answer, name, sources, asked_at) or answer


def _by_birth(
    answer: Answer, name: str, sources: Sequence[Source], asked_at: datetime
) -> Answer | None:
    for source in sources:
        for start, end in sentence_spans(source.content, SENTENCE_CHARS):
            sentence = source.content[start:end]
            if (
                not _BORN.search(sentence)
                or name not in sentence.casefold()
                or source.said_at is None
            ):
                continue
            for birth in times_in(sentence, source.said_at):
                years = _years(birth.first, asked_at)
                # A birthday without a year would resolve to the next or the last one.
                if years > 0 and str(birth.first.year) in sentence:
                    citation = Citation(source, start, end, sentence, str(years), CONFIDENCE)
                    return replace(
                        answer, text=str(years), confidence=CONFIDENCE, citations=(citation,)
                    )
    return None


def _years(born: datetime, asked_at: datetime) -> int:
    is_before_birthday = (asked_at.month, asked_at.day) < (born.month, born.day)
    return asked_at.year - born.year - is_before_birthday


def _with_age(answer: Answer, source: Source, start: int, end: int) -> Answer:
    text = source.content[start:end]
    citation = Citation(source, start, end, text, text, CONFIDENCE)
    return replace(answer, text=text, confidence=CONFIDENCE, citations=(citation,))
