"""IMAP sessions that stay open between calls, one per account."""

import asyncio
import contextlib
import imaplib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from remem.adapters.connectors.mail.client import ImapSession
from remem.core.errors import Unavailable

SESSIONS = 4
SESSION_ERRORS = (imaplib.IMAP4.error, OSError, EOFError)
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
        """Call with the session of an account, one call at a time. A session that was closed
        meanwhile is opened again, once."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            try:
                return await self._use_with_retry(key, open_session, call)
            finally:
                self._locks.pop(key, None)

    async def _use_with_retry(
        self,
        key: str,
        open_session: Callable[[], Awaitable[ImapSession]],
        call: Callable[[ImapSession], Value],
    ) -> Value:
        with contextlib.suppress(*SESSION_ERRORS):
            return await self._use_once(key, open_session, call)
        try:
            return await self._use_once(key, open_session, call)
        except SESSION_ERRORS as error:
            raise Unavailable("The mail server ended the connection; it is tried again.") from error

    async def _use_once(
        self,
        key: str,
        open_session: Callable[[], Awaitable[ImapSession]],
        call: Callable[[ImapSession], Value],
    ) -> Value:
        session = self._sessions.pop(key, None) or await open_session()
        try:
            value = await asyncio.to_thread(call, session)
        except BaseException:
            # Also on cancellation: it makes the thread that still uses the session fail.
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
