"""Where words end, for the stretch that has no better place to be cut."""

import re

from semantic_text_splitter import TextSplitter

_CLAUSE = re.compile(r"[.!?,;:…]\s+|[，、；：。！？]")
_SPACE = re.compile(r"\s+")
_NEAR = 32
# It knows the words of scripts without spaces, and which characters are seen as one.
_splitter = TextSplitter(_NEAR, trim=False)


def word_before(text: str, start: int, limit: int) -> int:
    """The last good place to cut in (start, limit]: after a clause, a word, or a character."""
    middle = (start + limit) // 2
    for pattern in (_CLAUSE, _SPACE):
        ends = [found.end() for found in pattern.finditer(text, middle, limit)]
        if ends and ends[-1] > start:
            return ends[-1]
    tail = max(start, limit - _NEAR)
    return _word_end(text, tail, limit)


def word_after(text: str, start: int, limit: int) -> int:
    """The first place in (start, limit] at which a word begins."""
    space = _SPACE.search(text, start, min(limit, start + 2 * _NEAR))
    return space.end() if space else _word_end(text, start, limit)


def _word_end(text: str, start: int, limit: int) -> int:
    parts = _splitter.chunks(text[start : limit + _NEAR])
    end = start + len(parts[0]) if parts else limit
    return end if start < end <= limit else limit
