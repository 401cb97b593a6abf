"""Fill chunks up to the target size, and cut each at the best seam."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from semantic_text_splitter import TextSplitter

from remem.core.chunking.model import OVERLAP_TOKENS, TARGET_TOKENS, Span
from remem.core.chunking.token_counter import TokenCounter

# Smaller parts are merged with a neighbour.
MIN_TOKENS = 64
# A chunk exceeds its target only to keep a sentence whole together with the small part before it,
# or a section with what is repeated of the section before it.
MAX_TOKENS = TARGET_TOKENS + MIN_TOKENS


class Seam(IntEnum):
    """The boundary at a position; the stronger it is, the better to cut there."""

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


_HEADINGS = range(Seam.HEADING_6, Seam.HEADING_1 + 1)

Place: TypeAlias = tuple[int, Seam]

# The value of cutting at a good seam, as a share of a full chunk.
_SEAM_VALUE = dict.fromkeys(Seam, 0.0) | {
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
    """How a kind of text is split.

    `floors`: the weakest seams to cut at, first choice first. `stop`: a half-filled chunk ends at a
    seam of this strength. `ends_at`: every chunk ends at a seam of this strength, however small,
    and no overlap crosses it.
    """

    floors: tuple[Seam, ...] = (Seam.SENTENCE, Seam.LINE)
    overlap_tokens: int = OVERLAP_TOKENS
    stop: Seam | None = None
    ends_at: Seam | None = None


def pack(
    counter: TokenCounter, seams: Iterable[Place], style: Style, start: int, end: int
) -> list[Span]:
    """Split `text[start:end]` into spans at its seams, which are in reading order."""
    if style.ends_at is None:
        return list(_Packer(counter, iter(seams), style, end).spans(start))
    spans: list[Span] = []
    inside: list[Place] = []
    for at, seam in (*seams, (end, style.ends_at)):
        if seam < style.ends_at:
            inside.append((at, seam))
        elif start < at <= end:
            spans += _Packer(counter, iter(inside), style, at).spans(start)
            start, inside = at, []
    return spans


class _Packer:
    def __init__(
        self, counter: TokenCounter, seams: Iterator[Place], style: Style, end: int
    ) -> None:
        self.counter, self.seams, self.style, self.end = counter, seams, style, end
        self.next_seam = next(seams, None)
        self.visible: list[Place] = []

    def spans(self, start: int) -> Iterator[Span]:
        chunk_start = new_start = start
        while new_start < self.end:
            self._load_seams(new_start)
            cut, floor = self._cut(chunk_start, new_start)
            limit = TARGET_TOKENS
            if self._breaks_up_section(chunk_start, new_start, cut):
                cut, floor = self._cut(new_start, new_start)
                limit = MAX_TOKENS
            if self.counter.tokens(chunk_start, cut) > limit:
                chunk_start = new_start
            if not self.counter.text[new_start:cut].isspace():
                yield chunk_start, cut
            chunk_start, new_start = self._overlap(new_start, cut, floor), cut

    def _breaks_up_section(self, chunk_start: int, new_start: int, cut: int) -> bool:
        """Whether the next section would fit, if nothing of the one before were repeated."""
        if chunk_start == new_start or cut == self.end or self._is_heading(cut):
            return False
        ends = (at for at, seam in self.visible if seam in _HEADINGS)
        end = next(ends, self.end)
        return self.counter.tokens(new_start, end) <= TARGET_TOKENS

    def _is_heading(self, position: int) -> bool:
        return any(at == position and seam in _HEADINGS for at, seam in self.visible)

    def _load_seams(self, new_start: int) -> None:
        """Load the seams at which a chunk from here could end."""
        self.visible = [place for place in self.visible if place[0] > new_start]
        horizon = self.counter.end_within(new_start, MAX_TOKENS)
        while self.next_seam is not None and self.next_seam[0] <= horizon:
            if new_start < self.next_seam[0] < self.end:
                self.visible.append(self.next_seam)
            self.next_seam = next(self.seams, None)

    def _cut(self, chunk_start: int, new_start: int) -> tuple[int, Seam]:
        """Where the chunk ends, and the minimum strength of its seam."""
        target_end = self.counter.end_within(chunk_start, TARGET_TOKENS)
        stop_cut = self._stop_cut(new_start, target_end)
        if stop_cut or self.end <= target_end:
            return stop_cut or self.end, self.style.floors[0]
        for floor in self.style.floors:
            cut = self._best_cut(floor, new_start, target_end) or self._next_part_end(
                floor, new_start, target_end
            )
            if cut:
                return cut, floor
        return word_before(self.counter.text, new_start, max(new_start + 1, target_end)), Seam.WORD

    def _stop_cut(self, new_start: int, target_end: int) -> int | None:
        if self.style.stop is None:
            return None
        half_end = self.counter.end_within(new_start, TARGET_TOKENS // 2 - 1)
        positions = (at for at, _ in self._seams(self.style.stop) if half_end < at <= target_end)
        return next((at for at in positions if not self._leaves_small_rest(at)), None)

    def _best_cut(self, floor: Seam, new_start: int, target_end: int) -> int | None:
        min_end = self.counter.end_within(new_start, MIN_TOKENS - 1)
        inside = [place for place in self._seams(floor) if min_end < place[0] <= target_end]
        candidates = inside
        # The later the cut, the smaller the rest.
        if inside and self._leaves_small_rest(inside[-1][0]):
            large = [place for place in inside if not self._leaves_small_rest(place[0])]
            candidates = large or inside
        value = {
            at: (at - new_start) / (target_end - new_start) + _SEAM_VALUE[seam]
            for at, seam in candidates
        }
        return max(value, key=value.__getitem__, default=None)

    def _next_part_end(self, floor: Seam, new_start: int, target_end: int) -> int | None:
        """The end of a part that fits into a chunk, but not together with the small part before
        it."""
        begin = new_start
        for at, _ in self._seams(floor):
            if at > target_end:
                return at if self.counter.tokens(begin, at) <= TARGET_TOKENS else None
            begin = at
        return None

    def _seams(self, floor: Seam) -> list[Place]:
        return [place for place in self.visible if place[1] >= floor]

    def _leaves_small_rest(self, cut: int) -> bool:
        return self.counter.tokens(cut, self.end) < MIN_TOKENS

    def _overlap(self, new_start: int, cut: int, floor: Seam) -> int:
        """Where the next chunk begins, so that it repeats the end of this one."""
        overlap_tokens = self.style.overlap_tokens
        if not overlap_tokens or cut >= self.end:
            return cut
        nearby = [place for place in self.visible if new_start < place[0] <= cut]
        positions = [at for at, seam in nearby if seam >= floor and at < cut]
        return self._repeat_from(positions, new_start + 1, cut, floor)

    def _repeat_from(self, positions: list[int], limit: int, cut: int, floor: Seam) -> int:
        overlap_tokens = self.style.overlap_tokens
        earliest = max(self.counter.start_within(cut, overlap_tokens), limit)
        fitting = next((at for at in positions if at >= earliest), None)
        if fitting is None and floor == Seam.WORD and earliest < cut:
            fitting = word_after(self.counter.text, earliest, cut)
        farthest = self.counter.start_within(cut, 2 * overlap_tokens)
        return fitting or max((at for at in positions if at >= farthest), default=cut)


# Find word boundaries, for text without a better place to cut.


_CLAUSE = re.compile(r"[.!?,;:…]\s+|[，、；：。！？]")
_SPACE = re.compile(r"\s+")
_SEARCH_CHARS = 32
# It segments words of scripts without spaces and never splits grapheme clusters.
_splitter = TextSplitter(_SEARCH_CHARS, trim=False)


def word_before(text: str, start: int, limit: int) -> int:
    """The last good position to cut in (start, limit]: after a clause, a word or a character."""
    middle = (start + limit) // 2
    for pattern in (_CLAUSE, _SPACE):
        ends = [match.end() for match in pattern.finditer(text, middle, limit)]
        if ends and ends[-1] > start:
            return ends[-1]
    tail = max(start, limit - _SEARCH_CHARS)
    return _word_end(text, tail, limit)


def word_after(text: str, start: int, limit: int) -> int:
    """The first position in (start, limit] at which a word begins."""
    space = _SPACE.search(text, start, min(limit, start + 2 * _SEARCH_CHARS))
    return space.end() if space else _word_end(text, start, limit)


def _word_end(text: str, start: int, limit: int) -> int:
    parts = _splitter.chunks(text[start : limit + _SEARCH_CHARS])
    end = start + len(parts[0]) if parts else limit
    return end if start < end <= limit else limit
