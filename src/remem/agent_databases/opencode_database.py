"""The database of opencode: sessions, their messages, and the parts of those."""

from pathlib import Path
from typing import Any

from remem.agent_databases.read_only import query


def sessions(path: Path) -> list[tuple[Any, ...]]:
    """Id, folder and time of each session that a person started."""
    return query(
        path, "SELECT id, directory, time_updated FROM session WHERE parent_id IS NULL ORDER BY id"
    )


def messages(path: Path, session: str) -> list[tuple[Any, ...]]:
    """Id, JSON and time of each message."""
    return query(
        path,
        "SELECT id, data, time_created FROM message WHERE session_id = ? ORDER BY time_created, id",
        [session],
    )


def parts(path: Path, session: str) -> list[tuple[Any, ...]]:
    """The message and the JSON of each part."""
    return query(
        path, "SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id", [session]
    )
