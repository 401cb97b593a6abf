"""Split a text into pieces of fixed length, when finding its structure takes too long."""

from collections.abc import Iterator

from remem.core.chunking.front_matter import body_start
from remem.core.chunking.model import Piece

WINDOW_CHARS = 1_200


def windows(text: str) -> Iterator[Piece]:
    """Yield pieces that cover everything except white space at their edges, cut at white space if
    any."""
    start = body_start(text)
    while start < len(text):
        end = min(len(text), start + WINDOW_CHARS)
        if end < len(text):
            space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
            end = space if space > start else end
        content = text[start:end]
        begin = start + len(content) - len(content.lstrip())
        if content.strip():
            yield Piece(content.strip(), begin, begin + len(content.strip()))
        start = end if end > start else end + 1
