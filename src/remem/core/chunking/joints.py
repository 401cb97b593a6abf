"""Merge marks into the seams of a text, and look up the numbers of marks by position."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge

from remem.core.chunking.headings import Heading
from remem.core.chunking.model import Joint, Mark
from remem.core.chunking.pack import Place


def places_of(text: str, marks: Iterable[Mark], joint: Joint) -> list[int]:
    """The positions of the joints of one type inside the text, in order."""
    starts = {mark.start for mark in marks if mark.joint is joint}
    return sorted(start for start in starts if 0 <= start < len(text))


def with_joints(seams: Iterable[Place], joints: Iterable[Place]) -> Iterator[Place]:
    """Merge seams and joints in reading order; a joint overrides a seam at the same position."""
    last_joint = -1
    keyed = merge(((at, 0, seam) for at, seam in joints), ((at, 1, seam) for at, seam in seams))
    for at, is_seam, seam in keyed:
        if not (is_seam and at == last_joint):
            last_joint = at
            yield at, seam


def below_headings(text: str, headings: Iterable[Heading]) -> set[int]:
    """The starts of the first lines below headings; no joint may separate the two."""
    starts = set()
    for heading in headings:
        end = text.find("\n", heading.start)
        starts.add(skip_blank(text, end if end >= 0 else len(text)))
    return starts


def skip_blank(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


class MarkNumbers:
    """The numbers of one type of mark by position: pages or seconds."""

    def __init__(self, marks: Sequence[Mark], joint: Joint) -> None:
        known = {
            mark.start: mark.number
            for mark in marks
            if mark.joint is joint and mark.number is not None
        }
        self._starts = sorted(known)
        self._numbers = [known[start] for start in self._starts]

    def at(self, start: int, end: int) -> float | None:
        """The last number up to `start`, or else the first one before `end`."""
        index = bisect_right(self._starts, start)
        if index:
            return self._numbers[index - 1]
        first = bisect_left(self._starts, end)
        return self._numbers[0] if first else None
