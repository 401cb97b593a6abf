"""Connections: accounts and folders that are read again and again."""

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
from remem.surfaces.address import base_of
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
    SyncOut,
    check_out,
    connection_out,
    item_out,
    resource_out,
    run_out,
)
from remem.surfaces.rest.v3.connector_shapes import ConnectorList, connector_out

router = APIRouter(prefix="/v3", tags=["connections"], route_class=Guarded)


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
