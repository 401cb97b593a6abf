"""Whether two texts are the same but for slips: no number differs, and almost all of it is shared.

Pure. A form that is filled in twice is two documents: its numbers differ."""

import re

_NUMBER = re.compile(r"\d[\d.,:]*")
_PIECE_CHARS = 8
MIN_SHARED = 0.8


def is_same_text(first: str, second: str) -> bool:
    if _NUMBER.findall(first) != _NUMBER.findall(second):
        return False
    a, b = _pieces(first), _pieces(second)
    return len(a & b) >= MIN_SHARED * len(a | b)


def _pieces(text: str) -> set[str]:
    """Every run of a few characters; words would not do in scripts without spaces."""
    text = " ".join(text.casefold().split())
    return {text[at : at + _PIECE_CHARS] for at in range(max(1, len(text) - _PIECE_CHARS + 1))}
