"""CSV and TSV: each row as 'field: value' lines, or of a long table as one line of values."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from remem.adapters.extractors.charset import charset_of
from remem.adapters.extractors.draft import Draft, truncation_note
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import (
    FIELD_CHARS,
    MEGABYTE,
    TABLE_COLUMNS,
    TABLE_ROWS,
    TEXT_CHARS,
)
from remem.core.chunking.model import Joint
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original

DELIMITERS = ",;\t|"
SAMPLE_ROWS = 50
NAME_CHARS = 60


def extract(original: Original, engines: Engines) -> Extracted:
    """With the column names in each row, or once if the table would be too long with them."""
    draft, extracted = _extract(original.path, format_row)
    if draft.is_full:
        draft, extracted = _extract(original.path, _format_values)
    return extracted


def _extract(path: Path, format: Callable[[list[str], list[str]], str]) -> tuple[Draft, Extracted]:
    draft, count, widest = Draft(), 0, 0
    names: list[str] = []
    for index, row in enumerate(_rows(path)):
        widest = max(widest, len(row))
        if index == 0 and is_header(row):
            names = [name.strip() for name in row]
            if format is _format_values:
                _add_names(draft, names)
            continue
        if count == TABLE_ROWS or draft.is_full:
            break
        if text := format(names, row):
            draft.mark(Joint.ROW)
            draft.add(text, separator="\n\n" if format is format_row else "\n")
            count += 1
    else:
        cut = truncation_note(TABLE_COLUMNS, "columns") if widest > TABLE_COLUMNS else None
        return draft, draft.finish("csv", {"columns": names, "row_count": count}, cut)
    return draft, draft.finish("csv", {"columns": names}, truncation_note(count, "rows"))


def is_header(row: list[str]) -> bool:
    """Whether a first row has column names: short, distinct, and not numbers."""
    names = [cell.strip() for cell in row]
    if not all(0 < len(name) <= NAME_CHARS for name in names) or len(set(names)) < len(names):
        return False
    return not any(_is_number(name) for name in names)


def format_row(names: list[str], row: list[str]) -> str:
    if not names:
        return _format_values(names, row)
    cells = _cells(row)
    unnamed = [f"column {number + 1}" for number in range(len(names), len(cells))]
    pairs = zip([*names, *unnamed], cells, strict=False)
    return "\n".join(f"{name}: {cell}" for name, cell in pairs if cell)


def _format_values(names: list[str], row: list[str]) -> str:
    return " | ".join(filter(None, _cells(row)))


def _cells(row: list[str]) -> list[str]:
    return [" ".join(cell.split()) for cell in row[:TABLE_COLUMNS]]


def _add_names(draft: Draft, names: list[str]) -> None:
    """As the heading of all rows."""
    text = " | ".join(names[:TABLE_COLUMNS])
    draft.mark(Joint.HEADING, text, 1)
    draft.add(text)


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open("rb") as file:
        charset = charset_of(file.read(MEGABYTE))
    with path.open(encoding=charset, errors="replace", newline="") as file:
        delimiter = _delimiter(file)
        csv.field_size_limit(FIELD_CHARS)
        reader = csv.reader(_lines(file), delimiter=delimiter)
        try:
            yield from (row for row in reader if any(cell.strip() for cell in row))
        except csv.Error as error:
            raise Unreadable(
                f"The table is broken at line {reader.line_num:,} ({error}); save it again as CSV."
            ) from error


def _lines(file: IO[str]) -> Iterator[str]:
    """Yield lines; an endless one is refused before it fills the memory."""
    while line := file.readline(TEXT_CHARS):
        if len(line) >= TEXT_CHARS:
            raise Unreadable("The table is one endless line; save it again as CSV, a row a line.")
        yield line.replace("\0", "").lstrip("\ufeff")


def _delimiter(file: IO[str]) -> str:
    """Return the delimiter that splits the first rows most evenly."""
    sample = [file.readline(FIELD_CHARS) for _ in range(SAMPLE_ROWS)]
    file.seek(0)
    best = max(DELIMITERS, key=lambda delimiter: _column_evenness(sample, delimiter))
    return best if _column_evenness(sample, best) > (0, 0) else ","


def _column_evenness(sample: list[str], delimiter: str) -> tuple[float, int]:
    try:
        widths = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
    except csv.Error:
        return (0, 0)
    if not widths or max(widths) < 2:
        return (0, 0)
    usual = max(set(widths), key=widths.count)
    return (widths.count(usual) / len(widths) if usual > 1 else 0, usual)


def _is_number(text: str) -> bool:
    bare = text.replace(",", "").replace(".", "").replace("-", "").replace("%", "").strip("$€£ ")
    return bare.isdigit()
