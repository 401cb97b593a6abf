"""Connections: accounts and folders that are read again and again."""

from dataclasses import asdict
from functools import partial
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from remem.core.connections import manage
from remem.core.connections.check import Checked, check_account, check_connection
from remem.core.connections.connect import FIELD_LIMIT, connect
from remem.core.connections.disconnect import disconnect
from remem.core.connections.model import (
    CHOSEN_LIMIT,
    LEAST_INTERVAL_S,
    MOST_INTERVAL_S,
    REFERENCE_LIMIT,
    Connection,
    ConnectionChange,
    ConnectionItem,
    NewConnection,
    SyncRun,
)
from remem.core.connections.sync import request_sync
from remem.core.connections.usage import Usage, usage_of
from remem.core.connectors import Resource
from remem.core.ports import Ports
from remem.surfaces.address import base_of
from remem.surfaces.rest.deps import PortsDep, Reader, SettingsDep, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show, show_one
from remem.surfaces.rest.shapes import Body, Moment
from remem.surfaces.rest.v3.connector_shapes import ConnectorList, connector_out

router = APIRouter(prefix="/v3", tags=["connections"], route_class=Guarded)

Reference = Annotated[str, Field(min_length=1, max_length=REFERENCE_LIMIT)]
Interval = Annotated[int, Field(ge=LEAST_INTERVAL_S, le=MOST_INTERVAL_S)]
Fields = dict[str, Annotated[str, Field(max_length=FIELD_LIMIT)]]


class ConnectIn(Body):
    fields: Fields = Field(
        default_factory=dict, description="Those that `GET /v3/connectors` names."
    )
    chosen: list[Reference] = Field(default_factory=list, max_length=CHOSEN_LIMIT)
    project: str | None = Field(default=None, description="A name or path; made on first use.")
    interval_s: Interval | None = Field(default=None, description="Seconds between two syncs.")


class ConnectionPatch(Body):
    chosen: list[Reference] | None = Field(default=None, max_length=CHOSEN_LIMIT)
    project: str | None = None
    interval_s: Interval | None = None
    paused: bool | None = None


class RunOut(BaseModel):
    id: UUID
    trigger: str
    outcome: str | None = Field(description="Absent while it is under way.")
    error: str | None
    added: int
    updated: int
    deleted: int
    unchanged: int
    skipped: int
    errors: list[dict[str, str]] = Field(description="What was skipped and why, up to 100.")
    started_at: Moment
    ended_at: Moment | None


class UsageOut(BaseModel):
    """Of the day (UTC)."""

    reads: int
    most_reads: int = Field(description="How many there may be.")
    usd: float = Field(description="About what the service charges for them.")
    most_usd: float


class ConnectionOut(BaseModel):
    id: UUID
    provider: str
    account: str
    project: str
    project_id: UUID
    chosen: list[str]
    status: str
    error: str | None = Field(description="What is wrong and what to do.")
    items: int = Field(description="How many items have a document here.")
    problems: int = Field(description="How many were skipped.")
    interval_s: int
    next_at: Moment | None
    last_synced_at: Moment | None
    created_at: Moment
    updated_at: Moment
    usage: UsageOut | None = Field(description="Where reading costs money.")


class ConnectionList(BaseModel):
    connections: list[ConnectionOut]
    unreadable: UnreadableItems


class ConnectionDetail(ConnectionOut):
    runs: list[RunOut] = Field(description="The last ten, newest first.")
    unreadable: UnreadableItems


class SyncOut(BaseModel):
    job_id: UUID
    run_id: UUID


class RemovedOut(BaseModel):
    job_id: UUID | None = Field(description="The job that erases the documents.")


class ItemOut(BaseModel):
    reference: str
    path: str | None
    document_id: UUID | None
    problem: str | None
    hidden: bool = Field(description="Its document was deleted here; it does not come back.")


class ItemPage(BaseModel):
    items: list[ItemOut]
    next_cursor: str | None
    unreadable: UnreadableItems


class ResourceOut(BaseModel):
    reference: str
    name: str
    count: int | None
    has_children: bool


class ResourceList(BaseModel):
    resources: list[ResourceOut]
    next_cursor: str | None


class CheckOut(BaseModel):
    account: str
    seen: int = Field(description="How many items the first page has.")
    more: bool = Field(description="Whether there are more pages.")
    paths: list[str] = Field(description="The first of them.")
    resources: list[ResourceOut] = Field(description="What can be chosen.")
    usage: UsageOut | None = Field(description="With this check, where reading costs money.")


@router.get("/connectors", response_model=ConnectorList)
async def connectors(
    ports: PortsDep, settings: SettingsDep, caller: Reader, request: Request
) -> ConnectorList:
    """What can be connected, and what each needs."""
    base = base_of(settings, request)
    found = ports.connectors.items()
    return ConnectorList(connectors=[connector_out(name, one, base) for name, one in found])


@router.post("/connectors/{provider}/check", response_model=CheckOut)
async def check_before(provider: str, body: ConnectIn, ports: PortsDep, caller: Writer) -> CheckOut:
    """What would be connected, and what can be chosen there. Nothing is kept."""
    new = NewConnection(provider, body.fields, tuple(body.chosen))
    return check_out(await check_account(ports, caller, new))


@router.get("/connections", response_model=ConnectionList)
async def list_all(ports: PortsDep, caller: Reader) -> ConnectionList:
    """Every connection, oldest first."""
    found = await manage.list_connections(ports, caller)
    shown, unreadable = show(found, partial(connection_out, ports))
    return ConnectionList(connections=shown, unreadable=unreadable)


@router.post(
    "/connectors/{provider}/connect",
    status_code=201,
    response_model=ConnectionOut,
    responses={200: {"model": ConnectionOut, "description": "It was connected already."}},
)
async def add(
    provider: str, body: ConnectIn, ports: PortsDep, caller: Writer, response: Response
) -> ConnectionOut:
    """Connect an account or a folder, and sync it for the first time. 200: it was connected
    already, and has the new fields now."""
    new = NewConnection(provider, body.fields, tuple(body.chosen), body.project, body.interval_s)
    connection, is_new = await connect(ports, caller, new)
    response.status_code = 201 if is_new else 200
    return connection_out(ports, connection)


@router.get("/connections/{id}", response_model=ConnectionDetail)
async def read(id: UUID, ports: PortsDep, caller: Reader) -> ConnectionDetail:
    """One connection with its last runs."""
    connection, runs = await manage.get_connection(ports, caller, id)
    shown = show_one(connection, partial(connection_out, ports))
    past, unreadable = show(runs, run_out)
    return ConnectionDetail(**shown.model_dump(), runs=past, unreadable=unreadable)


@router.patch("/connections/{id}", response_model=ConnectionOut)
async def change(id: UUID, body: ConnectionPatch, ports: PortsDep, caller: Writer) -> ConnectionOut:
    """Choose what is read, pause or resume, move to another project, sync more or less often."""
    wanted = ConnectionChange(
        chosen=tuple(body.chosen) if body.chosen is not None else None,
        project=body.project,
        interval_s=body.interval_s,
        is_paused=body.paused,
    )
    changed = await manage.change_connection(ports, caller, id, wanted)
    return show_one(changed, partial(connection_out, ports))


@router.delete("/connections/{id}", response_model=RemovedOut)
async def remove(
    id: UUID,
    ports: PortsDep,
    caller: Writer,
    documents: Annotated[
        Literal["keep", "erase"], Query(description="What becomes of what it brought.")
    ] = "keep",
) -> RemovedOut:
    """Remove a connection. It stops at once, and its credential is forgotten."""
    return RemovedOut(job_id=await disconnect(ports, caller, id, erase=documents == "erase"))


@router.post("/connections/{id}/sync", status_code=202, response_model=SyncOut)
async def sync(
    id: UUID,
    ports: PortsDep,
    caller: Writer,
    full: Annotated[bool, Query(description="List everything there again.")] = False,
) -> SyncOut:
    """Sync now. While one is under way, the same ids are given."""
    job_id, run_id = await request_sync(ports, caller, id, full=full)
    return SyncOut(job_id=job_id, run_id=run_id)


@router.get("/connections/{id}/items", response_model=ItemPage)
async def items(
    id: UUID,
    ports: PortsDep,
    caller: Reader,
    problem: Annotated[bool, Query(description="Only what was skipped.")] = False,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    cursor: Annotated[str | None, Query(max_length=REFERENCE_LIMIT)] = None,
) -> ItemPage:
    """What the connection has, by name."""
    found, after = await manage.list_items(ports, caller, id, problem, cursor, limit)
    shown, unreadable = show(found, item_out, name=lambda item: item.reference)
    return ItemPage(items=shown, next_cursor=after, unreadable=unreadable)


@router.get("/connections/{id}/resources", response_model=ResourceList)
async def resources(
    id: UUID,
    ports: PortsDep,
    caller: Reader,
    under: Annotated[str | None, Query(max_length=REFERENCE_LIMIT)] = None,
    cursor: Annotated[str | None, Query(max_length=REFERENCE_LIMIT)] = None,
) -> ResourceList:
    """What can be chosen there, with how many items it has where that is cheap to know."""
    page = await manage.list_resources(ports, caller, id, under, cursor)
    shown = [resource_out(resource) for resource in page.resources]
    return ResourceList(resources=shown, next_cursor=page.next)


@router.post("/connections/{id}/check", response_model=CheckOut)
async def check(id: UUID, ports: PortsDep, caller: Writer) -> CheckOut:
    """Read one page there and keep nothing, to see that it works."""
    return check_out(await check_connection(ports, caller, id))


def resource_out(resource: Resource) -> ResourceOut:
    return ResourceOut(
        reference=resource.reference,
        name=resource.name,
        count=resource.count,
        has_children=resource.has_children,
    )


def check_out(checked: Checked) -> CheckOut:
    return CheckOut(
        account=checked.account,
        seen=checked.seen,
        more=checked.more,
        paths=checked.paths,
        resources=[resource_out(resource) for resource in checked.resources],
        usage=usage_out(checked.usage),
    )


def usage_out(usage: Usage | None) -> UsageOut | None:
    return UsageOut(**asdict(usage)) if usage else None


def connection_out(ports: Ports, one: Connection) -> ConnectionOut:
    return ConnectionOut(
        id=one.id,
        provider=one.provider,
        account=one.account,
        project=one.project_slug,
        project_id=one.project_id,
        chosen=one.chosen,
        status=one.status,
        error=one.error,
        items=one.item_count,
        problems=one.problem_count,
        interval_s=one.interval_s,
        next_at=one.next_at,
        last_synced_at=one.last_synced_at,
        created_at=one.created_at,
        updated_at=one.updated_at,
        usage=usage_out(usage_of(ports, one)),
    )


def run_out(run: SyncRun) -> RunOut:
    return RunOut(
        id=run.id,
        trigger=run.trigger,
        outcome=run.outcome,
        error=run.error,
        added=run.added,
        updated=run.updated,
        deleted=run.deleted,
        unchanged=run.unchanged,
        skipped=run.skipped,
        errors=run.errors,
        started_at=run.started_at,
        ended_at=run.ended_at,
    )


def item_out(item: ConnectionItem) -> ItemOut:
    return ItemOut(
        reference=item.reference,
        path=item.path,
        document_id=item.document_id,
        problem=item.problem,
        hidden=item.hidden_at is not None,
    )
