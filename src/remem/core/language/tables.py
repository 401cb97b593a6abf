"""Find the rows of tables in a text, each with the header of its columns. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

_LINE = re.compile(r"[^\n]+")
_CELL_END = re.compile(r"\||\t+")
_RULE = re.compile(r"[\s|:=+-]*-[\s|:=+-]*")
_PIPED = re.compile(r"\s*\|.*\|\s*\Z")
_FEWEST_ROWS = 2


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row from `start` to `end`, without the signs at its edges; the header has none itself."""

    start: int
    end: int
    header: str = ""
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def columns(self) -> int:
        return len(_cells(self.text))

    @property
    def is_rule(self) -> bool:
        return _RULE.fullmatch(self.text) is not None


def table_rows(text: str) -> Iterator[TableRow]:
    """The rows of all tables: two lines or more with the same number of columns."""
    if "|" not in text and "\t" not in text:
        return
    lines = [_Line(match.start(), match[0]) for match in _LINE.finditer(text)]
    for columns, group in groupby(lines, lambda line: line.columns):
        rows = list(group)
        is_piped = all(_PIPED.match(row.text) for row in rows)
        if columns > 1 and (is_piped or columns > _FEWEST_ROWS) and len(rows) >= _FEWEST_ROWS:
            yield from _rows_of_table(rows)


def _rows_of_table(rows: list[_Line]) -> Iterator[TableRow]:
    has_header = rows[1].is_rule or not any(map(str.isdigit, rows[0].text))
    header = ", ".join(filter(None, _cells(rows[0].text))) if has_header else ""
    for at, row in enumerate(rows):
        inner = row.text.strip().strip("|").strip()
        if inner and not row.is_rule:
            start = row.start + row.text.index(inner)
            is_header = has_header and at == 0
            yield TableRow(start, start + len(inner), "" if is_header else header, is_header)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL_END.split(line.strip().strip("|"))]
