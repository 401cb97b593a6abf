"""The sweep of expired items, on a store of few users, because it runs for each user."""

import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from remem.bootstrap import open_ports
from remem.core.identity.clients.register import delete_unused_clients, find_client
from remem.core.identity.sweep import sweep_expired
from remem.core.ports import Ports
from remem.core.scope import Bound
from remem.core.time import now
from remem.settings import Settings
from remem.surfaces.worker.clock import run_due
from tests.conftest import Person, Server, start_server, stop_server
from tests.surfaces.oauth.protocol import Browser, Client, new_client, whoami
from tests.surfaces.rest.rows import change, rows_of
from tests.tools.external import store_settings
from tests.tools.folders import new_folder
from tests.tools.idle_queue import IdleQueue

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    folder = new_folder()
    running = start_server(folder, module="tests.tools.quick_passwords")
    yield running
    stop_server(running)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
async def ports(server: Server, anyio_backend: str) -> AsyncIterator[Ports]:
    async with open_ports(
        Settings(**store_settings(server.data_dir), analysis_processes=0)
    ) as opened:
        yield opened


async def test_expired_items_are_swept(
    ports: Ports, person: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    forgotten, kept = new_client(client.http), new_client(client.http)
    old = client.tokens(own_browser)
    async with ports.db.transaction(Bound()) as tx:
        past = "UPDATE oauth_clients SET created_at = now() - interval '8 days' WHERE id = ANY($1)"
        await tx.execute(past, [forgotten.id, client.id])
    assert await delete_unused_clients(ports) == 1
    assert own_browser.open_page(forgotten.authorization_params()).status_code == 400
    assert own_browser.open_page(kept.authorization_params()).status_code == 200
    tenant = person.tenant_id
    for table in ("oauth_tokens", "oauth_codes"):
        past = f"UPDATE {table} SET expires_at = now() - interval '2 days' WHERE tenant_id = $1"
        await change(ports, tenant, past, tenant)
    old_grants = (
        "UPDATE oauth_grants SET created_at = now() - interval '2 days' WHERE tenant_id = $1"
    )
    await change(ports, tenant, old_grants, tenant)
    fresh = client.tokens(own_browser)
    await sweep_expired(ports)
    rows = await rows_of(ports, tenant)
    assert [len(rows[f"oauth_{name}"]) for name in ("grants", "codes", "tokens")] == [1, 1, 2]
    assert whoami(server.url, old["access_token"]).json()["code"] == "token_unknown"
    assert whoami(server.url, fresh["access_token"]).status_code == 200


async def test_the_clock_sweeps(ports: Ports, client: Client) -> None:
    async with ports.db.transaction(Bound()) as tx:
        past = "UPDATE oauth_clients SET created_at = now() - interval '8 days' WHERE id = $1"
        await tx.execute(past, UUID(client.id))
    # The first hour of a store is not over yet; the hourly tasks of the next are run once.
    for hours in (2, 3):
        later = now() + timedelta(hours=hours)
        tasks = await run_due(replace(ports, queue=IdleQueue()), lambda later=later: later)
    assert "hourly" in tasks
    assert await find_client(ports, UUID(client.id)) is None
