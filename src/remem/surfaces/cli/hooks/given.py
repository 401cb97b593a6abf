"""What each agent session was given already, and the log of the lines given for prompts.

Files of this machine, which only the user can read."""

import hashlib
import json
import os
from pathlib import Path
from time import time
from typing import Any

from remem.folders import default_config_dir

RETENTION_S = 30 * 24 * 3_600
LOG_LIMIT_BYTES, PROMPT_CHARS, IDS_LIMIT, TEXT_CHARS = 200_000, 200, 500, 100_000


def given_to(session: str) -> dict[str, Any]:
    """The `ids` of statements, and their `text` with that of the start of the session."""
    try:
        stored = json.loads(_file(session).read_text(encoding="utf-8"))
        return {"ids": list(stored["ids"]), "text": str(stored["text"])}
    except (OSError, ValueError, TypeError, KeyError):
        return {"ids": [], "text": ""}


def store_given(session: str, ids: list[str], text: str) -> None:
    given = {"ids": ids[-IDS_LIMIT:], "text": text[-TEXT_CHARS:]}
    _write(_file(session), json.dumps(given))


def forget_given(session: str) -> None:
    """After its context was compacted, a session may need the same again."""
    _file(session).unlink(missing_ok=True)


def remove_old() -> None:
    for path in _folder().glob("*.json"):
        if path.stat().st_mtime < time() - RETENTION_S:
            path.unlink(missing_ok=True)


def log_lines(session: str, client: str, prompt: str, statements: list[dict[str, Any]]) -> None:
    entry = {"at": int(time()), "session": session, "client": client}
    entry |= {"prompt": " ".join(prompt.split())[:PROMPT_CHARS]}
    lines = [json.dumps({**entry, **item}, ensure_ascii=False) for item in statements]
    file = _log()
    old = file.read_text(encoding="utf-8") if file.exists() else ""
    if len(old) > LOG_LIMIT_BYTES:
        old = old[len(old) // 2 :].partition("\n")[2]
    _write(file, "".join([old, *(f"{line}\n" for line in lines)]))


def logged_lines() -> list[dict[str, Any]]:
    """Oldest first."""
    try:
        return [json.loads(line) for line in _log().read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError):
        return []


def _write(file: Path, text: str) -> None:
    temporary = file.with_name(f"{file.name}.{os.getpid()}.new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as target:
        target.write(text)
    temporary.replace(file)


def _file(session: str) -> Path:
    return _folder() / f"{hashlib.sha256(session.encode()).hexdigest()[:32]}.json"


def _log() -> Path:
    return _folder() / "lines.jsonl"


def _folder() -> Path:
    folder = default_config_dir() / "hooks" / "prompts"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
