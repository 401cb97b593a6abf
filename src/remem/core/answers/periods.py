"""Find periods that a text gives by both ends: "from 3 May until 9 August 2027"; pure."""

import re
from datetime import datetime
from typing import NamedTuple

from remem.core.answers.sentences import SentenceSpan
from remem.core.language.times.statements import times_in

_FLAGS = re.IGNORECASE | re.ASCII
_TWO_ENDS = re.compile(
    r"\b(?:from|between) (?P<first>[\w.,:]{1,20}(?: [\w.,:]{1,20}){0,3}?)"
    r" (?:to|until|till|and|through) (?=(?P<second>[\w.,:]{1,20}(?: [\w.,:]{1,20}){0,3}))",
    _FLAGS,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_MONTH_AND_YEAR = re.compile(r"(?<=\d )[A-Z][a-z]{2,8}(?: \d{4})?$")
_BARE_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?$")
_STARTS = re.compile(r"\b(?:starts?|begins?|opens?|since|start|beginning)\b", _FLAGS)
_ENDS = re.compile(r"\b(?:ends?|closes?|finish(?:es)?|stops?|over|until|last day|end)\b", _FLAGS)


class Period(NamedTuple):
    span: SentenceSpan
    first: str
    last: str


def period_at(text: str, sentence: SentenceSpan, said_at: datetime | None) -> Period | None:
    """The period in a sentence whose second end is a day, a month or a year."""
    if said_at is None:
        return None
    for match in _TWO_ENDS.finditer(text, sentence.start, sentence.end):
        start, end = match.start(), match.end("second")
        times = times_in(text[match.end() : end], said_at)
        if times and times[0].start == 0 and re.search(r"\d|[A-Z]", match["first"]):
            last = text[match.end() : match.end() + times[0].end]
            span = SentenceSpan(start, match.end() + times[0].end)
            return Period(span, _complete_first(match["first"], last), last)
    return None


def asked_end(question: str, period: Period) -> str:
    """The end that the question asks for, or both."""
    if _STARTS.search(question):
        return period.first
    if _ENDS.search(question):
        return period.last
    return f"from {period.first} to {period.last}"


def _complete_first(first: str, last: str) -> str:
    """The "4" of "4 and 11 April 2027" becomes 4 April 2027."""
    if _BARE_DAY.fullmatch(first) and (month := _MONTH_AND_YEAR.search(last)):
        return f"{first} {month[0]}"
    year = _YEAR.search(last)
    return first if _YEAR.search(first) or not year else f"{first} {year[0]}"
