"""Find the passage of a long text that has most of a query's words; pure."""

from remem.core.language.word_keys import query_words
from remem.core.search.policy import POLICY


def passage(text: str, query: str) -> str:
    """The first of the passages with the most words; all of a short text."""
    length, step = POLICY.reader_chars, POLICY.reader_step
    if len(text) <= length:
        return text
    words = query_words(query)
    words_by_step = [words.found_in(text[at : at + step]) for at in range(0, len(text), step)]
    steps = length // step
    counts = [
        len(frozenset().union(*words_by_step[at : at + steps]))
        for at in range(max(1, len(words_by_step) - steps + 1))
    ]
    start = counts.index(max(counts)) * step
    return text[start : start + length]
