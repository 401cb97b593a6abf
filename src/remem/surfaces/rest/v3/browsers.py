"""Signed-in browsers: the options of the sign-in page, the list of sessions, one-time links."""

from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from remem.core.errors import Forbidden
from remem.core.identity import browsers
from remem.core.identity.model import BrowserSession
from remem.surfaces.cookies import session_token
from remem.surfaces.local_requests import is_from_this_computer
from remem.surfaces.rest.deps import Admin, PortsDep, SettingsDep
from remem.surfaces.rest.guard import Guarded, Public
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment, Reply

public = APIRouter(prefix="/v3", tags=["account"], route_class=Public)
router = APIRouter(prefix="/v3", tags=["account"], route_class=Guarded)


class SignInOptions(BaseModel):
    registration: bool = Field(description="Whether anyone may create an account.")
    link: bool = Field(
        description="Whether a link of `remem serve` or `remem open` works at this address."
    )


class SessionLine(Reply):
    id: UUID
    organization_id: UUID
    agent: str | None = Field(description="The browser's own name for itself.")
    current: bool = Field(description="Whether this request comes from it.")
    created_at: Moment
    last_used_at: Moment | None
    expires_at: Moment


class SessionList(BaseModel):
    sessions: list[SessionLine]
    unreadable: UnreadableItems


class LinkOut(BaseModel):
    path: str = Field(description="Open it on this computer, at this server's URL.")
    expires_at: Moment


@public.get("/auth/options", response_model=SignInOptions)
async def options(settings: SettingsDep, request: Request) -> SignInOptions:
    """The options of the sign-in page."""
    return SignInOptions(
        registration=settings.is_registration_open, link=is_from_this_computer(settings, request)
    )


@router.get("/auth/sessions", response_model=SessionList)
async def list_all(ports: PortsDep, caller: Admin, request: Request) -> SessionList:
    """List your signed-in browsers, newest first."""
    browser_sessions = await browsers.list_sessions(ports, caller, session_token(request))
    sessions, unreadable = show(browser_sessions, _line)
    return SessionList(sessions=sessions, unreadable=unreadable)


@router.delete("/auth/sessions/{id}", status_code=204)
async def end(id: UUID, ports: PortsDep, caller: Admin) -> None:
    """Sign a browser out."""
    await browsers.end_session(ports, caller, id)


@router.post("/auth/links", status_code=201, response_model=LinkOut)
async def make_link(
    ports: PortsDep, settings: SettingsDep, caller: Admin, request: Request
) -> LinkOut:
    """Create a link that signs in a browser of this computer, once, within ten minutes."""
    if not is_from_this_computer(settings, request):
        raise Forbidden("Sign-in links can only be created on the server's own computer.")
    token, expires_at = await browsers.make_link(ports, caller)
    return LinkOut(path=f"/open/{token}", expires_at=expires_at)


def _line(session: BrowserSession) -> SessionLine:
    return SessionLine.of(session, organization_id=session.tenant_id, current=session.is_current)
