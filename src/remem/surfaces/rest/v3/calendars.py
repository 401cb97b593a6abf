"""Calendars: secret addresses at which a calendar program reads what is due."""

import hashlib
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from remem.core.calendars.manage import create_calendar, list_calendars, revoke_calendar
from remem.core.calendars.model import CALENDARS_LIMIT, NAME_LIMIT, Calendar
from remem.core.calendars.read import read_calendar, unknown_calendar
from remem.surfaces.address import base_url
from remem.surfaces.proxies import client_address
from remem.surfaces.rest.deps import PortsDep, Reader, SettingsDep, Writer
from remem.surfaces.rest.fields import Described
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.icalendar import write_calendar
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Body, Moment, Reply

router = APIRouter(prefix="/v3", tags=["calendars"], route_class=Guarded)
# Programs may add parameters of their own to the address.
public = APIRouter(tags=["calendars"])

SUFFIX = ".ics"
_HEADERS = {
    "Cache-Control": "private, no-cache",
    "Content-Disposition": 'inline; filename="remem.ics"',
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


class CalendarIn(Body):
    name: Annotated[str, Described(minLength=1, maxLength=NAME_LIMIT)] = Field(
        description="What the calendar program shows."
    )
    project: str | None = Field(
        default=None, description="A slug, path or name; all projects if absent."
    )
    project_id: UUID | None = None


class CalendarOut(Reply):
    id: UUID
    name: str
    project: str | None = Field(description="null if it has what is due in all projects.")
    created_at: Moment
    last_read_at: Moment | None = Field(description="To the hour.")
    expires_at: Moment | None = Field(description="That of the key that made it.")


class NewCalendarOut(CalendarOut):
    url: str = Field(description="The address to subscribe to; shown once.")


class CalendarList(BaseModel):
    calendars: list[CalendarOut]
    limit: int
    unreadable: UnreadableItems


@router.get("/calendars", response_model=CalendarList)
async def list_all(ports: PortsDep, caller: Reader) -> CalendarList:
    """List your calendars; their addresses are not shown again."""
    calendars, unreadable = show(await list_calendars(ports, caller), calendar_out)
    return CalendarList(calendars=calendars, limit=CALENDARS_LIMIT, unreadable=unreadable)


@router.post("/calendars", status_code=201, response_model=NewCalendarOut)
async def create(
    body: CalendarIn, ports: PortsDep, settings: SettingsDep, caller: Writer, request: Request
) -> NewCalendarOut:
    """Make a secret address at which a calendar program reads what is due. Needs the scopes read
    and write."""
    made = await create_calendar(ports, caller, body.name, body.project_id or body.project)
    address = f"{base_url(settings, request)}/calendar/{made.secret}{SUFFIX}"
    return NewCalendarOut(**calendar_out(made.calendar).model_dump(), url=address)


@router.delete("/calendars/{id}", status_code=204)
async def revoke(id: UUID, ports: PortsDep, caller: Writer) -> None:
    """Revoke a calendar: its address stops working at once."""
    await revoke_calendar(ports, caller, id)


@public.get(
    "/calendar/{secret}",
    response_class=Response,
    responses={200: {"content": {"text/calendar": {"schema": {"type": "string"}}}}},
)
async def read(secret: str, ports: PortsDep, settings: SettingsDep, request: Request) -> Response:
    """For calendar programs: what is due, and was due in the last 90 days, as an iCalendar file.
    The path ends in `.ics`; the secret in it is the only credential."""
    if not secret.endswith(SUFFIX):
        raise unknown_calendar()
    name, events = await read_calendar(ports, secret.removesuffix(SUFFIX), client_address(request))
    content = write_calendar(name, events, base_url(settings, request)).encode()
    headers = {**_HEADERS, "ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"'}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="text/calendar; charset=utf-8", headers=headers)


def calendar_out(calendar: Calendar) -> CalendarOut:
    return CalendarOut.of(calendar, project=calendar.project_ref)
