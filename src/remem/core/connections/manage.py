"""List, read and change connections."""

from typing import Any
from uuid import UUID

from remem.core.connections import connection_store
from remem.core.connections.access import translate_service_errors
from remem.core.connections.connect import check_choice, check_interval
from remem.core.connections.consent.refresh import fresh_access
from remem.core.connections.find import find_connector
from remem.core.connections.items import item_store
from remem.core.connections.model import Connection, ConnectionChange, ConnectionItem, SyncRun
from remem.core.connections.sync import enqueue_sync
from remem.core.connectors.model import ResourcePage
from remem.core.errors import Conflict, Invalid
from remem.core.events.record import record
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

RUNS_SHOWN = 10


async def list_connections(ports: Ports, scope: Scope) -> list[Connection]:
    async with ports.db.transaction(scope) as tx:
        return await connection_store.list_all(tx)


async def get_connection(ports: Ports, scope: Scope, id: UUID) -> tuple[Connection, list[SyncRun]]:
    async with ports.db.transaction(scope) as tx:
        connection = await connection_store.require(tx, id)
        return connection, await connection_store.runs(tx, id, RUNS_SHOWN)


async def list_items(
    ports: Ports, scope: Scope, id: UUID, only_problems: bool, after: str | None, limit: int
) -> tuple[list[ConnectionItem], str | None]:
    """A page of items in the order of their references, and where the next page begins."""
    async with ports.db.transaction(scope) as tx:
        await connection_store.require(tx, id)
        rows = await item_store.page(tx, id, only_problems, after, limit + 1)
    shown = [ConnectionItem(**row_values(row)) for row in rows[:limit]]
    return shown, shown[-1].reference if len(rows) > limit else None


async def list_resources(
    ports: Ports, scope: Scope, id: UUID, under: str | None, at: str | None
) -> ResourcePage:
    async with ports.db.transaction(scope) as tx:
        connection = await connection_store.require(tx, id)
    connector = find_connector(ports, connection.provider)
    with translate_service_errors():
        access = await fresh_access(ports, scope, connector, connection)
        return await connector.resources(access, under, at)


async def change_connection(
    ports: Ports, scope: Scope, id: UUID, change: ConnectionChange
) -> Connection:
    """Change what is read, pause or resume, move to a project, or change the sync interval."""
    check_choice(change.chosen or ())
    check_interval(change.interval_s)
    async with ports.db.transaction(scope) as tx:
        await connection_store.lock(tx, id)
        connection = await connection_store.require(tx, id)
        if connection.status == "removing":
            raise Conflict("The connection is being removed.", code="not_synced")
        values = await _values(ports, tx, connection, change)
        if values:
            await connection_store.change(tx, id, values)
            await record(tx, "connection", id, "update", {"fields": sorted(values)})
        changed = await connection_store.require(tx, id)
        if changed.is_synced and values.keys() & {"chosen", "status"}:
            await enqueue_sync(ports, tx, id, "person")
        return await connection_store.require(tx, id)


async def _values(
    ports: Ports, tx: Tx, connection: Connection, change: ConnectionChange
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if change.chosen is not None:
        values |= _chosen_values(ports, connection, change.chosen)
    if change.interval_s is not None:
        values["interval_s"] = change.interval_s
    if change.project is not None:
        values["project_id"] = (await resolve(tx, change.project, create=True)).id
    if change.is_paused is not None:
        status = values.get("status", connection.status)
        values |= _paused_values(
            status, bool(values.get("chosen", connection.chosen)), change.is_paused
        )
    return values


def _chosen_values(ports: Ports, connection: Connection, chosen: tuple[str, ...]) -> dict[str, Any]:
    connector = find_connector(ports, connection.provider)
    if connector.provider.selected:
        field = connector.provider.selected
        raise Invalid("chosen", f"is given by its {field}; connect another {field} instead")
    unique = list(dict.fromkeys(chosen))
    status = connection.status
    if status in ("choosing", "active", "failing"):
        status = "active" if unique else "choosing"
    return {"chosen": unique, "status": status}


def _paused_values(status: str, has_choice: bool, is_paused: bool) -> dict[str, Any]:
    if is_paused:
        return {"status": "paused", "next_at": None} if status in ("active", "failing") else {}
    if status != "paused":
        return {}
    return {"status": "active" if has_choice else "choosing"}
