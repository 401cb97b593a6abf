"""What to show of a chunk in little room: the sentences that have most of a query's words; pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from remem.core.language.sentences import sentence_starts
from remem.core.language.tokens import query_terms, terms

EXCERPT_CHARS = 300
# A sentence that is longer than the room is cut into parts of about this length.
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


def excerpt(text: str, query: str, limit: int = EXCERPT_CHARS) -> str:
    """Whole sentences, at most `limit` characters of them; the whole of a short text."""
    if len(text.strip()) <= limit:
        return text.strip()
    return _best(text, query, limit)[0]


def statement(text: str, memories: Sequence[str], query: str, limit: int = EXCERPT_CHARS) -> str:
    """The excerpt of a long text, or what was taken from it where that says as much of what is
    asked; memories stand nearest first."""
    if len(text.strip()) <= limit or not memories:
        return excerpt(text, query, limit)
    found, weights = _best(text, query, limit)
    says = {one: _weight(terms(one), weights) for one in (found, *memories)}
    nearest = max(memories, key=lambda one: says[one])
    return nearest if says[nearest] >= says[found] and len(nearest) <= limit else found


def _best(text: str, query: str, limit: int) -> tuple[str, Mapping[str, float]]:
    asked = frozenset(query_terms(query))
    pieces = [
        _Piece(start, end, asked & terms(text[start:end]).keys())
        for start, end in sentence_spans(text, limit)
    ]
    counts = Counter(word for piece in pieces for word in piece.words)
    # The rarer a word is in the text, the more a sentence that has it says about it.
    weights = {word: 1 / counts[word] if counts[word] else 1.0 for word in asked}
    first, last = _window(pieces, weights, limit)
    while last + 1 < len(pieces) and pieces[last + 1].end - pieces[first].start <= limit:
        last += 1
    return text[pieces[first].start : pieces[last].end][:limit], weights


def _window(pieces: Sequence[_Piece], weights: Mapping[str, float], limit: int) -> tuple[int, int]:
    """First and last of the shortest run of pieces that has most."""
    best, found = (-1.0, 0), (0, 0)
    for first, piece in enumerate(pieces):
        words: set[str] = set()
        for last in range(first, len(pieces)):
            length = pieces[last].end - piece.start
            if length > limit and last > first:
                break
            words |= pieces[last].words
            key = (round(_weight(words, weights), 9), -length if words else 0)
            if key > best:
                best, found = key, (first, last)
    return found


def _weight(words: Collection[str], weights: Mapping[str, float]) -> float:
    return sum(weight for word, weight in weights.items() if word in words)


def sentence_spans(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """Where sentences begin and end, without the white space between them."""
    starts = {0, *sentence_starts(text, 0, len(text))}
    lines = (found for found in _LINE_END.finditer(text) if not _is_wrapped(text, found))
    starts |= {found.end() for found in lines}
    cuts = [*sorted(starts), len(text)]
    for start, end in pairwise(cuts):
        end = start + len(text[start:end].rstrip())
        if end - start > limit:
            yield from (part.span() for part in _PART.finditer(text, start, end))
        elif end > start:
            yield start, end


def _is_wrapped(text: str, gap: re.Match[str]) -> bool:
    goes_on = text[gap.end() : gap.end() + 1].isalnum()
    long_line = _WRAPPED.match(text, max(0, gap.start() - 50), gap.start())
    return gap[0].count("\n") == 1 and goes_on and long_line is not None
