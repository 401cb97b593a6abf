"""`remem statusline`: one line for the status bar of Claude Code.

It runs after every message, so `remem` runs it without importing the other commands."""

import json
import os
import sys
from pathlib import Path
from time import time
from typing import Any
from urllib.parse import quote

from remem.folders import default_config_dir
from remem.surfaces.cli.hooks.event import folder_of, session_of
from remem.surfaces.cli.hooks.given import given_to
from remem.surfaces.cli.hooks.project import folder_project
from remem.surfaces.cli.hooks.request import NoServer, Refusal, send

DEFAULT_PROJECT = "default"
LIMIT_S = 1.0
# Without a save for so long, although a session ended, something is wrong.
STALE_S, ENDED_S = 2 * 24 * 3_600, 3_600
# How long a count is good for: the line is drawn several times a second.
FRESH_S = 15
INPUT_LIMIT_BYTES = 1_000_000
_RED, _PLAIN = "\033[31m", "\033[0m"
_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def statusline() -> None:
    """Print one line for the status bar of Claude Code: what is known, recalled and saved.

    Example: echo '{"cwd": "."}' | remem statusline
    """
    if sys.stdin.isatty():
        sys.stdout.write(status_line({}, time()) + "\n")
        return
    try:
        event = json.loads(sys.stdin.buffer.read(INPUT_LIMIT_BYTES).decode("utf-8", "replace"))
    except ValueError:
        event = {}
    sys.stdout.write(status_line(event if isinstance(event, dict) else {}, time()) + "\n")
    sys.stdout.flush()


def status_line(event: dict[str, Any], now: float) -> str:
    """Red if the server does not answer, or if nothing was saved for days though sessions ran."""
    workspace = event.get("workspace")
    place = workspace.get("current_dir") if isinstance(workspace, dict) else None
    project = folder_project(str(place or folder_of(event)))
    if project.settings.is_off:
        return "remem: off here"
    try:
        known = f"{_known(project.slug, now)} known"
    except NoServer:
        return f"{_RED}remem: no server answers{_PLAIN}"
    session = session_of(event)
    recalled = len(given_to(session)["ids"]) if session else 0
    saved_at, is_stale = _last_save(now)
    saved = f"saved {_ago(now - saved_at)} ago" if saved_at else "nothing saved yet"
    line = f"remem: {known} · {recalled} recalled · {saved}"
    return f"{_RED}{line}{_PLAIN}" if is_stale else line


def _known(slug: str, now: float) -> int:
    """The number of memories that a prompt may get: those of the project and the default one."""
    return sum(_count(project, now) for project in {slug, DEFAULT_PROJECT})


def _count(slug: str, now: float) -> int:
    counts = _read(_counts_file())
    count, counted_at = counts.get(slug, (0, 0.0))
    if now - counted_at < FRESH_S:
        return count
    try:
        path = f"/api/memories?limit=1&project={quote(slug, safe='')}"
        count = int(send("GET", path, None, LIMIT_S)["total"])
    except Refusal as refusal:
        # The project is created with its first session.
        if refusal.status != 404:
            raise
        count = 0
    _write(_counts_file(), {**counts, slug: (count, now)})
    return count


def _last_save(now: float) -> tuple[float, bool]:
    """When the last session was saved, and whether that is too long ago: one has ended since."""
    last, waits = 0.0, False
    for file in (default_config_dir() / "hooks").glob("*.json"):
        session = _read(file)
        last = max(last, float(session.get("saved_at_s") or 0))
        waits |= _is_unsaved(session) and file.stat().st_mtime < now - ENDED_S
    return last, waits and now - last > STALE_S


def _is_unsaved(session: dict[str, Any]) -> bool:
    try:
        return Path(str(session.get("transcript"))).stat().st_size != session.get("size")
    except OSError:
        return False


def _ago(seconds: float) -> str:
    for length, unit in _UNITS:
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return "0 s"


def _counts_file() -> Path:
    return default_config_dir() / "hooks" / "prompts" / "counts.json"


def _read(file: Path) -> dict[str, Any]:
    try:
        read = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _write(file: Path, value: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = file.with_name(f"{file.name}.{os.getpid()}.new")
    temporary.write_text(json.dumps(value), encoding="utf-8")
    temporary.replace(file)
