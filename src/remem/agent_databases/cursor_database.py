"""The databases of the editor Cursor: JSON by key."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from remem.agent_databases.read_only import query

Table = Literal["ItemTable", "cursorDiskKV"]
KEYS_AT_ONCE = 500


def read_values(path: Path, table: Table, keys: Sequence[str]) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for start in range(0, len(keys), KEYS_AT_ONCE):
        some = keys[start : start + KEYS_AT_ONCE]
        marks = ", ".join("?" for _ in some)
        statement = f"SELECT key, value FROM {table} WHERE key IN ({marks})"
        rows += [(key, value) for key, value in query(path, statement, some)]
    return rows
