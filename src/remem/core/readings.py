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
    extends it, is about something else, or ends it without a successor; their sum is 1."""

    same: float
    updates: float
    extends: float
    unrelated: float
    cancels: float = 0.0


TAG_KINDS = ("person", "organisation", "place", "thing", "time", "amount")
CATEGORIES = ("fact", "preference", "decision", "task", "event", "relation", "procedure")


class Tag(NamedTuple):
    """A phrase of a note, characters `start` to `end`, that names something of a kind."""

    start: int
    end: int
    kind: str
    confidence: float


class WorthReading(NamedTuple):
    """How likely a line is worth keeping by itself, and as what."""

    probability: float
    category: str


class NoteReading(NamedTuple):
    """`worth` has a value for each line that was asked for, None for those not read."""

    tags: list[Tag]
    worth: list[WorthReading | None]
