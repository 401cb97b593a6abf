"""All past sessions of all agents on this machine."""

from collections.abc import Iterator
from datetime import datetime

from remem.surfaces.cli.backfill.cursor import cursor_sessions
from remem.surfaces.cli.backfill.opencode import opencode_sessions
from remem.surfaces.cli.backfill.past_session import PastSession
from remem.surfaces.cli.backfill.transcripts import (
    claude_code_sessions,
    codex_sessions,
    gemini_sessions,
)
from remem.surfaces.cli.install.clients import Machine


def past_sessions(machine: Machine, since: datetime | None = None) -> list[PastSession]:
    """The sessions that changed since then, the oldest first, so that what came later is newer."""
    found = [
        *claude_code_sessions(machine),
        *codex_sessions(machine),
        *opencode_sessions(machine),
    ]
    folders = {session.folder for session in found}
    found += [*gemini_sessions(machine, folders), *cursor_sessions(machine, folders)]
    recent = (session for session in found if since is None or session.changed_at >= since)
    return list(_newest_of_each(sorted(recent, key=lambda session: session.changed_at)))


def _newest_of_each(sessions: list[PastSession]) -> Iterator[PastSession]:
    """A session may be in two files, such as an archived copy."""
    newest = {(session.client, session.id): session for session in sessions}
    yield from newest.values()
