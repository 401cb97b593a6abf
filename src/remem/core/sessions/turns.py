"""Add turns to a session, and read them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.sessions import session_store
from remem.core.sessions.manage import SessionPosition, require_session
from remem.core.sessions.model import (
    CONTENT_LIMIT,
    IDS_LIMIT,
    TITLE_LIMIT,
    TURNS_LIMIT,
    NewTurn,
    Turn,
)
from remem.core.text import shorten
from remem.core.transaction import Tx
from remem.core.validate import check_text

TITLE_CHARS = 80


@dataclass(frozen=True, slots=True)
class TurnPage:
    turns: list[Turn]
    next: SessionPosition | None


async def add_turn(ports: Ports, scope: Scope, session_id: UUID, new: NewTurn) -> Turn:
    check_text("content", new.content, CONTENT_LIMIT, least=1)
    if not new.content.strip():
        raise Invalid("content", "is blank; send at least one character that can be seen")
    _check_ids("recalled", new.recalled)
    _check_ids("used", new.used)
    async with ports.db.transaction(scope) as tx:
        await require_items(tx, _ids(new))
        (added,) = await add_in(tx, session_id, [new])
        return added


async def require_items(tx: Tx, ids: Sequence[UUID]) -> None:
    """Raise NotFound unless every id is of an existing memory, chunk or document."""
    unknown = set(ids) - await session_store.known_ids(tx, ids)
    if unknown:
        raise NotFound("memory, chunk or document", min(unknown))


async def add_in(tx: Tx, session_id: UUID, new: Sequence[NewTurn]) -> list[Turn]:
    """Add turns in order inside the caller's transaction; ids of items deleted meanwhile are left
    out."""
    if not await session_store.lock(tx, session_id):
        raise NotFound("session", session_id)
    session = await require_session(tx, session_id)
    if session.closed_at:
        raise Conflict("The session is closed; start another one.", code="session_closed")
    if session.turn_count + len(new) > TURNS_LIMIT:
        raise Conflict(
            f"The session has {TURNS_LIMIT:,} turns, the most it can have; start another one.",
            code="session_full",
        )
    known = await session_store.known_ids(tx, [id for turn in new for id in _ids(turn)])
    added = [
        await session_store.insert_turn(tx, session_id, _with_known_ids(turn, known))
        for turn in new
    ]
    title = next((turn.content for turn in new if turn.role == "user"), None)
    short_title = shorten(title.strip(), TITLE_CHARS)[:TITLE_LIMIT] if title else None
    await session_store.touch(tx, session_id, short_title)
    return added


async def list_turns(
    ports: Ports, scope: Scope, session_id: UUID, after: SessionPosition | None, limit: int
) -> TurnPage:
    """A page of turns, in the order in which they were said."""
    async with ports.db.transaction(scope) as tx:
        await require_session(tx, session_id)
        turns = await session_store.turns(tx, session_id, after, limit + 1)
    last = turns[limit - 1] if len(turns) > limit else None
    return TurnPage(turns[:limit], (last.at, last.id) if last else None)


async def last_turns(tx: Tx, session_id: UUID, limit: int) -> list[Turn]:
    """The latest turns, in the order in which they were said; runs inside the caller's
    transaction."""
    return await session_store.last_turns(tx, session_id, limit)


def _check_ids(field: str, ids: Sequence[UUID]) -> None:
    if len(ids) > IDS_LIMIT:
        raise Invalid(field, f"send at most {IDS_LIMIT} ids")


def _ids(turn: NewTurn) -> tuple[UUID, ...]:
    return (*turn.recalled, *turn.used)


def _with_known_ids(turn: NewTurn, known: set[UUID]) -> NewTurn:
    return replace(
        turn,
        recalled=tuple(id for id in turn.recalled if id in known),
        used=tuple(id for id in turn.used if id in known),
    )
