"""Arrange the lines of a printed page into columns, paragraphs and headings."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

# A gap this wide (in line heights) separates columns or cells, not words.
WIDE_GAP = 1.6
# Columns differ from tables in having many rows with the same gap, and prose on both sides.
COLUMN_ROWS = 6
COLUMN_SHARE = 0.5
COLUMN_WORDS = 2.5
# Type this much larger than the body's is a heading.
HEADING_SIZE = 1.15
HEADING_CHARS = 150
BOLD_CHARS = 100
LEVELS = 4
# Lines that begin within this many points belong to one column.
COLUMN_WIDTH = 40
# The share of a column's width from which a line is full, and how many lines show that.
FULL_LINE, FULL_LINES = 0.85, 5
# The share of a page's width up to which text may be expected.
PAGE_SHARE = 0.8
# Lines further apart than this (in line heights) belong to different paragraphs.
PARAGRAPH_GAP = 0.9
BULLET = re.compile(r"^(?:[•●▪‣◦∙·*–-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S")
DOT_BULLET = re.compile(r"^[•●▪‣◦∙·]\s*")
HYPHENATED = re.compile(r"[^\W\d_]{2}-$")
SENTENCE_END = re.compile(r"[.!?:;。！？]['\")\]’”]*$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or a part of one between wide gaps, with its position on the page in points.

    `cells` is the number of parts it was joined from."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    bold: bool = False
    cells: int = 1

    @property
    def size(self) -> float:
        return max(1.0, self.top - self.bottom)


@dataclass(frozen=True, slots=True)
class Styles:
    """The type size of a document's body, and those of its headings, largest first."""

    body: float
    headings: tuple[float, ...]

    def level(self, line: Line) -> int | None:
        if line.size >= HEADING_SIZE * self.body and len(line.text) <= HEADING_CHARS:
            return 1 + min(
                range(len(self.headings)), key=lambda i: abs(self.headings[i] - line.size)
            )
        return None


def styles_of(pages: Iterable[list[Line]]) -> Styles:
    chars: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            chars[round(line.size * 2) / 2] += len(line.text)
    body = chars.most_common(1)[0][0] if chars else 10.0
    larger = sorted((size for size in chars if size >= HEADING_SIZE * body), reverse=True)
    distinct = [size for i, size in enumerate(larger) if i == 0 or larger[i - 1] / size > 1.08]
    return Styles(body, tuple(distinct[:LEVELS]) or (body * 2,))


def in_reading_order(rows: list[list[Line]]) -> list[Line]:
    """Return the lines in reading order; if most rows have a gap at one place, the left column
    comes first."""
    gutter = _gutter(rows)
    if gutter is None:
        return [_join_row(row) for row in rows]
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for row in rows:
        joined = _join_row(row)
        if joined.left < gutter < joined.right and not any(_gaps_at(row, gutter)):
            ordered += [*left, *right, joined]
            left, right = [], []
            continue
        for line in row:
            (left if line.left < gutter else right).append(line)
    return ordered + left + right


def _gutter(rows: list[list[Line]]) -> float | None:
    split_rows = [row for row in rows if len(row) == 2]
    if len(split_rows) < COLUMN_ROWS or len(split_rows) < COLUMN_SHARE * len(rows):
        return None
    middle = median((left.right + right.left) / 2 for left, right in split_rows)
    agreeing = [row for row in split_rows if row[0].right <= middle <= row[1].left]
    if len(agreeing) < 0.8 * len(split_rows):
        return None
    word_counts = [len(line.text.split()) for row in agreeing for line in row]
    return middle if sum(word_counts) / len(word_counts) >= COLUMN_WORDS else None


def _gaps_at(row: list[Line], gutter: float) -> Iterator[bool]:
    for left, right in pairwise(row):
        yield left.right <= gutter <= right.left


def _join_row(row: list[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    return Line(
        " ".join(line.text for line in row),
        row[0].left,
        row[-1].right,
        min(line.bottom for line in row),
        max(line.top for line in row),
        all(line.bold for line in row),
        len(row),
    )


def paragraphs(lines: list[Line], styles: Styles, page_width: float = 0.0) -> Iterator[str]:
    """Yield the text as markdown blocks: headings, list items and paragraphs."""
    margin = max((line.right for line in lines), default=0.0)
    margins = _margins(lines, page_width)
    pending: list[Line] = []
    for line in lines:
        if pending and _starts_paragraph(pending, line, styles, margin):
            yield from _block(pending, styles, margins)
            pending = []
        pending.append(line)
    if pending:
        yield from _block(pending, styles, margins)


def _margins(lines: Sequence[Line], page_width: float) -> dict[int, float]:
    """Where the lines of each column end, by where they begin. A few longer ones do not count. The
    lines of a page that are all short end at the margin of the page, unless a program broke them:
    those are about equally long."""
    by_column: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        by_column[_column(line)].append(line)
    margins = {column: _usual_end(members) for column, members in by_column.items()}
    has_columns = any(line.left > page_width / 2 for line in lines)
    for column, members in by_column.items():
        full = [line for line in members if line.right > FULL_LINE * margins[column]]
        if not has_columns and (len(members) < FULL_LINES or 2 * len(full) < len(members)):
            page_margin = PAGE_SHARE * (page_width - min(line.left for line in members))
            margins[column] = max(margins[column], page_margin)
    return margins


def _usual_end(lines: Sequence[Line]) -> float:
    ends = sorted(line.right for line in lines)
    return ends[-1 - len(ends) // 10]


def _column(line: Line) -> int:
    return round(line.left / COLUMN_WIDTH)


def _is_broken_early(line: Line, following: Line, margins: Mapping[int, float]) -> bool:
    """Whether the first word of the following line would have fitted, so that the line was broken
    on purpose, as in an address or a poem."""
    char_width = (following.right - following.left) / max(1, len(following.text))
    needed = (1 + len(following.text.split(" ", 1)[0])) * char_width
    return line.right + needed + line.size < margins[_column(line)]


def _starts_paragraph(pending: list[Line], line: Line, styles: Styles, margin: float) -> bool:
    last = pending[-1]
    if styles.level(last) != styles.level(line) or abs(last.size - line.size) > 0.2 * last.size:
        return True
    if BULLET.match(line.text) or (last.bold != line.bold and len(pending) == 1):
        return True
    drop = last.bottom - line.top
    if drop < -1.5 * last.size:
        # A jump upwards is a new column; an unfinished sentence continues there.
        return bool(SENTENCE_END.search(last.text[-4:]))
    if drop > PARAGRAPH_GAP * last.size:
        return True
    width = max(1.0, max(item.right for item in pending) - min(item.left for item in pending))
    is_short = last.right < pending[0].left + 0.75 * width and width > 0.3 * margin
    is_indented = line.left > last.left + 0.8 * last.size
    return bool(SENTENCE_END.search(last.text[-4:])) and (is_short or is_indented)


def _block(pending: list[Line], styles: Styles, margins: Mapping[int, float]) -> Iterator[str]:
    text = join_lines(line.text for line in pending)
    if not text:
        return
    level = styles.level(pending[0])
    if level is None and _is_bold_heading(pending, text):
        level = min(LEVELS, len(styles.headings)) + 1
    if level is not None and any(char.isalpha() for char in text) and len(text) <= HEADING_CHARS:
        yield f"{'#' * level} {text}"
    else:
        yield DOT_BULLET.sub("- ", "\n".join(_wrapped(pending, margins)))


def _wrapped(lines: Sequence[Line], margins: Mapping[int, float]) -> Iterator[str]:
    """Yield the lines that were broken on purpose; others are joined."""
    joined = [lines[0].text]
    for line, following in pairwise(lines):
        if _is_broken_early(line, following, margins):
            yield join_lines(joined)
            joined = []
        joined.append(following.text)
    yield join_lines(joined)


def _is_bold_heading(pending: list[Line], text: str) -> bool:
    return (
        all(line.bold for line in pending)
        and len(text) <= BOLD_CHARS
        and not SENTENCE_END.search(text)
    )


def join_lines(texts: Iterable[str]) -> str:
    """Join lines to one text, and words that were hyphenated at the end of a line."""
    joined = ""
    for text in texts:
        text = text.strip()
        if not joined or not text:
            joined += text
        elif joined.endswith("\u00ad") or (HYPHENATED.search(joined[-3:]) and text[:1].islower()):
            joined = joined[:-1] + text
        elif _is_unspaced(joined[-1]) and _is_unspaced(text[0]):
            joined += text
        else:
            joined += " " + text
    return joined.replace("\u00ad", "")


def _is_unspaced(char: str) -> bool:
    """Whether a character is Chinese or Japanese, where lines are joined without a space."""
    return "\u3000" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef"
