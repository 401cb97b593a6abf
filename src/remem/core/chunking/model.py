"""The types of chunking: the joints of a text, and the pieces it is split into."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

TARGET_TOKENS = 512
OVERLAP_TOKENS = 50

Span: TypeAlias = tuple[int, int]


class Joint(StrEnum):
    """Where a text may be split, in addition to what its characters show."""

    HEADING = "heading"
    PAGE = "page"
    TIME = "time"
    TURN = "turn"
    ROW = "row"
    SYMBOL = "symbol"


@dataclass(frozen=True, slots=True)
class Mark:
    """A joint: from `start` on (in characters) the text belongs to what the mark names.

    HEADING: `label` is its text, `number` its level. PAGE: `number` counts from 1. TIME:
    `number` is seconds from the beginning. TURN: `label` is the speaker, `number` when it was
    said (seconds since 1970), if known. ROW: a record begins.
    SYMBOL: `label` is the qualified name of a function or class, `number` its depth.
    """

    joint: Joint
    start: int
    label: str = ""
    number: float | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk of a text: `text[start:end] == content` exactly.

    `speaker` said it at `said_at_s` (seconds since 1970), or at the time that `said` gives in
    words."""

    content: str
    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    at_s: float | None = None
    speaker: str = ""
    said_at_s: float | None = None
    said: str = ""
