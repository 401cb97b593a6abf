"""Puts the lines of a page in the order in which a person reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median


@dataclass(frozen=True, slots=True)
class Line:
    """Some words and the upright box they stand in; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float
    text: str

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


# A column has some lines of some length; shorter stacks are cells of a table, read by rows.
COLUMN_LINES = 3
COLUMN_WIDTH = 6.0
# How many lines in a hundred may run across a gutter: titles and pictures' captions.
MAX_ACROSS = 0.35
# A paragraph begins where a line stands this much lower than lines usually do.
PARAGRAPH_STEP = 1.5


def reading_order(lines: Sequence[Line]) -> str:
    """Columns from left to right, each from top to bottom; a blank line where there is a gap."""
    gutter = _gutter(lines)
    if gutter is None:
        return _by_rows(lines)
    parts: list[str] = []
    across = sorted((line for line in lines if line.left < gutter < line.right), key=_middle)
    above = float("-inf")
    for line in [*across, None]:
        below = line.middle if line else float("inf")
        band = [one for one in lines if above <= one.middle < below and one not in across]
        parts.append(reading_order([one for one in band if one.right <= gutter]))
        parts.append(reading_order([one for one in band if one.left >= gutter]))
        if line:
            parts.append(line.text)
            above = line.middle
    return "\n\n".join(part for part in parts if part)


def _gutter(lines: Sequence[Line]) -> float | None:
    """Where a white strip parts two columns of text; the one that the fewest lines cross."""
    if len(lines) < 2 * COLUMN_LINES:
        return None
    height = median(line.height for line in lines)
    found: list[tuple[int, float]] = []
    for edge in sorted({line.right for line in lines}):
        left = [line for line in lines if line.right <= edge]
        right = [line for line in lines if line.left >= edge + height / 2]
        across = len(lines) - len(left) - len(right)
        columns = _is_column(left) and _is_column(right) and _side_by_side(left, right)
        if columns and across <= MAX_ACROSS * len(lines):
            found.append((across, (edge + min(line.left for line in right)) / 2))
    return min(found)[1] if found else None


def _is_column(lines: Sequence[Line]) -> bool:
    return (
        len(lines) >= COLUMN_LINES
        and median(line.width / max(line.height, 1) for line in lines) >= COLUMN_WIDTH
    )


def _side_by_side(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Whether they stand beside each other for at least half of the shorter one."""
    top = max(min(map(_top, left)), min(map(_top, right)))
    bottom = min(max(line.bottom for line in left), max(line.bottom for line in right))
    shorter = min(
        max(line.bottom for line in side) - min(map(_top, side)) for side in (left, right)
    )
    return bottom - top >= shorter / 2


def _by_rows(lines: Sequence[Line]) -> str:
    rows = _rows(lines)
    text = ""
    steps = [row[0].middle - above[0].middle for above, row in pairwise(rows)]
    usual = median(steps) if steps else 0
    for row, step in zip(rows, [0, *steps], strict=False):
        words = " ".join(line.text for line in sorted(row, key=lambda line: line.left))
        text += ("\n\n" if step > PARAGRAPH_STEP * usual else "\n" if text else "") + words
    return text


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    rows: list[list[Line]] = []
    for line in sorted(lines, key=_middle):
        if rows and line.middle - rows[-1][0].middle < rows[-1][0].height / 2:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _top(line: Line) -> float:
    return line.top


def _middle(line: Line) -> float:
    return line.middle
