"""Add turns to a session, and read them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.sessions import store
from remem.core.sessions.manage import Place, require_session
from remem.core.sessions.model import (
    CONTENT_LIMIT,
    IDS_LIMIT,
    TITLE_LIMIT,
    TURNS_LIMIT,
    NewTurn,
    Turn,
)
from remem.core.text import shorten
from remem.core.validate import check_text

TITLE_CHARS = 80


@dataclass(frozen=True, slots=True)
class TurnPage:
    turns: list[Turn]
    next: Place | None


async def add_turn(ports: Ports, scope: Scope, session_id: UUID, new: NewTurn) -> Turn:
    check_text("content", new.content, CONTENT_LIMIT, least=1)
    if not new.content.strip():
        raise Invalid("content", "is blank; send at least one character that can be seen")
    _check_ids("recalled", new.recalled)
    _check_ids("used", new.used)
    async with ports.db.transaction(scope) as tx:
        await require_items(tx, scope, _ids(new))
        (added,) = await add_in(tx, scope, session_id, [new])
        return added


async def require_items(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
    """Every id must be of a memory, chunk or document that is here."""
    unknown = set(ids) - await store.known_ids(tx, scope, ids)
    if unknown:
        raise NotFound("memory, chunk or document", min(unknown))


async def add_in(tx: Tx, scope: Scope, session_id: UUID, new: Sequence[NewTurn]) -> list[Turn]:
    """Inside a running transaction, one after the other: ids of what is gone meanwhile are left
    out."""
    if not await store.lock(tx, scope, session_id):
        raise NotFound("session", session_id)
    session = await require_session(tx, scope, session_id)
    if session.closed_at:
        raise Conflict("The session is closed; start another one.", code="session_closed")
    if session.turn_count + len(new) > TURNS_LIMIT:
        raise Conflict(
            f"The session has {TURNS_LIMIT:,} turns, the most it can have; start another one.",
            code="session_full",
        )
    known = await store.known_ids(tx, scope, [id for turn in new for id in _ids(turn)])
    added = [await store.insert_turn(tx, scope, session_id, _only(turn, known)) for turn in new]
    title = next((turn.content for turn in new if turn.role == "user"), None)
    short = shorten(title.strip(), TITLE_CHARS)[:TITLE_LIMIT] if title else None
    await store.touch(tx, scope, session_id, short)
    return added


async def list_turns(
    ports: Ports, scope: Scope, session_id: UUID, after: Place | None, limit: int
) -> TurnPage:
    """In the order in which they were said."""
    async with ports.db.transaction(scope) as tx:
        await require_session(tx, scope, session_id)
        found = await store.turns(tx, scope, session_id, after, limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    return TurnPage(found[:limit], (last.at, last.id) if last else None)


async def last_turns(tx: Tx, scope: Scope, session_id: UUID, limit: int) -> list[Turn]:
    """The newest, in the order in which they were said, inside a running transaction."""
    return await store.last_turns(tx, scope, session_id, limit)


def _check_ids(field: str, ids: Sequence[UUID]) -> None:
    if len(ids) > IDS_LIMIT:
        raise Invalid(field, f"send at most {IDS_LIMIT} ids")


def _ids(turn: NewTurn) -> tuple[UUID, ...]:
    return (*turn.recalled, *turn.used)


def _only(turn: NewTurn, known: set[UUID]) -> NewTurn:
    return replace(
        turn,
        recalled=tuple(id for id in turn.recalled if id in known),
        used=tuple(id for id in turn.used if id in known),
    )
