"""Save the sessions that hooks recorded, one process at a time."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from remem.core.errors import RememError
from remem.surfaces.cli.hooks.sessions import Session, lock_file, store_session, unsaved_sessions
from remem.surfaces.cli.hooks.transcript import turns_of
from remem.surfaces.cli.hooks.upload import Conversation, savable, upload

if TYPE_CHECKING:
    from remem.client import AsyncRemem

ROUNDS = 5


def save_recorded() -> dict[str, Any]:
    """Save the recorded sessions and report the results. Do nothing while another process saves
    them."""
    report: dict[str, Any] = {"saved": 0, "empty": 0, "failed": []}
    with _try_lock() as is_only_saver:
        tried: set[tuple[str, str, int]] = set()
        for _ in range(ROUNDS if is_only_saver else 0):
            # More sessions may be recorded while we save.
            untried = [session for session in unsaved_sessions() if _state(session) not in tried]
            if not untried:
                break
            tried |= {_state(session) for session in untried}
            asyncio.run(_save_all(untried, report))
    return report


def _state(session: Session) -> tuple[str, str, int]:
    return session.client, session.id, Path(session.transcript).stat().st_size


async def _save_all(sessions: list[Session], report: dict[str, Any]) -> None:
    from remem.surfaces.cli.context import open_client

    async with open_client(None, None) as remem:
        for session in sessions:
            try:
                report["saved" if await _save(remem, session) else "empty"] += 1
            except (RememError, OSError, ValueError) as error:
                report["failed"].append({"session": session.id, "reason": str(error)})


async def _save(remem: "AsyncRemem", session: Session) -> bool:
    # Take the size before reading: what is written meanwhile is saved the next time.
    size = _state(session)[2]
    turns = await asyncio.to_thread(turns_of, Path(session.transcript))
    conversation = savable(Conversation(session.client, session.id, session.folder, turns))
    if conversation:
        saved = await upload(remem, conversation)
        if saved["status"] not in ("done", "failed"):
            await remem.finished(saved["id"])
    store_session(replace(session, size=size, saved_at_s=time()))
    return conversation is not None


@contextmanager
def _try_lock() -> Iterator[bool]:
    """Yield whether this is the only saver. The system releases the lock when the process ends."""
    try:
        import fcntl
    except ImportError:  # Windows: two savers at once save the same thing once.
        yield True
        return
    descriptor = os.open(lock_file(), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_only = True
    except BlockingIOError:
        is_only = False
    except OSError:  # a network share without locks
        is_only = True
    try:
        yield is_only
    finally:
        os.close(descriptor)
