"""The sentences of a text: which one a place is in, and which ones say most of a question; pure."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from remem.core.language.tokens import query_terms, terms
from remem.core.search.excerpt import sentence_spans

SENTENCE_CHARS = 500


class SentenceSpan(NamedTuple):
    start: int
    end: int


class Best(NamedTuple):
    """A sentence of one of several texts; `share` is how much of the question it says, 0 to 1."""

    text: int
    span: SentenceSpan
    share: float


def sentence_at(text: str, start: int, end: int) -> SentenceSpan:
    """From where the sentence begins that a place begins in to where the one ends that it ends
    in."""
    spans = [SentenceSpan(*span) for span in sentence_spans(text, SENTENCE_CHARS)]
    inside = [span for span in spans if span.start < max(end, start + 1) and start < span.end]
    if not inside:
        return SentenceSpan(start, end)
    return SentenceSpan(min(inside[0].start, start), max(inside[-1].end, end))


def best_sentences(question: str, texts: Sequence[str]) -> list[Best]:
    """One of every text, in which most of the question's words stand; best first. A word counts
    for more the fewer of the texts have it."""
    asked = query_terms(question)
    if not asked:
        return []
    found = [set(terms(text)) for text in texts]
    counts = Counter(word for words in found for word in words & set(asked))
    weights = {word: 1 / math.log2(2 + counts[word]) for word in asked}
    total = sum(weights.values())
    best = []
    for number, text in enumerate(texts):
        spans = [SentenceSpan(*span) for span in sentence_spans(text, SENTENCE_CHARS)]
        shares = [
            (
                sum(weights[word] for word in set(terms(text[a:b])) & set(asked)) / total,
                SentenceSpan(a, b),
            )
            for a, b in spans
        ]
        if shares:
            share, span = max(shares, key=lambda one: (one[0], -one[1].start))
            best.append(Best(number, span, share))
    return sorted(best, key=lambda one: (-round(one.share, 6), one.text))
