"""Marks among the seams of a text: where they are cut in, and what they say of a place."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge

from remem.core.chunking.headings import Heading
from remem.core.chunking.model import Joint, Mark
from remem.core.chunking.pack import Place


def places_of(text: str, marks: Iterable[Mark], joint: Joint) -> list[int]:
    """Where the joints of one sort are, in order, inside the text."""
    starts = {mark.start for mark in marks if mark.joint is joint}
    return sorted(start for start in starts if 0 <= start < len(text))


def with_joints(seams: Iterable[Place], joints: Iterable[Place]) -> Iterator[Place]:
    """Both in reading order; at a joint, what the text itself shows there does not count."""
    taken = -1
    keyed = merge(((at, 0, seam) for at, seam in joints), ((at, 1, seam) for at, seam in seams))
    for at, text_itself, seam in keyed:
        if not (text_itself and at == taken):
            taken = at
            yield at, seam


def below_headings(text: str, headings: Iterable[Heading]) -> set[int]:
    """Where the first line under each heading begins: no joint may part the two."""
    found = set()
    for heading in headings:
        end = text.find("\n", heading.start)
        found.add(skip_blank(text, end if end >= 0 else len(text)))
    return found


def skip_blank(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


class Numbers:
    """What the marks of one sort count at a place: the page, or the seconds."""

    def __init__(self, marks: Sequence[Mark], joint: Joint) -> None:
        known = {m.start: m.number for m in marks if m.joint is joint and m.number is not None}
        self._starts = sorted(known)
        self._numbers = [known[start] for start in self._starts]

    def at(self, start: int, end: int) -> float | None:
        """The number in force at `start`, or else the first that comes before `end`."""
        index = bisect_right(self._starts, start)
        if index:
            return self._numbers[index - 1]
        first = bisect_left(self._starts, end)
        return self._numbers[0] if first else None
