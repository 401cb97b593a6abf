"""The tenant's plan, and its audit trail."""

from functools import partial
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from remem.core.events.model import EventChoice
from remem.core.events.read import list_events
from remem.core.identity.plans import get_subscription
from remem.surfaces.rest.agent.shapes import Camel, EventOut, event_out
from remem.surfaces.rest.cursors import read_cursor, write_cursor
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.fields import PageLimit
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment, Reply

router = APIRouter(prefix="/api", tags=["agents: account"], route_class=Guarded)


class SubscriptionOut(Reply):
    plan: str
    memory_count: int
    memory_limit: int | None = Field(description="null if there is no limit.")


class EventPage(Camel):
    events: list[EventOut]
    next_cursor: str | None = Field(alias="next_cursor")
    unreadable: UnreadableItems


@router.get("/subscription", response_model=SubscriptionOut)
async def subscription(ports: PortsDep, caller: Reader) -> SubscriptionOut:
    """Get the plan, its memory limit, and the number of memories."""
    plan = await get_subscription(ports, caller)
    return SubscriptionOut.of(plan)


@router.get("/events", response_model=EventPage)
async def events(
    ports: PortsDep,
    caller: Reader,
    subject: Annotated[UUID | None, Query(description="The id of the changed item.")] = None,
    type: Annotated[str | None, Query(description="create, update, delete, …")] = None,
    kind: Annotated[str | None, Query(description="document, memory, project, …")] = None,
    actor: Annotated[
        str | None, Query(description="The actor: `user:…`, `key:…`, or `user`, `key`, `grant`.")
    ] = None,
    since: Annotated[Moment | None, Query(description="At this time or later.")] = None,
    until: Annotated[Moment | None, Query(description="Before this time.")] = None,
    limit: PageLimit = 50,
    cursor: str | None = None,
) -> EventPage:
    """List the audit trail, newest first. Events of deleted items are kept."""
    choice = EventChoice(subject, type, kind, actor, since, until)
    page = await list_events(ports, caller, choice, read_cursor(cursor), limit)
    shown, unreadable = show(page.events, partial(event_out, names=page.names))
    return EventPage(
        events=shown,
        unreadable=unreadable,
        next_cursor=write_cursor(page.next),
    )
