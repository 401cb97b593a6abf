"""The results of the reader model, which reads two texts together."""

from typing import NamedTuple


class Span(NamedTuple):
    """An answer: characters `start` to `end` of the text with index `text`. `confidence` is the
    probability that it answers, judged by this text alone. `strength` compares spans of several
    texts; only its differences are meaningful."""

    text: int
    start: int
    end: int
    confidence: float
    strength: float = 0.0


class Verdict(NamedTuple):
    """The probabilities that a later statement says the same as an earlier one, replaces it,
    extends it, or is about something else; their sum is 1."""

    same: float
    updates: float
    extends: float
    unrelated: float
