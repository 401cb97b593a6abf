"""A past session of a coding agent, and what reading its files needs."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from remem.surfaces.cli.hooks.transcript import Turn, turns_of

# The first rows name the folder of a session.
HEAD_ROWS, LINE_LIMIT = 50, 1_000_000


@dataclass(frozen=True, slots=True)
class PastSession:
    """`folder` is where it ran; `remote` the address of its repository, if it was recorded."""

    client: str
    id: str
    folder: str
    changed_at: datetime
    read_turns: Callable[[], list[Turn]]
    remote: str | None = None


def from_file(
    client: str, id: str, folder: str, path: Path, remote: str | None = None
) -> PastSession:
    return PastSession(client, id, folder, changed_at(path), lambda: turns_of(path), remote)


def changed_at(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def at_milliseconds(value: Any) -> datetime:
    number = value if isinstance(value, int | float) else 0
    return datetime.fromtimestamp(number / 1_000, UTC)


def head_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The first rows of a file of JSON lines that can be read."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for _ in range(HEAD_ROWS):
            line = file.readline(LINE_LIMIT)
            if not line:
                return
            row = as_object(line)
            if row is not None:
                yield row


def as_object(text: str | bytes | None) -> dict[str, Any] | None:
    try:
        value = json.loads(text or "")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def read_object(path: Path) -> dict[str, Any]:
    """A file of one JSON object; empty if it cannot be read."""
    try:
        return as_object(path.read_bytes()) or {}
    except OSError:
        return {}


def files(root: Path, *patterns: str) -> list[Path]:
    found = (path for pattern in patterns for path in root.glob(pattern) if path.is_file())
    return sorted(set(islice(found, 1_000_000)))
