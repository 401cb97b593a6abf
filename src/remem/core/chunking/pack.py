"""Fill chunks up to the target, cutting at the best seam each time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from remem.core.chunking.gauge import Gauge
from remem.core.chunking.model import OVERLAP_TOKENS, TARGET_TOKENS, Span
from remem.core.chunking.words import word_after, word_before

# What is smaller than this is joined with its neighbour.
CRUMB_TOKENS = 64
# A chunk exceeds its target only to keep a sentence whole with the crumb above it.
LIMIT_TOKENS = TARGET_TOKENS + CRUMB_TOKENS


class Seam(IntEnum):
    """What a cut at a place would part; the stronger, the better to cut there."""

    WORD = 0
    LINE = 1
    BLANK = 2
    SENTENCE = 3
    ITEM = 4
    PARAGRAPH = 5
    HEADING_6 = 6
    HEADING_5 = 7
    HEADING_4 = 8
    HEADING_3 = 9
    HEADING_2 = 10
    HEADING_1 = 11
    RECORD = 12
    PAGE = 13


Place: TypeAlias = tuple[int, Seam]

# How much of a full chunk it is worth to cut at a good seam.
_WORTH = dict.fromkeys(Seam, 0.0) | {
    Seam.BLANK: 0.2,
    Seam.ITEM: 0.1,
    Seam.PARAGRAPH: 0.25,
    Seam.HEADING_6: 0.55,
    Seam.HEADING_5: 0.55,
    Seam.HEADING_4: 0.6,
    Seam.HEADING_3: 0.65,
    Seam.HEADING_2: 0.7,
    Seam.HEADING_1: 0.75,
    Seam.PAGE: 0.5,
}


@dataclass(frozen=True, slots=True)
class Style:
    """How a kind of text is cut.

    `floors`: the weakest seams to cut at, first choice first. `wall`: over a seam of this
    strength no overlap reaches back. `stop`: at this strength a half-filled chunk ends.
    `ends_at`: at this strength every chunk ends, however small.
    """

    floors: tuple[Seam, ...] = (Seam.SENTENCE, Seam.LINE)
    overlap_tokens: int = OVERLAP_TOKENS
    wall: Seam = Seam.HEADING_6
    stop: Seam | None = None
    ends_at: Seam | None = None


def pack(gauge: Gauge, seams: Iterable[Place], style: Style, start: int, end: int) -> list[Span]:
    """Cut `text[start:end]` into spans at its seams, which come in reading order."""
    if style.ends_at is None:
        return list(_Packer(gauge, iter(seams), style, end).spans(start))
    spans: list[Span] = []
    inside: list[Place] = []
    for at, seam in (*seams, (end, style.ends_at)):
        if seam < style.ends_at:
            inside.append((at, seam))
        elif start < at <= end:
            spans += _Packer(gauge, iter(inside), style, at).spans(start)
            start, inside = at, []
    return spans


class _Packer:
    def __init__(self, gauge: Gauge, seams: Iterator[Place], style: Style, end: int) -> None:
        self.gauge, self.seams, self.style, self.end = gauge, seams, style, end
        self.next = next(seams, None)
        self.ahead: list[Place] = []

    def spans(self, start: int) -> Iterator[Span]:
        first = own = start
        while own < self.end:
            self._look(own)
            cut, floor = self._cut(first, own)
            if self.gauge.tokens(first, cut) > TARGET_TOKENS:
                first = own
            if not self.gauge.text[own:cut].isspace():
                yield first, cut
            first, own = self._overlap(own, cut, floor), cut

    def _look(self, own: int) -> None:
        """Bring the seams that a chunk from here could end at into view."""
        self.ahead = [place for place in self.ahead if place[0] > own]
        horizon = self.gauge.reach(own, LIMIT_TOKENS)
        while self.next is not None and self.next[0] <= horizon:
            if own < self.next[0] < self.end:
                self.ahead.append(self.next)
            self.next = next(self.seams, None)

    def _cut(self, first: int, own: int) -> tuple[int, Seam]:
        """Where the chunk ends, and how weak a seam had to do."""
        full = self.gauge.reach(first, TARGET_TOKENS)
        stop = self._stop(own, full)
        if stop or self.end <= full:
            return stop or self.end, self.style.floors[0]
        for floor in self.style.floors:
            cut = self._best(floor, own, full) or self._beyond(floor, own, full)
            if cut:
                return cut, floor
        return word_before(self.gauge.text, own, max(own + 1, full)), Seam.WORD

    def _stop(self, own: int, full: int) -> int | None:
        if self.style.stop is None:
            return None
        half = self.gauge.reach(own, TARGET_TOKENS // 2 - 1)
        places = (at for at, _ in self._seams(self.style.stop) if half < at <= full)
        return next((at for at in places if not self._leaves_crumb(at)), None)

    def _best(self, floor: Seam, own: int, full: int) -> int | None:
        least = self.gauge.reach(own, CRUMB_TOKENS - 1)
        inside = [place for place in self._seams(floor) if least < place[0] <= full]
        kept = [place for place in inside if not self._leaves_crumb(place[0])] or inside
        worth = {at: (at - own) / (full - own) + _WORTH[seam] for at, seam in kept}
        return max(worth, key=worth.__getitem__, default=None)

    def _beyond(self, floor: Seam, own: int, full: int) -> int | None:
        """The end of what is not longer than a chunk, but does not fit with the crumb before."""
        begin = own
        for at, _ in self._seams(floor):
            if at > full:
                return at if self.gauge.tokens(begin, at) <= TARGET_TOKENS else None
            begin = at
        return None

    def _seams(self, floor: Seam) -> list[Place]:
        return [place for place in self.ahead if place[1] >= floor]

    def _leaves_crumb(self, cut: int) -> bool:
        return self.gauge.tokens(cut, self.end) < CRUMB_TOKENS

    def _overlap(self, own: int, cut: int, floor: Seam) -> int:
        """Where the next chunk begins, so as to repeat the end of this one."""
        wanted = self.style.overlap_tokens
        if not wanted or cut >= self.end:
            return cut
        near = [place for place in self.ahead if own < place[0] <= cut]
        wall = max((at for at, seam in near if seam >= self.style.wall), default=own + 1)
        places = [at for at, seam in near if seam >= floor and wall <= at < cut]
        return self._repeat_from(places, wall, cut, floor)

    def _repeat_from(self, places: list[int], wall: int, cut: int, floor: Seam) -> int:
        wanted = self.style.overlap_tokens
        back = max(self.gauge.back(cut, wanted), wall)
        fitting = next((at for at in places if at >= back), None)
        if fitting is None and floor == Seam.WORD and back < cut:
            fitting = word_after(self.gauge.text, back, cut)
        far = self.gauge.back(cut, 2 * wanted)
        return fitting or max((at for at in places if at >= far), default=cut)
