"""How old somebody is: by a number beside their name ("Jonas (7)"), or by their birth; pure."""

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
    """The same answer; or, where it is not known, the number beside the name, or the years since
    the birth."""
    asked = _ASKS.match(answer.question)
    if asked is None or answer.text is not None:
        return answer
    name = asked["name"].rstrip("?!. ").removesuffix(" now").split(" ")[-1].casefold()
    for source in sources:
        for found in _BESIDE_NAME.finditer(source.content):
            if found["name"].casefold() == name:
                return _aged(
                    answer, source, *found.span("inside" if found["inside"] else "between")
                )
    return _by_birth(answer, name, sources, asked_at) or answer


def _by_birth(
    answer: Answer, name: str, sources: Sequence[Source], asked_at: datetime
) -> Answer | None:
    for source in sources:
        for start, end in sentence_spans(source.content, SENTENCE_CHARS):
            said = source.content[start:end]
            if not _BORN.search(said) or name not in said.casefold() or source.said_at is None:
                continue
            for born in times_in(said, source.said_at):
                years = _years(born.first, asked_at)
                # A birthday without a year is read as the next or the last one.
                if years > 0 and str(born.first.year) in said:
                    cited = Citation(source, start, end, said, str(years), CONFIDENCE)
                    return replace(
                        answer, text=str(years), confidence=CONFIDENCE, citations=(cited,)
                    )
    return None


def _years(born: datetime, asked_at: datetime) -> int:
    is_ahead = (asked_at.month, asked_at.day) < (born.month, born.day)
    return asked_at.year - born.year - is_ahead


def _aged(answer: Answer, source: Source, start: int, end: int) -> Answer:
    text = source.content[start:end]
    cited = Citation(source, start, end, text, text, CONFIDENCE)
    return replace(answer, text=text, confidence=CONFIDENCE, citations=(cited,))
