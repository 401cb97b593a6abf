"""Shorten a chunk for display to the sentences with most of a query's words; pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from remem.core.language.prose.markup import plain_text
from remem.core.language.sentences import sentence_starts
from remem.core.language.word_keys import QueryWords, query_words

EXCERPT_CHARS = 300
# The signs of these types are not Markdown.
_VERBATIM = frozenset({"code", "csv", "json"})
# A sentence that is longer than the limit is cut into parts of about this length.
_PART_CHARS = 100
_PART = re.compile(rf"\S.{{0,{_PART_CHARS}}}(?!\S)|\S+", re.DOTALL)
# A line break ends a sentence, except in the middle of wrapped prose.
_LINE_END = re.compile(r"(?<!\n)\n\s*")
_WRAPPED = re.compile(r"[^\n]{50}(?<![.!?:])\Z")


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    words: frozenset[str]


def readable(text: str, content_type: str) -> str:
    """The text of a chunk or memory without Markdown, line by line; code is as it is."""
    return text if content_type in _VERBATIM else plain_text(text)


def excerpt(text: str, query: str, limit: int = EXCERPT_CHARS) -> str:
    """Whole sentences of at most `limit` characters; a short text is returned in full."""
    if len(text.strip()) <= limit:
        return text.strip()
    return _best_excerpt(text, query_words(query), limit)[0]


def statement(text: str, memories: Sequence[str], query: str, limit: int = EXCERPT_CHARS) -> str:
    """The excerpt of a long text, or the memory that was taken from it if that says as much of what
    is asked; `memories` are sorted nearest first."""
    if len(text.strip()) <= limit or not memories:
        return excerpt(text, query, limit)
    words = query_words(query)
    best, weights = _best_excerpt(text, words, limit)
    weight_of = {option: _weight(words.found_in(option), weights) for option in (best, *memories)}
    nearest = max(memories, key=lambda memory: weight_of[memory])
    return nearest if weight_of[nearest] >= weight_of[best] and len(nearest) <= limit else best


def _best_excerpt(text: str, query: QueryWords, limit: int) -> tuple[str, Mapping[str, float]]:
    pieces = [
        _Piece(start, end, query.found_in(text[start:end]))
        for start, end in sentence_spans(text, limit)
    ]
    counts = Counter(word for piece in pieces for word in piece.words)
    # The rarer a word is in the text, the more a sentence that has it says about it.
    weights = {word: 1 / counts[word] if counts[word] else 1.0 for word in query.words}
    first, last = _window(pieces, weights, limit)
    while last + 1 < len(pieces) and pieces[last + 1].end - pieces[first].start <= limit:
        last += 1
    return text[pieces[first].start : pieces[last].end][:limit], weights


def _window(pieces: Sequence[_Piece], weights: Mapping[str, float], limit: int) -> tuple[int, int]:
    """The first and last piece of the shortest run with the most weight."""
    best_key, window = (-1.0, 0), (0, 0)
    for first, piece in enumerate(pieces):
        words: set[str] = set()
        for last in range(first, len(pieces)):
            length = pieces[last].end - piece.start
            if length > limit and last > first:
                break
            words |= pieces[last].words
            key = (round(_weight(words, weights), 9), -length if words else 0)
            if key > best_key:
                best_key, window = key, (first, last)
    return window


def _weight(words: Collection[str], weights: Mapping[str, float]) -> float:
    return sum(weight for word, weight in weights.items() if word in words)


def sentence_spans(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """The offsets of sentences, without the white space between them."""
    starts = {0, *sentence_starts(text, 0, len(text))}
    lines = (match for match in _LINE_END.finditer(text) if not _is_wrapped(text, match))
    starts |= {match.end() for match in lines}
    cuts = [*sorted(starts), len(text)]
    for start, end in pairwise(cuts):
        end = start + len(text[start:end].rstrip())
        if end - start > limit:
            yield from (part.span() for part in _PART.finditer(text, start, end))
        elif end > start:
            yield start, end


def _is_wrapped(text: str, line_end: re.Match[str]) -> bool:
    continues = text[line_end.end() : line_end.end() + 1].isalnum()
    long_line = _WRAPPED.match(text, max(0, line_end.start() - 50), line_end.start())
    return line_end[0].count("\n") == 1 and continues and long_line is not None
