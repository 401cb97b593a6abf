"""Find the sentence of a place, and the sentences with most of the words of a question; pure."""

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


class BestSentence(NamedTuple):
    """The best sentence of one of several texts; `share` is the share of the question's words in
    it, 0 to 1."""

    text: int
    span: SentenceSpan
    share: float


def sentence_at(text: str, start: int, end: int) -> SentenceSpan:
    """The span of the sentences that contain the offsets."""
    spans = [SentenceSpan(*span) for span in sentence_spans(text, SENTENCE_CHARS)]
    inside = [span for span in spans if span.start < max(end, start + 1) and start < span.end]
    if not inside:
        return SentenceSpan(start, end)
    return SentenceSpan(min(inside[0].start, start), max(inside[-1].end, end))


def best_sentences(question: str, texts: Sequence[str]) -> list[BestSentence]:
    """From each text the sentence with most of the question's words, best first. The fewer texts
    have a word, the more it counts."""
    question_terms = query_terms(question)
    if not question_terms:
        return []
    words_by_text = [set(terms(text)) for text in texts]
    counts = Counter(word for words in words_by_text for word in words & set(question_terms))
    weights = {word: 1 / math.log2(2 + counts[word]) for word in question_terms}
    total = sum(weights.values())
    best = []
    for number, text in enumerate(texts):
        spans = [SentenceSpan(*span) for span in sentence_spans(text, SENTENCE_CHARS)]
        shares = [
            (
                sum(weights[word] for word in set(terms(text[a:b])) & set(question_terms)) / total,
                SentenceSpan(a, b),
            )
            for a, b in spans
        ]
        if shares:
            share, span = max(shares, key=lambda item: (item[0], -item[1].start))
            best.append(BestSentence(number, span, share))
    return sorted(best, key=lambda sentence: (-round(sentence.share, 6), sentence.text))
