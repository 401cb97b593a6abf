"""Sessions that are kept open between two questions, one for an account."""

import asyncio
import contextlib
import imaplib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from remem.adapters.connectors.mail.client import ImapSession
from remem.core.errors import Unavailable

SESSIONS = 4
ENDED = (imaplib.IMAP4.error, OSError, EOFError)
Value = TypeVar("Value")


class SessionPool:
    def __init__(self) -> None:
        self._sessions: dict[str, ImapSession] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def use(
        self,
        key: str,
        open_session: Callable[[], Awaitable[ImapSession]],
        call: Callable[[ImapSession], Value],
    ) -> Value:
        """One question at a time; a session that was closed meanwhile is opened again, once."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            try:
                return await self._twice(key, open_session, call)
            finally:
                self._locks.pop(key, None)

    async def _twice(
        self,
        key: str,
        open_session: Callable[[], Awaitable[ImapSession]],
        call: Callable[[ImapSession], Value],
    ) -> Value:
        with contextlib.suppress(*ENDED):
            return await self._try(key, open_session, call)
        try:
            return await self._try(key, open_session, call)
        except ENDED as error:
            raise Unavailable("The mail server ended the connection; it is tried again.") from error

    async def _try(
        self,
        key: str,
        open_session: Callable[[], Awaitable[ImapSession]],
        call: Callable[[ImapSession], Value],
    ) -> Value:
        session = self._sessions.pop(key, None) or await open_session()
        try:
            value = await asyncio.to_thread(call, session)
        except BaseException:
            # Also when nobody waits any longer: a thread that does learns it so.
            session.close()
            raise
        self._sessions[key] = session
        while len(self._sessions) > SESSIONS:
            await asyncio.to_thread(self._sessions.pop(next(iter(self._sessions))).close)
        return value

    async def close(self) -> None:
        for session in self._sessions.values():
            await asyncio.to_thread(session.close)
        self._sessions.clear()
