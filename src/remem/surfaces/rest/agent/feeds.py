"""Feeds: subscriptions of projects, collected as daily digests."""

from typing import Any
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import Field

from remem.core.feeds import manage
from remem.core.feeds.model import Feed, FeedKind
from remem.surfaces.rest.agent.shapes import Camel, CamelBody
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import InProject, WebAddress
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment

router = APIRouter(prefix="/api", tags=["agents: feeds"], route_class=Guarded)


class FeedIn(CamelBody):
    url: WebAddress = Field(description="The URL of an RSS, Atom or JSON feed.")
    kind: FeedKind = Field(
        default="research", description="The digest for its entries: `research` comes first."
    )
    project: str | None = Field(default=None, description="A name or path; created on first use.")
    project_id: UUID | None = Field(default=None, description="An existing project, by id.")


class FeedOut(Camel):
    id: UUID
    url: str
    kind: str
    project: str
    project_id: UUID
    title: str | None = Field(description="The feed's own title; null until it has been read.")
    error: str | None = Field(description="Why the last attempt to read it failed.")
    failures: int = Field(description="The number of consecutive failures.")
    collected_at: Moment | None
    created_at: Moment


class FeedList(Camel):
    feeds: list[FeedOut]
    unreadable: UnreadableItems


class CollectOut(Camel):
    job_id: UUID


_OTHERWISE: dict[int | str, dict[str, Any]] = {
    200: {"model": FeedOut, "description": "The project is already subscribed to it."}
}


@router.get("/feeds", response_model=FeedList)
async def list_all(
    ports: PortsDep,
    caller: Reader,
    project: InProject = None,
) -> FeedList:
    """List feeds, oldest subscription first."""
    feeds, unreadable = show(await manage.list_feeds(ports, caller, project), feed_out)
    return FeedList(feeds=feeds, unreadable=unreadable)


@router.post("/feeds", status_code=201, response_model=FeedOut, responses=_OTHERWISE)
async def add(body: FeedIn, ports: PortsDep, caller: Writer, response: Response) -> FeedOut:
    """Subscribe a project to a feed. It is read by the next collection."""
    feed, is_new = await manage.subscribe(
        ports, caller, str(body.url), body.kind, body.project_id or body.project
    )
    response.status_code = 201 if is_new else 200
    return feed_out(feed)


@router.delete("/feeds/{id}", status_code=204)
async def remove(id: UUID, ports: PortsDep, caller: Writer) -> None:
    """End a subscription. Collected entries are kept."""
    await manage.unsubscribe(ports, caller, id)


@router.post("/feeds/collect", status_code=202, response_model=CollectOut)
async def collect(ports: PortsDep, caller: Writer) -> CollectOut:
    """Collect all feeds now, in a job."""
    return CollectOut(job_id=await manage.request_collection(ports, caller))


def feed_out(feed: Feed) -> FeedOut:
    return FeedOut.of(feed, project=feed.project_ref)
