"""Read a SQLite database of another program while that program writes to it."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any


def query(path: Path, statement: str, values: Sequence[str] = ()) -> list[tuple[Any, ...]]:
    """The rows; none if there is no such database or table, as in another version."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            return database.execute(statement, values).fetchall()
    except sqlite3.DatabaseError:
        return []
