"""Sessions that hooks recorded: where the transcript is, and how much of it is saved."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import time
from typing import Any

from remem.folders import default_config_dir
from remem.surfaces.cli.files import write_atomically
from remem.surfaces.cli.hooks.event import folder_of, session_of
from remem.surfaces.cli.hooks.project import folder_project

SAVE_INTERVAL_S = 600
RETENTION_S = 30 * 24 * 3_600
LOG_LIMIT_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Session:
    """`size` is the size of the transcript in bytes when it was last saved."""

    client: str
    id: str
    transcript: str
    folder: str
    size: int = -1
    saved_at_s: float = 0.0

    @property
    def is_unsaved(self) -> bool:
        try:
            return Path(self.transcript).stat().st_size != self.size
        except OSError:
            return False


def record_session(client: str, event: dict[str, Any]) -> Session | None:
    """Record a session; one without a transcript has nothing to save."""
    id = session_of(event)
    transcript = event.get("transcript_path")
    if not id or not isinstance(transcript, str) or not transcript:
        return None
    folder = folder_of(event)
    if folder_project(folder).settings.is_never_saved(folder):
        return None
    known = next((old for old in recorded_sessions() if (old.client, old.id) == (client, id)), None)
    new = Session(client, id, str(Path(transcript).expanduser()), folder)
    session = replace(new, size=known.size, saved_at_s=known.saved_at_s) if known else new
    store_session(session)
    return session


def is_due(session: Session | None) -> bool:
    return session is not None and time() - session.saved_at_s > SAVE_INTERVAL_S


def recorded_sessions() -> list[Session]:
    sessions = []
    for path in sorted(_hooks_dir().glob("*.json")):
        try:
            if path.stat().st_mtime < time() - RETENTION_S:
                path.unlink()
                continue
            sessions.append(Session(**json.loads(path.read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError):
            # An unreadable file would never go away.
            path.unlink(missing_ok=True)
    return sessions


def unsaved_sessions() -> list[Session]:
    return [session for session in recorded_sessions() if session.is_unsaved]


def any_unsaved() -> bool:
    return bool(unsaved_sessions())


def store_session(session: Session) -> None:
    name = hashlib.sha256(f"{session.client}:{session.id}".encode()).hexdigest()[:32]
    write_atomically(_hooks_dir() / f"{name}.json", json.dumps(asdict(session)) + "\n", mode=0o600)


def log_file() -> Path:
    path = _hooks_dir() / "hooks.log"
    if path.exists() and path.stat().st_size > LOG_LIMIT_BYTES:
        path.unlink()
    return path


def lock_file() -> Path:
    return _hooks_dir() / "saver.lock"


def _hooks_dir() -> Path:
    folder = default_config_dir() / "hooks"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
