"""The rows of CSV files, by the names of their columns."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from remem.adapters.importers.bundle import Bundle, opened
from remem.adapters.importers.limits import FIELD_CHARS
from remem.core.errors import Unreadable


def columns_of(path: Path) -> frozenset[str]:
    """Of the first table; none where there is no table."""
    try:
        with opened(path) as bundle:
            for name in _files(bundle)[:1]:
                first = bundle.head(name).decode("utf-8-sig", "replace").partition("\n")[0]
                return frozenset(one.strip().casefold() for one in next(csv.reader([first]), []))
    except (Unreadable, csv.Error):
        pass
    return frozenset()


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    with opened(path) as bundle:
        for name in _files(bundle):
            with bundle.open(name) as file:
                yield from _rows(io.TextIOWrapper(file, "utf-8-sig", "replace", newline=""))


def _rows(text: io.TextIOWrapper) -> Iterator[dict[str, str]]:
    csv.field_size_limit(FIELD_CHARS)
    reader = csv.reader(text)
    try:
        names = [one.strip().casefold() for one in next(reader, [])]
        for row in reader:
            if any(cell.strip() for cell in row):
                yield dict(zip(names, (cell.strip() for cell in row), strict=False))
    except csv.Error as error:
        raise Unreadable(f"The table is damaged ({error}); export it again.") from error


def _files(bundle: Bundle) -> list[str]:
    return bundle.ending(".csv") if bundle.is_archive else [""]
