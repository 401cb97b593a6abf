"""The part of a long text that has most of a query's words; pure."""

from remem.core.language.tokens import query_terms, terms
from remem.core.search.policy import POLICY


def passage(text: str, query: str) -> str:
    """The first of the parts that have as many; the whole of a short text."""
    most, step = POLICY.reader_chars, POLICY.reader_step
    if len(text) <= most:
        return text
    asked = set(query_terms(query))
    found = [asked & terms(text[at : at + step]).keys() for at in range(0, len(text), step)]
    wide = most // step
    counts = [
        len(set().union(*found[at : at + wide])) for at in range(max(1, len(found) - wide + 1))
    ]
    start = counts.index(max(counts)) * step
    return text[start : start + most]
