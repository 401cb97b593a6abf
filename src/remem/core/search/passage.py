"""The part of a long text that has most of a query's words; pure."""

from remem.core.language.tokens import query_terms, terms

# About as much as the reader takes in, and how far the parts lie apart.
PASSAGE_CHARS = 800
STEP_CHARS = 200


def passage(text: str, query: str) -> str:
    """The first of the parts that have as many; the whole of a short text."""
    if len(text) <= PASSAGE_CHARS:
        return text
    asked = set(query_terms(query))
    steps = [text[at : at + STEP_CHARS] for at in range(0, len(text), STEP_CHARS)]
    found = [asked & terms(step).keys() for step in steps]
    wide = PASSAGE_CHARS // STEP_CHARS
    counts = [
        len(set().union(*found[at : at + wide])) for at in range(max(1, len(steps) - wide + 1))
    ]
    start = counts.index(max(counts)) * STEP_CHARS
    return text[start : start + PASSAGE_CHARS]
