"""Join two places of a text that together are one answer: "cheerful and stubborn"; pure."""

import re

from remem.core.answers.model import Place, Reading
from remem.core.answers.sentences import SentenceSpan

# The maximum difference in strength between joined places.
MAX_STRENGTH_GAP = 4.0
_BETWEEN = re.compile(
    r" (?:and|or|&|as well as)(?: (?:also|even|a|an|the|my|our|his|her|their|some))* ",
    re.IGNORECASE | re.ASCII,
)


def with_joined(reading: Reading, place: Place) -> SentenceSpan:
    """The span of the place and of those connected to it by "and" or "or"."""
    content = reading.source.content
    start, end = place.start, place.end
    near = [
        other for other in reading.places if other.strength >= place.strength - MAX_STRENGTH_GAP
    ]
    for neighbour in sorted(near, key=lambda other: abs(other.start - place.start)):
        if neighbour.start >= end and _BETWEEN.fullmatch(content[end : neighbour.start]):
            end = neighbour.end
        elif neighbour.end <= start and _BETWEEN.fullmatch(content[neighbour.end : start]):
            start = neighbour.start
    return SentenceSpan(start, end)
