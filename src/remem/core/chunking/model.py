"""The values of chunking."""

from dataclasses import dataclass

TARGET_TOKENS = 512
OVERLAP_TOKENS = 50


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk of a text: `text[start:end] == content`, to the character."""

    content: str
    start: int
    end: int
