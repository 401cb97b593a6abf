"""Listen to services that report changes over a connection that we open."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from uuid import UUID

import structlog

from remem.core.connections import connection_store
from remem.core.connections.access import access_of
from remem.core.connections.hooks.receive import sync_sooner
from remem.core.connectors.port import Listens
from remem.core.identity.everyone import every_tenant
from remem.core.ports import Ports
from remem.core.scope import Scope

EVERY_S = 60
# Per process; other connections are still synced regularly.
MAX_LISTENERS = 200

log = structlog.get_logger()


async def listen_to_services(ports: Ports, every_s: float = EVERY_S) -> None:
    """Listen until cancelled. A connection that ended is opened again a little later."""
    tasks: dict[UUID, asyncio.Task[None]] = {}
    try:
        while True:
            try:
                await _update_listeners(ports, tasks)
            except Exception as error:
                log.warning("listening_failed", error=type(error).__name__)
            await asyncio.sleep(every_s)
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)


async def _update_listeners(ports: Ports, tasks: dict[UUID, asyncio.Task[None]]) -> None:
    scopes = {id: scope async for scope, id in _connections_to_listen(ports)}
    for id in [id for id, task in tasks.items() if id not in scopes or task.done()]:
        tasks.pop(id).cancel()
    for id, scope in scopes.items():
        if id not in tasks and len(tasks) < MAX_LISTENERS:
            tasks[id] = asyncio.create_task(listen(ports, scope, id))


async def _connections_to_listen(ports: Ports) -> AsyncIterator[tuple[Scope, UUID]]:
    providers = [
        name for name, connector in ports.connectors.items() if isinstance(connector, Listens)
    ]
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            ids = await connection_store.synced_of(tx, providers)
        for id in ids:
            yield scope, id


async def listen(ports: Ports, scope: Scope, id: UUID) -> None:
    """Listen until the service ends it. Nothing is read here: a change only triggers a sync."""
    try:
        async with ports.db.transaction(scope) as tx:
            connection = await connection_store.find(tx, id)
        if connection is None:
            return
        connector = ports.connectors[connection.provider]
        assert isinstance(connector, Listens)
        async with aclosing(connector.listen(access_of(ports, scope, connection))) as changes:
            async for _ in changes:
                async with ports.db.transaction(scope) as tx:
                    await sync_sooner(ports, tx, id)
    except Exception as error:
        log.warning("listening_ended", connection=str(id), error=type(error).__name__)
