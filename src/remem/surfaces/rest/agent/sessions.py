"""Sessions: the conversations of agents and people, turn by turn."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import Field

from remem.core.sessions import manage
from remem.core.sessions.model import (
    AGENT_LIMIT,
    CONTENT_LIMIT,
    IDS_LIMIT,
    KEY_LIMIT,
    TITLE_LIMIT,
    NewSession,
    NewTurn,
    Role,
    Session,
    SessionChoice,
    Turn,
)
from remem.core.sessions.turns import add_turn, list_turns
from remem.surfaces.rest.agent.shapes import Camel, CamelBody
from remem.surfaces.rest.cursors import read_cursor, write_cursor
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import InProject, PageLimit
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show, show_one
from remem.surfaces.rest.shapes import Moment

router = APIRouter(prefix="/api", tags=["agents: sessions"], route_class=Guarded)


class TurnIn(CamelBody):
    role: Role
    content: str = Field(min_length=1, max_length=CONTENT_LIMIT)
    recalled: list[UUID] = Field(
        default_factory=list,
        max_length=IDS_LIMIT,
        description="Memories, chunks or documents that were found.",
    )
    used: list[UUID] = Field(
        default_factory=list, max_length=IDS_LIMIT, description="Those that the answer is based on."
    )
    at: Moment | None = Field(default=None, description="When it was said; now if absent.")


class SessionIn(CamelBody):
    project: str | None = Field(default=None, description="A name or path; created on first use.")
    project_id: UUID | None = Field(default=None, description="An existing project, by id.")
    agent: str | None = Field(
        default=None, min_length=1, max_length=AGENT_LIMIT, description="The name of the agent."
    )
    title: str | None = Field(
        default=None, max_length=TITLE_LIMIT, description="The first question if absent."
    )
    key: str | None = Field(
        default=None,
        min_length=1,
        max_length=KEY_LIMIT,
        description="Your own key: an open session with this key is returned.",
    )
    recorded: bool = Field(
        default=False,
        description="Whether a program records it automatically; refused if the server forbids it.",
    )


class AgentSession(Camel):
    id: UUID
    project: str
    project_id: UUID
    agent: str | None
    title: str | None
    key: str | None
    recorded: bool = Field(description="Whether remem recorded it automatically.")
    turn_count: int
    created_at: Moment
    updated_at: Moment
    closed_at: Moment | None


class AgentSessionPage(Camel):
    sessions: list[AgentSession]
    total: int
    next_cursor: str | None = Field(alias="next_cursor")
    unreadable: UnreadableItems


class AgentTurn(Camel):
    id: UUID
    session_id: UUID
    role: str
    content: str
    recalled: list[UUID]
    used: list[UUID]
    erased: bool = Field(
        description="Whether its text was erased because an item it used was deleted."
    )
    answer: dict[str, Any] | None = Field(
        default=None, description="For an answer to `ask`: its statements with their citations."
    )
    at: Moment


class AgentSessionDetail(AgentSession):
    turns: list[AgentTurn]
    next_cursor: str | None = Field(alias="next_cursor")
    unreadable: UnreadableItems


_OTHERWISE: dict[int | str, dict[str, Any]] = {
    200: {"model": AgentSession, "description": "A session with this key is already open."}
}


@router.get("/sessions", response_model=AgentSessionPage)
async def list_all(
    ports: PortsDep,
    caller: Reader,
    project: InProject = None,
    agent: Annotated[str | None, Query(description="Only sessions of this agent.")] = None,
    open: Annotated[bool | None, Query(description="Only open ones, or only closed ones.")] = None,
    limit: PageLimit = 20,
    cursor: str | None = None,
) -> AgentSessionPage:
    """List your sessions, newest first. Other members of an organization do not see them."""
    choice = SessionChoice(project, agent, open)
    page = await manage.list_sessions(ports, caller, choice, read_cursor(cursor), limit)
    shown, unreadable = show(page.sessions, session_out)
    return AgentSessionPage(
        sessions=shown,
        unreadable=unreadable,
        total=page.total,
        next_cursor=write_cursor(page.next),
    )


@router.post("/sessions", status_code=201, response_model=AgentSession, responses=_OTHERWISE)
async def start(
    body: SessionIn, ports: PortsDep, caller: Writer, response: Response
) -> AgentSession:
    """Start a session. 200: a session with this key is already open and is returned."""
    project = body.project_id or body.project
    new = NewSession(project, body.agent, body.title, body.key, body.recorded)
    session, is_new = await manage.open_session(ports, caller, new)
    response.status_code = 201 if is_new else 200
    return session_out(session)


@router.get("/sessions/{id}", response_model=AgentSessionDetail)
async def read(
    id: UUID,
    ports: PortsDep,
    caller: Reader,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    cursor: str | None = None,
) -> AgentSessionDetail:
    """Get a session with its turns, oldest first."""
    session = await manage.get_session(ports, caller, id)
    page = await list_turns(ports, caller, id, read_cursor(cursor), limit)
    turns, unreadable = show(page.turns, turn_out)
    return AgentSessionDetail(
        **show_one(session, session_out).model_dump(),
        turns=turns,
        unreadable=unreadable,
        next_cursor=write_cursor(page.next),
    )


@router.post("/sessions/{id}/turns", status_code=201, response_model=AgentTurn)
async def say(id: UUID, body: TurnIn, ports: PortsDep, caller: Writer) -> AgentTurn:
    """Add a turn: what was said, what was recalled for it, and what it used."""
    new = NewTurn(body.role, body.content, tuple(body.recalled), tuple(body.used), body.at)
    return turn_out(await add_turn(ports, caller, id, new))


@router.post("/sessions/{id}/close", response_model=AgentSession)
async def close(id: UUID, ports: PortsDep, caller: Writer) -> AgentSession:
    """Close a session: it accepts no more turns."""
    return show_one(await manage.close_session(ports, caller, id), session_out)


@router.delete("/sessions/{id}", status_code=204)
async def delete(id: UUID, ports: PortsDep, caller: Writer) -> None:
    """Erase a session with its turns. Memories saved in it stay."""
    await manage.delete_session(ports, caller, id)


def session_out(session: Session) -> AgentSession:
    return AgentSession.of(session, project=session.project_ref, recorded=session.is_recorded)


def turn_out(turn: Turn) -> AgentTurn:
    answer = turn.evidence.get("answer")
    return AgentTurn.of(
        turn,
        recalled=[UUID(id) for id in turn.recalled],
        used=[UUID(id) for id in turn.used],
        erased=turn.is_erased,
        answer=answer if isinstance(answer, dict) else None,
    )
