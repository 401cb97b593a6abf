"""Listen to services that say over a connection of ours that something changed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from uuid import UUID

import structlog

from remem.core.connections import store
from remem.core.connections.access import access_of
from remem.core.connections.hooks.receive import sync_sooner
from remem.core.connectors.port import Listens
from remem.core.identity.everyone import every_tenant
from remem.core.ports import Ports
from remem.core.scope import Scope

EVERY_S = 60
# In one process; the others are read regularly all the same.
LISTENERS = 200

log = structlog.get_logger()


async def listen_to_services(ports: Ports, every_s: float = EVERY_S) -> None:
    """Until cancelled. A connection that ended is opened again a little later."""
    tasks: dict[UUID, asyncio.Task[None]] = {}
    try:
        while True:
            try:
                await _follow(ports, tasks)
            except Exception as error:
                log.warning("listening_failed", error=type(error).__name__)
            await asyncio.sleep(every_s)
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)


async def _follow(ports: Ports, tasks: dict[UUID, asyncio.Task[None]]) -> None:
    wanted = {id: scope async for scope, id in _listening(ports)}
    for id in [id for id, task in tasks.items() if id not in wanted or task.done()]:
        tasks.pop(id).cancel()
    for id, scope in wanted.items():
        if id not in tasks and len(tasks) < LISTENERS:
            tasks[id] = asyncio.create_task(listen(ports, scope, id))


async def _listening(ports: Ports) -> AsyncIterator[tuple[Scope, UUID]]:
    providers = [name for name, one in ports.connectors.items() if isinstance(one, Listens)]
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            found = await store.synced_of(tx, scope, providers)
        for id in found:
            yield scope, id


async def listen(ports: Ports, scope: Scope, id: UUID) -> None:
    """Until the service ends it. Nothing is read here: a sync only comes sooner."""
    try:
        async with ports.db.transaction(scope) as tx:
            connection = await store.find(tx, scope, id)
        if connection is None:
            return
        connector = ports.connectors[connection.provider]
        assert isinstance(connector, Listens)
        async with aclosing(connector.listen(access_of(ports, scope, connection))) as changes:
            async for _ in changes:
                async with ports.db.transaction(scope) as tx:
                    await sync_sooner(ports, tx, scope, id)
    except Exception as error:
        log.warning("listening_ended", connection=str(id), error=type(error).__name__)
