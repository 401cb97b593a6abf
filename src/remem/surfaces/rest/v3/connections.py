"""Connections: accounts and folders that are synced regularly."""

from functools import partial
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from remem.core.connections import manage
from remem.core.connections.check import check_account, check_connection
from remem.core.connections.connect import connect
from remem.core.connections.disconnect import disconnect
from remem.core.connections.model import (
    REFERENCE_LIMIT,
    ConnectionChange,
    NewConnection,
)
from remem.core.connections.sync import request_sync
from remem.surfaces.address import base_url
from remem.surfaces.rest.deps import PortsDep, Reader, SettingsDep, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import show, show_one
from remem.surfaces.rest.v3.connection_shapes import (
    CheckOut,
    ConnectIn,
    ConnectionDetail,
    ConnectionList,
    ConnectionOut,
    ConnectionPatch,
    ItemPage,
    RemovedOut,
    ResourceList,
    ResourceOut,
    RunOut,
    SyncOut,
    check_out,
    connection_out,
    item_out,
)
from remem.surfaces.rest.v3.connector_shapes import ConnectorList, connector_out

router = APIRouter(prefix="/v3", tags=["connections"], route_class=Guarded)


@router.get("/connectors", response_model=ConnectorList)
async def connectors(
    ports: PortsDep, settings: SettingsDep, caller: Reader, request: Request
) -> ConnectorList:
    """List what can be connected, and what each connector needs."""
    base = base_url(settings, request)
    available = ports.connectors.items()
    return ConnectorList(
        connectors=[connector_out(name, connector, base) for name, connector in available]
    )


@router.post("/connectors/{provider}/check", response_model=CheckOut)
async def check_before(provider: str, body: ConnectIn, ports: PortsDep, caller: Writer) -> CheckOut:
    """Test a connection before making it, and list what can be chosen. Nothing is saved."""
    new = NewConnection(provider, body.fields, tuple(body.chosen))
    return check_out(await check_account(ports, caller, new))


@router.get("/connections", response_model=ConnectionList)
async def list_all(ports: PortsDep, caller: Reader) -> ConnectionList:
    """List connections, oldest first."""
    connections = await manage.list_connections(ports, caller)
    shown, unreadable = show(connections, partial(connection_out, ports))
    return ConnectionList(connections=shown, unreadable=unreadable)


@router.post(
    "/connectors/{provider}/connect",
    status_code=201,
    response_model=ConnectionOut,
    responses={200: {"model": ConnectionOut, "description": "It was already connected."}},
)
async def add(
    provider: str, body: ConnectIn, ports: PortsDep, caller: Writer, response: Response
) -> ConnectionOut:
    """Connect an account or a folder, and start the first sync. 200: it was already connected, and
    its fields were updated."""
    new = NewConnection(provider, body.fields, tuple(body.chosen), body.project, body.interval_s)
    connection, is_new = await connect(ports, caller, new)
    response.status_code = 201 if is_new else 200
    return connection_out(ports, connection)


@router.get("/connections/{id}", response_model=ConnectionDetail)
async def read(id: UUID, ports: PortsDep, caller: Reader) -> ConnectionDetail:
    """Get a connection with its last runs."""
    connection, runs = await manage.get_connection(ports, caller, id)
    shown = show_one(connection, partial(connection_out, ports))
    recent_runs, unreadable = show(runs, RunOut.of)
    return ConnectionDetail(**shown.model_dump(), runs=recent_runs, unreadable=unreadable)


@router.patch("/connections/{id}", response_model=ConnectionOut)
async def change(id: UUID, body: ConnectionPatch, ports: PortsDep, caller: Writer) -> ConnectionOut:
    """Change what is read, the project or the interval; pause or resume syncing."""
    connection_change = ConnectionChange(
        chosen=tuple(body.chosen) if body.chosen is not None else None,
        project=body.project,
        interval_s=body.interval_s,
        is_paused=body.paused,
    )
    changed = await manage.change_connection(ports, caller, id, connection_change)
    return show_one(changed, partial(connection_out, ports))


@router.delete("/connections/{id}", response_model=RemovedOut)
async def remove(
    id: UUID,
    ports: PortsDep,
    caller: Writer,
    documents: Annotated[
        Literal["keep", "erase"], Query(description="Whether to keep or erase its documents.")
    ] = "keep",
) -> RemovedOut:
    """Remove a connection. Syncing stops at once, and its credential is deleted."""
    return RemovedOut(job_id=await disconnect(ports, caller, id, erase=documents == "erase"))


@router.post("/connections/{id}/sync", status_code=202, response_model=SyncOut)
async def sync(
    id: UUID,
    ports: PortsDep,
    caller: Writer,
    full: Annotated[bool, Query(description="List everything again, not only changes.")] = False,
) -> SyncOut:
    """Sync now. If a sync is running already, its ids are returned."""
    job_id, run_id = await request_sync(ports, caller, id, full=full)
    return SyncOut(job_id=job_id, run_id=run_id)


@router.get("/connections/{id}/items", response_model=ItemPage)
async def items(
    id: UUID,
    ports: PortsDep,
    caller: Reader,
    problem: Annotated[bool, Query(description="Only skipped items.")] = False,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    cursor: Annotated[str | None, Query(max_length=REFERENCE_LIMIT)] = None,
) -> ItemPage:
    """List the items of a connection, by name."""
    page, next_cursor = await manage.list_items(ports, caller, id, problem, cursor, limit)
    shown, unreadable = show(page, item_out, name=lambda item: item.reference)
    return ItemPage(items=shown, next_cursor=next_cursor, unreadable=unreadable)


@router.get("/connections/{id}/resources", response_model=ResourceList)
async def resources(
    id: UUID,
    ports: PortsDep,
    caller: Reader,
    under: Annotated[str | None, Query(max_length=REFERENCE_LIMIT)] = None,
    cursor: Annotated[str | None, Query(max_length=REFERENCE_LIMIT)] = None,
) -> ResourceList:
    """List what can be chosen, with item counts where they are cheap to get."""
    page = await manage.list_resources(ports, caller, id, under, cursor)
    shown = [ResourceOut.of(resource) for resource in page.resources]
    return ResourceList(resources=shown, next_cursor=page.next)


@router.post("/connections/{id}/check", response_model=CheckOut)
async def check(id: UUID, ports: PortsDep, caller: Writer) -> CheckOut:
    """Read one page without saving anything, to test the connection."""
    return check_out(await check_connection(ports, caller, id))
