"""Read the rows of CSV files, as mappings by column name."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from remem.adapters.importers.bundle import Bundle, open_bundle
from remem.adapters.importers.limits import FIELD_CHARS
from remem.core.errors import Unreadable


def read_columns(path: Path) -> frozenset[str]:
    """Return the column names of the first table; empty if there is none."""
    try:
        with open_bundle(path) as bundle:
            for name in _files(bundle)[:1]:
                first = bundle.head(name).decode("utf-8-sig", "replace").partition("\n")[0]
                return frozenset(
                    column.strip().casefold() for column in next(csv.reader([first]), [])
                )
    except (Unreadable, csv.Error):
        pass
    return frozenset()


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    with open_bundle(path) as bundle:
        for name in _files(bundle):
            with bundle.open(name) as file:
                yield from _parse_rows(io.TextIOWrapper(file, "utf-8-sig", "replace", newline=""))


def _parse_rows(text: io.TextIOWrapper) -> Iterator[dict[str, str]]:
    csv.field_size_limit(FIELD_CHARS)
    reader = csv.reader(text)
    try:
        names = [name.strip().casefold() for name in next(reader, [])]
        for row in reader:
            if any(cell.strip() for cell in row):
                yield dict(zip(names, (cell.strip() for cell in row), strict=False))
    except csv.Error as error:
        raise Unreadable(f"The table is damaged ({error}); export it again.") from error


def _files(bundle: Bundle) -> list[str]:
    return bundle.names_ending(".csv") if bundle.is_archive else [""]
