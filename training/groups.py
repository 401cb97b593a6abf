"""Questions with texts, as the reader learns from them."""

from dataclasses import dataclass, field

NO_SPAN, NO_ANSWER = -2, -1
# The relevance of the first text: yes, no, or not labelled.
RELEVANT, NOT_RELEVANT, UNKNOWN = 1, 0, -1


@dataclass(slots=True)
class Group:
    """A question with texts that answer it (`own`) and texts that do not (`others`). `start` and
    `end` are the character offsets of the answer in the first text."""

    source: str
    question: str
    own: list[int]
    others: list[int]
    start: int
    end: int
    relevance: int
    dev: bool


@dataclass(slots=True)
class Texts:
    """The distinct texts; for a turn of a talk or a line of a note, also what stands before it."""

    all: list[str] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    place: dict[str, int] = field(default_factory=dict)

    def add(self, text: str, before: int = -1) -> int:
        key = f"{before}\n{text}"
        if key not in self.place:
            self.place[key] = len(self.all)
            self.all.append(text)
            self.before.append(before)
        return self.place[key]


def likeness(text: str, others: list[str]) -> list[int]:
    """The numbers of the other texts, the one that shares the rarest letters in a row first; works
    in every script."""
    parts = [_parts(other) for other in others]
    counts: dict[str, int] = {}
    for part in parts:
        for piece in part:
            counts[piece] = counts.get(piece, 0) + 1
    asked = _parts(text)
    shared = [sum(1 / counts[piece] for piece in asked & part) / len(part) ** 0.3 for part in parts]
    return sorted(range(len(others)), key=lambda number: -shared[number])


def _parts(text: str) -> set[str]:
    folded = " ".join(text.casefold().split())
    size = 3 if folded.isascii() else 2
    return {folded[at : at + size] for at in range(max(1, len(folded) - size + 1))}
