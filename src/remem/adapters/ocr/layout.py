"""Sort the lines of a page into reading order."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median


@dataclass(frozen=True, slots=True)
class Line:
    """Some words and their bounding box; y grows downwards."""

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


# The minimum lines and width of a column; smaller blocks are table cells, read by rows.
COLUMN_LINES = 3
COLUMN_WIDTH = 6.0
# The maximum share of lines that cross a gutter, such as titles and captions.
MAX_ACROSS = 0.35
# A line that is this many times the usual distance below the previous one begins a paragraph.
PARAGRAPH_STEP = 1.5


def reading_order(lines: Sequence[Line]) -> str:
    """Join lines: columns left to right, each top to bottom, with blank lines at gaps."""
    gutter = _gutter(lines)
    if gutter is None:
        return _by_rows(lines)
    parts: list[str] = []
    crossing = sorted((line for line in lines if line.left < gutter < line.right), key=_middle)
    above = float("-inf")
    for line in [*crossing, None]:
        below = line.middle if line else float("inf")
        band = [other for other in lines if above <= other.middle < below and other not in crossing]
        parts.append(reading_order([other for other in band if other.right <= gutter]))
        parts.append(reading_order([other for other in band if other.left >= gutter]))
        if line:
            parts.append(line.text)
            above = line.middle
    return "\n\n".join(part for part in parts if part)


def _gutter(lines: Sequence[Line]) -> float | None:
    """The middle of the white strip between two columns that the fewest lines cross."""
    if len(lines) < 2 * COLUMN_LINES:
        return None
    height = median(line.height for line in lines)
    candidates: list[tuple[int, float]] = []
    for edge in sorted({line.right for line in lines}):
        left = [line for line in lines if line.right <= edge]
        right = [line for line in lines if line.left >= edge + height / 2]
        crossing_count = len(lines) - len(left) - len(right)
        columns = _is_column(left) and _is_column(right) and _side_by_side(left, right)
        if columns and crossing_count <= MAX_ACROSS * len(lines):
            candidates.append((crossing_count, (edge + min(line.left for line in right)) / 2))
    return min(candidates)[1] if candidates else None


def _is_column(lines: Sequence[Line]) -> bool:
    return (
        len(lines) >= COLUMN_LINES
        and median(line.width / max(line.height, 1) for line in lines) >= COLUMN_WIDTH
    )


def _side_by_side(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Whether they overlap vertically by at least half of the shorter one."""
    top = max(min(map(_top, left)), min(map(_top, right)))
    bottom = min(max(line.bottom for line in left), max(line.bottom for line in right))
    shorter = min(
        max(line.bottom for line in side) - min(map(_top, side)) for side in (left, right)
    )
    return bottom - top >= shorter / 2


def _by_rows(lines: Sequence[Line]) -> str:
    rows = _rows(lines)
    text = ""
    distances = [row[0].middle - previous[0].middle for previous, row in pairwise(rows)]
    usual_distance = median(distances) if distances else 0
    for row, distance in zip(rows, [0, *distances], strict=False):
        words = " ".join(line.text for line in sorted(row, key=lambda line: line.left))
        text += (
            "\n\n" if distance > PARAGRAPH_STEP * usual_distance else "\n" if text else ""
        ) + words
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
