"""Open, list, read, close and delete sessions."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from remem.core.errors import Forbidden, NotFound
from remem.core.events.record import record
from remem.core.ports import Ports
from remem.core.projects.resolve import refuse_archived, resolve, resolve_all
from remem.core.scope import Scope
from remem.core.sessions import session_store
from remem.core.sessions.model import (
    AGENT_LIMIT,
    KEY_LIMIT,
    TITLE_LIMIT,
    NewSession,
    Session,
    SessionChoice,
)
from remem.core.transaction import Tx
from remem.core.validate import check_text

SessionPosition: TypeAlias = tuple[datetime, UUID]


@dataclass(frozen=True, slots=True)
class SessionPage:
    sessions: list[Session]
    total: int
    next: SessionPosition | None


async def open_session(ports: Ports, scope: Scope, new: NewSession) -> tuple[Session, bool]:
    """Start a session, or return the open one with the same key; also return whether it is new."""
    if new.is_recorded and not ports.records_sessions:
        raise Forbidden("Sessions are not recorded automatically here; see REMEM_RECORD_SESSIONS.")
    async with ports.db.transaction(scope) as tx:
        return await open_in(tx, new)


async def open_in(tx: Tx, new: NewSession) -> tuple[Session, bool]:
    """`open_session` inside the caller's transaction."""
    check_text("agent", new.agent, AGENT_LIMIT, least=1)
    check_text("title", new.title, TITLE_LIMIT)
    check_text("key", new.key, KEY_LIMIT, least=1)
    if new.key and (session := await session_store.find_by_key(tx, new.key)):
        return session, False
    project = await resolve(tx, new.project, create=isinstance(new.project, str))
    refuse_archived(project)
    id = await session_store.insert(tx, project.id, new)
    if id:
        await record(tx, "session", id, "create")
        return await require_session(tx, id), True
    session = await session_store.find_by_key(tx, new.key or "")
    if session is None:
        raise NotFound("session", new.key)
    return session, False


async def list_sessions(
    ports: Ports, scope: Scope, choice: SessionChoice, before: SessionPosition | None, limit: int
) -> SessionPage:
    """A page of the caller's own sessions, newest first."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, choice.project)
        sessions, total = await session_store.page(tx, choice, projects, before, limit + 1)
    last = sessions[limit - 1] if len(sessions) > limit else None
    return SessionPage(sessions[:limit], total, (last.created_at, last.id) if last else None)


async def get_session(ports: Ports, scope: Scope, id: UUID) -> Session:
    async with ports.db.transaction(scope) as tx:
        return await require_session(tx, id)


async def close_session(ports: Ports, scope: Scope, id: UUID) -> Session:
    """Close a session, which then accepts no more turns. Closing it again changes nothing."""
    async with ports.db.transaction(scope) as tx:
        session = await require_session(tx, id)
        if session.closed_at is None:
            await session_store.close(tx, id)
            await record(tx, "session", id, "close")
        return await require_session(tx, id)


async def delete_session(ports: Ports, scope: Scope, id: UUID) -> None:
    """Erase a session with its turns. What was saved in it is kept."""
    async with ports.db.transaction(scope) as tx:
        await require_session(tx, id)
        await session_store.delete(tx, id)
        await record(tx, "session", id, "delete")


async def delete_inactive_sessions(ports: Ports, scope: Scope) -> int:
    """Delete automatically recorded sessions without a turn for the retention time; return how
    many."""
    if not ports.session_days:
        return 0
    async with ports.db.transaction(scope) as tx:
        return await session_store.delete_recorded(tx, ports.session_days)


async def require_session(tx: Tx, id: UUID) -> Session:
    session = await session_store.find(tx, id)
    if session is None:
        raise NotFound("session", id)
    return session
