"""Send a signal, and list signals."""

from collections.abc import Sequence
from typing import Any, get_args
from uuid import UUID

from remem.core.errors import Invalid, NotFound
from remem.core.evolution.model import Signal, SignalType
from remem.core.evolution.signals import signal_store
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve, resolve_all
from remem.core.scope import Scope
from remem.core.search.model import QUERY_LIMIT
from remem.core.sessions.turns import require_items

IDS_LIMIT = 100


async def send_signal(
    ports: Ports,
    scope: Scope,
    type: SignalType,
    ids: Sequence[UUID],
    query: str | None = None,
    project: str | UUID | None = None,
    session_id: UUID | None = None,
) -> Signal:
    """Report that memories, chunks or documents were used for a query, or were helpful or not. A
    signal with a query is an episode of the arena; one without applies to every episode."""
    if type not in get_args(SignalType):
        raise Invalid("type", f"use one of {', '.join(get_args(SignalType))}")
    unique_ids = list(dict.fromkeys(ids))
    if not 1 <= len(unique_ids) <= IDS_LIMIT:
        raise Invalid("ids", f"send 1 to {IDS_LIMIT} ids")
    if query is not None and not 0 < len(query.strip()) <= QUERY_LIMIT:
        raise Invalid("query", f"give at least one character, and at most {QUERY_LIMIT:,}")
    async with ports.db.transaction(scope) as tx:
        await require_items(tx, unique_ids)
        session_project_id = await signal_store.own_session(tx, session_id) if session_id else None
        if session_id and session_project_id is None:
            raise NotFound("session", session_id)
        project_id = session_project_id or (await resolve(tx, project)).id
        row = await signal_store.insert_signal(tx, project_id, type, unique_ids, query, session_id)
    return _signal({**dict(row), "source": "signal"})


async def list_signals(
    ports: Ports, scope: Scope, project: str | UUID | None, before: UUID | None, limit: int
) -> tuple[list[Signal], UUID | None]:
    """A page of signals, newest first, and where the next page begins."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        rows = await signal_store.list_signals(tx, projects, before, limit + 1)
    signals = [_signal(dict(row)) for row in rows[:limit]]
    return signals, signals[-1].id if len(rows) > limit else None


def _signal(values: dict[str, Any]) -> Signal:
    return Signal(**values)
