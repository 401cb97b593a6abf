"""Sessions of Cursor: transcripts of its agent, and the conversations in the editor's database."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from remem.agent_databases.cursor_database import Table, read_values
from remem.surfaces.cli.backfill.past_session import (
    PastSession,
    as_object,
    at_milliseconds,
    files,
    from_file,
    read_object,
)
from remem.surfaces.cli.hooks.transcript import Turn, turns_in
from remem.surfaces.cli.install.clients import Machine

CLIENT = "cursor"
_OTHER = re.compile(r"[^A-Za-z0-9]+")
_ROLES = {1: "user", 2: "assistant"}


def cursor_sessions(machine: Machine, folders: Iterable[str]) -> Iterator[PastSession]:
    """Transcripts are in a folder whose name is the path with dashes, so the folders that Cursor
    and other agents opened are tried."""
    storage = machine.settings / "Cursor/User"
    workspaces = _workspaces(storage)
    by_name = {_dashed(folder): folder for folder in [*folders, *workspaces.values()]}
    known: set[str] = set()
    root = machine.home / ".cursor/projects"
    for path in files(root, "*/agent-transcripts/*.jsonl", "*/agent-transcripts/*/*.jsonl"):
        place = root / path.relative_to(root).parts[0]
        known.add(path.stem)
        folder = by_name.get(_dashed(place.name)) or _existing(place.name) or str(place)
        yield from_file(CLIENT, path.stem, folder, path)
    for session in _in_database(storage, workspaces):
        if session.id not in known:
            yield session


def _dashed(path: str) -> str:
    return _OTHER.sub("-", path).strip("-").casefold()


def _existing(name: str) -> str | None:
    """The only folder whose path has this name with dashes."""
    places = [Path(Path.cwd().anchor)]
    wanted = f"{_dashed(name)}-"
    found: list[Path] = []
    while places:
        for child in _subfolders(places.pop()):
            dashed = f"{_dashed(str(child))}-"
            if dashed == wanted:
                found.append(child)
            elif wanted.startswith(dashed):
                places.append(child)
    return str(found[0]) if len(found) == 1 else None


def _subfolders(folder: Path) -> list[Path]:
    try:
        return [child for child in folder.iterdir() if child.is_dir() and not child.is_symlink()]
    except OSError:
        return []


def _workspaces(storage: Path) -> dict[Path, str]:
    """The folder that each workspace of the editor opened."""
    workspaces = {}
    for path in files(storage / "workspaceStorage", "*/workspace.json"):
        url = read_object(path).get("folder")
        if isinstance(url, str) and url.startswith("file:"):
            workspaces[path.parent] = unquote(urlsplit(url).path)
    return workspaces


def _in_database(storage: Path, workspaces: dict[Path, str]) -> Iterator[PastSession]:
    database = storage / "globalStorage/state.vscdb"
    for workspace, folder in workspaces.items():
        rows = _query(workspace / "state.vscdb", "ItemTable", "composer.composerData")
        composers = (rows[0] if rows else {}).get("allComposers")
        for composer in composers if isinstance(composers, list) else ():
            id = composer.get("composerId") if isinstance(composer, dict) else None
            if isinstance(id, str):
                updated = composer.get("lastUpdatedAt") or composer.get("createdAt")
                yield PastSession(
                    CLIENT, id, folder, at_milliseconds(updated), _reader(database, id)
                )


def _reader(database: Path, id: str) -> Any:
    return lambda: _turns(database, id)


def _turns(database: Path, id: str) -> list[Turn]:
    composer = next(iter(_query(database, "cursorDiskKV", f"composerData:{id}")), {})
    headers = composer.get("fullConversationHeadersOnly") or composer.get("conversation")
    bubbles = [header for header in headers or () if isinstance(header, dict)]
    keys = [f"bubbleId:{id}:{bubble.get('bubbleId')}" for bubble in bubbles]
    stored = _query_by_key(database, "cursorDiskKV", keys)
    rows = (stored.get(key) or bubble for key, bubble in zip(keys, bubbles, strict=True))
    return turns_in(
        {"role": _ROLES.get(row.get("type", 0)), "content": row.get("text"), "timestamp": _at(row)}
        for row in rows
    )


def _at(row: dict[str, Any]) -> str | None:
    moment = row.get("createdAt")
    return moment if isinstance(moment, str) else None


def _query(path: Path, table: Table, key: str) -> list[dict[str, Any]]:
    return list(_query_by_key(path, table, [key]).values())


def _query_by_key(path: Path, table: Table, keys: list[str]) -> dict[str, dict[str, Any]]:
    objects = ((key, as_object(value)) for key, value in read_values(path, table, keys))
    return {key: value for key, value in objects if value is not None}
