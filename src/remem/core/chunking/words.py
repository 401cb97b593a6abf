"""Find word boundaries, for text without a better place to cut."""

import re

from semantic_text_splitter import TextSplitter

_CLAUSE = re.compile(r"[.!?,;:…]\s+|[，、；：。！？]")
_SPACE = re.compile(r"\s+")
_SEARCH_CHARS = 32
# It segments words of scripts without spaces and never splits grapheme clusters.
_splitter = TextSplitter(_SEARCH_CHARS, trim=False)


def word_before(text: str, start: int, limit: int) -> int:
    """The last good position to cut in (start, limit]: after a clause, a word or a character."""
    middle = (start + limit) // 2
    for pattern in (_CLAUSE, _SPACE):
        ends = [match.end() for match in pattern.finditer(text, middle, limit)]
        if ends and ends[-1] > start:
            return ends[-1]
    tail = max(start, limit - _SEARCH_CHARS)
    return _word_end(text, tail, limit)


def word_after(text: str, start: int, limit: int) -> int:
    """The first position in (start, limit] at which a word begins."""
    space = _SPACE.search(text, start, min(limit, start + 2 * _SEARCH_CHARS))
    return space.end() if space else _word_end(text, start, limit)


def _word_end(text: str, start: int, limit: int) -> int:
    parts = _splitter.chunks(text[start : limit + _SEARCH_CHARS])
    end = start + len(parts[0]) if parts else limit
    return end if start < end <= limit else limit
