"""Sums of the rows in a dump, to compare two dumps of equal data."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from remem.adapters.database.dump_file import DumpedTable, read_dump, read_rows
from remem.core.ports import TableSum

# A restore gives these columns and tables new values, so that no cache is believed.
_CHANGED = {"projects": frozenset({"generation"}), "access_version": frozenset({"version"})}
_MODULUS = 1 << 128


def sums_of(path: Path) -> dict[str, TableSum]:
    return {
        name: _sum(name, path, table)
        for name, table in read_dump(path).tables.items()
        # The queue's tables depend on the version of its library.
        if not name.startswith("pgqueuer") and name != "schema_migrations"
    }


def _sum(name: str, path: Path, table: DumpedTable) -> TableSum:
    ignored = _CHANGED.get(name, frozenset())
    kept = [number for number, column in enumerate(table.columns) if column not in ignored]
    rows = checksum = 0
    for row in _rows(path, table):
        if ignored:
            values = row.split(b"\t")
            row = b"\t".join(values[number] for number in kept)
        digest = hashlib.blake2b(row, digest_size=16).digest()
        checksum = (checksum + int.from_bytes(digest, "big")) % _MODULUS
        rows += 1
    return TableSum(rows, checksum)


def _rows(path: Path, table: DumpedTable) -> Iterator[bytes]:
    rest = b""
    for block in read_rows(path, table):
        *rows, rest = (rest + block).split(b"\n")
        yield from rows
