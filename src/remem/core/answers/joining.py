"""Two places of a text that are one answer: "cheerful and stubborn"; pure."""

import re

from remem.core.answers.model import Place, Reading
from remem.core.answers.sentences import SentenceSpan

# The reader finds one nearly as good as the other.
NEARLY = 4.0
_BETWEEN = re.compile(
    r" (?:and|or|&|as well as)(?: (?:also|even|a|an|the|my|our|his|her|their|some))* ",
    re.IGNORECASE | re.ASCII,
)


def with_joined(reading: Reading, place: Place) -> SentenceSpan:
    """The place, and those that it is joined to by "and" or "or"."""
    content = reading.source.content
    start, end = place.start, place.end
    near = [one for one in reading.places if one.strength >= place.strength - NEARLY]
    for one in sorted(near, key=lambda other: abs(other.start - place.start)):
        if one.start >= end and _BETWEEN.fullmatch(content[end : one.start]):
            end = one.end
        elif one.end <= start and _BETWEEN.fullmatch(content[one.end : start]):
            start = one.start
    return SentenceSpan(start, end)
