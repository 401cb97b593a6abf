"""Sessions that hooks have noted: which transcript, and how much of it is saved."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import time
from typing import Any

from remem.folders import default_config_dir
from remem.surfaces.cli.files import write_over

EVERY_S = 600
KEPT_S = 30 * 24 * 3_600
LOG_LIMIT_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Session:
    """`size` is how many bytes of the transcript there were when it was last saved."""

    client: str
    id: str
    transcript: str
    folder: str
    size: int = -1
    saved_at_s: float = 0.0

    @property
    def is_waiting(self) -> bool:
        try:
            return Path(self.transcript).stat().st_size != self.size
        except OSError:
            return False


def note(client: str, event: dict[str, Any]) -> Session | None:
    """Remember a session; one without a transcript has nothing to save."""
    id = str(event.get("session_id") or event.get("conversation_id") or "")
    transcript = event.get("transcript_path")
    if not id or not isinstance(transcript, str) or not transcript:
        return None
    known = next((one for one in noted() if (one.client, one.id) == (client, id)), None)
    fresh = Session(client, id, str(Path(transcript).expanduser()), folder_of(event))
    session = replace(fresh, size=known.size, saved_at_s=known.saved_at_s) if known else fresh
    keep(session)
    return session


def folder_of(event: dict[str, Any]) -> str:
    roots = event.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else None
    return str(event.get("cwd") or first or Path.cwd())


def is_due(session: Session | None) -> bool:
    return session is not None and time() - session.saved_at_s > EVERY_S


def noted() -> list[Session]:
    found = []
    for path in sorted(_room().glob("*.json")):
        try:
            if path.stat().st_mtime < time() - KEPT_S:
                path.unlink()
                continue
            found.append(Session(**json.loads(path.read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError):
            # One that cannot be read would be in the way for ever.
            path.unlink(missing_ok=True)
    return found


def waiting() -> list[Session]:
    return [one for one in noted() if one.is_waiting]


def any_waiting() -> bool:
    return bool(waiting())


def keep(session: Session) -> None:
    name = hashlib.sha256(f"{session.client}:{session.id}".encode()).hexdigest()[:32]
    write_over(_room() / f"{name}.json", json.dumps(asdict(session)) + "\n", mode=0o600)


def log_file() -> Path:
    path = _room() / "hooks.log"
    if path.exists() and path.stat().st_size > LOG_LIMIT_BYTES:
        path.unlink()
    return path


def lock_file() -> Path:
    return _room() / "saver.lock"


def _room() -> Path:
    room = default_config_dir() / "hooks"
    room.mkdir(parents=True, exist_ok=True, mode=0o700)
    return room
