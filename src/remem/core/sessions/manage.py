"""Open, list, read, close and delete sessions."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Forbidden, NotFound
from remem.core.events.record import record
from remem.core.ports import Ports
from remem.core.projects.resolve import refuse_archived, resolve, resolve_all
from remem.core.scope import Scope
from remem.core.sessions import store
from remem.core.sessions.model import (
    AGENT_LIMIT,
    KEY_LIMIT,
    TITLE_LIMIT,
    NewSession,
    Session,
    SessionChoice,
)
from remem.core.validate import check_text

Place: TypeAlias = tuple[datetime, UUID]


@dataclass(frozen=True, slots=True)
class SessionPage:
    sessions: list[Session]
    total: int
    next: Place | None


async def open_session(ports: Ports, scope: Scope, new: NewSession) -> tuple[Session, bool]:
    """Start a session, or give the open one that has the same key; and whether it is new."""
    if new.is_recorded and not ports.records_sessions:
        raise Forbidden("Sessions are not recorded by themselves here; see REMEM_RECORD_SESSIONS.")
    async with ports.db.transaction(scope) as tx:
        return await open_in(tx, scope, new)


async def open_in(tx: Tx, scope: Scope, new: NewSession) -> tuple[Session, bool]:
    """Inside a running transaction."""
    check_text("agent", new.agent, AGENT_LIMIT, least=1)
    check_text("title", new.title, TITLE_LIMIT)
    check_text("key", new.key, KEY_LIMIT, least=1)
    if new.key and (found := await store.find_by_key(tx, scope, new.key)):
        return found, False
    project = await resolve(tx, scope, new.project, create=isinstance(new.project, str))
    refuse_archived(project)
    id = await store.insert(tx, scope, project.id, new)
    if id:
        await record(tx, scope, "session", id, "create")
        return await require_session(tx, scope, id), True
    found = await store.find_by_key(tx, scope, new.key or "")
    if found is None:
        raise NotFound("session", new.key)
    return found, False


async def list_sessions(
    ports: Ports, scope: Scope, choice: SessionChoice, before: Place | None, limit: int
) -> SessionPage:
    """The caller's own, newest first."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, scope, choice.project)
        found, total = await store.page(tx, scope, choice, projects, before, limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    return SessionPage(found[:limit], total, (last.created_at, last.id) if last else None)


async def get_session(ports: Ports, scope: Scope, id: UUID) -> Session:
    async with ports.db.transaction(scope) as tx:
        return await require_session(tx, scope, id)


async def close_session(ports: Ports, scope: Scope, id: UUID) -> Session:
    """A session that is closed takes no more turns. To close it again changes nothing."""
    async with ports.db.transaction(scope) as tx:
        found = await require_session(tx, scope, id)
        if found.closed_at is None:
            await store.close(tx, scope, id)
            await record(tx, scope, "session", id, "close")
        return await require_session(tx, scope, id)


async def delete_session(ports: Ports, scope: Scope, id: UUID) -> None:
    """Erase a session with its turns. What was saved in it stays."""
    async with ports.db.transaction(scope) as tx:
        await require_session(tx, scope, id)
        await store.delete(tx, scope, id)
        await record(tx, scope, "session", id, "delete")


async def erase_silent(ports: Ports, scope: Scope) -> int:
    """Those that were recorded by themselves and have been silent for as long as they are kept."""
    if not ports.session_days:
        return 0
    async with ports.db.transaction(scope) as tx:
        return await store.delete_recorded(tx, scope, ports.session_days)


async def require_session(tx: Tx, scope: Scope, id: UUID) -> Session:
    found = await store.find(tx, scope, id)
    if found is None:
        raise NotFound("session", id)
    return found
