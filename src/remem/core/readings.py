"""What a model that reads two texts together says of them."""

from typing import NamedTuple


class Span(NamedTuple):
    """An answer in the text of that number, from `start` to `end` (characters). `confidence` is how
    likely it answers, by this text alone; `strength` compares spans of several texts, and only its
    differences mean something."""

    text: int
    start: int
    end: int
    confidence: float
    strength: float = 0.0


class Verdict(NamedTuple):
    """How likely a later statement says the same as an earlier one, takes its place, adds to it,
    or is of something else; together 1."""

    same: float
    updates: float
    extends: float
    unrelated: float
