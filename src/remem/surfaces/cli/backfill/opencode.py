"""Sessions of opencode: in its SQLite database, or as JSON files in older versions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.agent_databases import opencode_database
from remem.surfaces.cli.backfill.past_session import (
    PastSession,
    as_object,
    at_milliseconds,
    files,
    read_object,
)
from remem.surfaces.cli.hooks.transcript import Turn, turns_in
from remem.surfaces.cli.install.clients import Machine

CLIENT = "opencode"


def opencode_sessions(machine: Machine) -> Iterator[PastSession]:
    home = machine.named("XDG_DATA_HOME", machine.home / ".local/share") / "opencode"
    known: set[str] = set()
    for database in files(home, "opencode*.db"):
        for session in _in_database(database):
            known.add(session.id)
            yield session
    # What the database was filled from stays beside it.
    for session in _in_files(home / "storage"):
        if session.id not in known:
            yield session


def _in_database(path: Path) -> Iterator[PastSession]:
    for id, folder, updated in opencode_database.sessions(path):
        yield PastSession(CLIENT, id, folder, at_milliseconds(updated), _reader(path, id))


def _reader(path: Path, id: str) -> Any:
    return lambda: _turns_in_database(path, id)


def _turns_in_database(path: Path, id: str) -> list[Turn]:
    parts: dict[str, list[dict[str, Any]]] = {}
    for message_id, data in opencode_database.parts(path, id):
        parts.setdefault(message_id, []).append(as_object(data) or {})
    return turns_in(
        _row(as_object(data) or {}, parts.get(message_id, []), created)
        for message_id, data, created in opencode_database.messages(path, id)
    )


def _in_files(storage: Path) -> Iterator[PastSession]:
    for path in files(storage, "session/*/*.json"):
        head = read_object(path)
        times = head.get("time")
        updated = times.get("updated") if isinstance(times, dict) else None
        folder = head.get("directory")
        if isinstance(folder, str) and not head.get("parentID"):
            yield PastSession(
                CLIENT,
                path.stem,
                folder,
                at_milliseconds(updated),
                _file_reader(storage, path.stem),
            )


def _file_reader(storage: Path, id: str) -> Any:
    return lambda: _turns_in_files(storage, id)


def _turns_in_files(storage: Path, id: str) -> list[Turn]:
    rows = []
    for path in files(storage / "message" / id, "*.json"):
        message = read_object(path)
        parts = [read_object(part) for part in files(storage / "part" / path.stem, "*.json")]
        times = message.get("time")
        created = times.get("created") if isinstance(times, dict) else None
        rows.append((created or 0, path.stem, _row(message, parts, created)))
    return turns_in(row for *_, row in sorted(rows, key=lambda row: row[:2]))


def _row(message: dict[str, Any], parts: list[dict[str, Any]], created: Any) -> dict[str, Any]:
    """A message in the form of a transcript's row, without what opencode itself added to it."""
    texts = [part for part in parts if not (part.get("synthetic") or part.get("ignored"))]
    said_at = at_milliseconds(created).isoformat() if created else None
    return {"role": message.get("role"), "content": texts, "timestamp": said_at}
