"""Sessions that an agent keeps as one file each: Claude Code, Codex and Gemini CLI."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from remem.surfaces.cli.backfill.past_session import (
    PastSession,
    files,
    from_file,
    head_rows,
    read_object,
)
from remem.surfaces.cli.install.clients import Machine

_CODEX_HEADS = ("session_meta", "turn_context")


def claude_code_sessions(machine: Machine) -> Iterator[PastSession]:
    """`projects/<folder>/<session id>.jsonl`; the files of agents that it started are left out."""
    root = machine.named("CLAUDE_CONFIG_DIR", machine.home / ".claude") / "projects"
    for path in files(root, "*/*.jsonl"):
        folder = next((row["cwd"] for row in head_rows(path) if _is_text(row.get("cwd"))), None)
        if not path.name.startswith("agent-"):
            yield from_file("claude-code", path.stem, folder or str(path.parent), path)


def codex_sessions(machine: Machine) -> Iterator[PastSession]:
    """`sessions/<year>/<month>/<day>/rollout-<time>-<session id>.jsonl`."""
    home = machine.named("CODEX_HOME", machine.home / ".codex")
    for path in files(home, "sessions/**/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl"):
        rows = [row for row in head_rows(path) if row.get("type") in _CODEX_HEADS]
        heads = [row["payload"] for row in rows if isinstance(row.get("payload"), dict)]
        if any(isinstance(head.get("source"), dict) for head in heads):
            continue  # an agent that the session started
        id = _first(heads, "id") or path.stem[-36:]
        git = next((head["git"] for head in heads if isinstance(head.get("git"), dict)), {})
        remote = git.get("repository_url")
        folder = _first(heads, "cwd") or str(path.parent)
        yield from_file("codex", id, folder, path, remote if _is_text(remote) else None)


def gemini_sessions(machine: Machine, folders: Iterable[str]) -> Iterator[PastSession]:
    """`tmp/<project>/chats/session-*.json` or `.jsonl`. Older versions name the project by the
    hash of its folder, so the folders of other agents are tried."""
    home = machine.home / ".gemini"
    known = read_object(home / "projects.json").get("projects")
    candidates = [*folders, *(known if isinstance(known, dict) else ())]
    by_hash = {hashlib.sha256(folder.encode()).hexdigest(): folder for folder in candidates}
    names = {name: folder for folder, name in known.items()} if isinstance(known, dict) else {}
    for path in files(home / "tmp", "*/chats/session-*.json", "*/chats/session-*.jsonl"):
        place = path.parent.parent
        head = _gemini_head(path)
        id = head.get("sessionId")
        if not isinstance(id, str) or head.get("kind") == "subagent":
            continue
        root = _read_line(place / ".project_root") or names.get(place.name)
        yield from_file("gemini", id, root or by_hash.get(place.name) or str(place), path)


def _gemini_head(path: Path) -> dict[str, Any]:
    if path.suffix == ".json":
        return read_object(path)
    return next((row for row in head_rows(path) if "sessionId" in row), {})


def _read_line(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def _first(heads: list[dict[str, Any]], name: str) -> str | None:
    return next((head[name] for head in heads if _is_text(head.get(name))), None)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)
