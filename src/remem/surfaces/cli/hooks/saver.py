"""Save the sessions that hooks noted, one process at a time."""

import asyncio
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from remem.core.errors import RememError
from remem.surfaces.cli.hooks.opening import SESSION, project_of
from remem.surfaces.cli.hooks.sessions import Session, keep, lock_file, waiting
from remem.surfaces.cli.hooks.transcript import Turn, turns_of

if TYPE_CHECKING:
    from remem.client import AsyncRemem

ROUNDS = 5
TITLE_LIMIT = 120


def save_noted() -> dict[str, Any]:
    """What became of them. When another process is at it, there is nothing to do here."""
    done: dict[str, Any] = {"saved": 0, "empty": 0, "failed": []}
    with _alone() as mine:
        tried: set[tuple[str, str, int]] = set()
        for _ in range(ROUNDS if mine else 0):
            # More may be noted while we save.
            fresh = [one for one in waiting() if _state(one) not in tried]
            if not fresh:
                break
            tried |= {_state(one) for one in fresh}
            asyncio.run(_save_all(fresh, done))
    return done


def _state(session: Session) -> tuple[str, str, int]:
    return session.client, session.id, Path(session.transcript).stat().st_size


async def _save_all(sessions: list[Session], done: dict[str, Any]) -> None:
    from remem.surfaces.cli.context import memory

    async with memory(None, None) as remem:
        for session in sessions:
            try:
                done["saved" if await _save(remem, session) else "empty"] += 1
            except (RememError, OSError, ValueError) as error:
                done["failed"].append({"session": session.id, "reason": str(error)})


async def _save(remem: "AsyncRemem", session: Session) -> bool:
    # Measured before it is read: what is written meanwhile is saved the next time.
    size = _state(session)[2]
    turns = await asyncio.to_thread(turns_of, Path(session.transcript))
    if talks := {turn.role for turn in turns} == {"user", "assistant"}:
        await _upload(remem, session, turns)
    keep(replace(session, size=size, saved_at_s=time()))
    return talks


async def _upload(remem: "AsyncRemem", session: Session, turns: list[Turn]) -> None:
    """By its address a session is one document: what it grew by makes a version of it."""
    project = project_of(session.folder)
    await _ensure_project(remem, project)
    title = next(turn.content for turn in turns if turn.role == "user").split("\n")[0]
    talk = {"messages": [asdict(turn) for turn in turns]}
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        file = Path(folder) / "session.json"
        file.write_text(json.dumps(talk, ensure_ascii=False), encoding="utf-8")
        saved = await remem.upload(
            file,
            source_url=f"{SESSION}{session.client}/{session.id}",
            project=project,
            title=title[:TITLE_LIMIT],
            tags=["session", session.client],
            metadata={"session_id": session.id, "client": session.client},
        )
    if saved["status"] not in ("done", "failed"):
        await remem.finished(saved["id"])


async def _ensure_project(remem: "AsyncRemem", project: str) -> None:
    if not any(one["slug"] == project for one in await remem.projects()):
        try:
            await remem.request("POST", "/v3/projects", json={"name": project, "slug": project})
        except RememError as error:
            if error.code != "conflict":
                raise


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether we are; the lock goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows: two savers at once save the same thing once.
        yield True
        return
    descriptor = os.open(lock_file(), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)
