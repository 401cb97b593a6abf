"""A filled store is distributed over the nodes of Citus, and works as before.

REMEM_TEST_CITUS_URL is a superuser's address of an empty database on a coordinator with workers and
the extensions citus and vector."""

import os
from pathlib import Path

import asyncpg
import pytest
from pydantic import SecretStr

from remem.bootstrap import open_ports
from remem.core.errors import NotFound
from remem.core.identity.model import PlanChange
from remem.core.identity.operate import change_plan
from remem.core.memories.browse import get_memory
from remem.core.memories.forget import forget_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.migrations.distribute import distribute
from remem.settings import Settings
from tests.conftest import new_scope
from tests.core.memories import save

URL = os.environ.get("REMEM_TEST_CITUS_URL", "")
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not URL, reason="there is no Citus: REMEM_TEST_CITUS_URL is not set"),
]


async def contents(ports: Ports, scope: Scope, sql: str) -> list[object]:
    async with ports.db.transaction(scope) as tx:
        return [row[0] for row in await tx.fetch(sql)]


async def test_a_filled_store_is_distributed_and_works_as_before(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, database_url=SecretStr(URL), analysis_processes=0)
    async with open_ports(settings) as ports:
        ann, bob = await new_scope(ports), await new_scope(ports)
        kept = (await save(ports, ann, "The ferry leaves at nine.")).memory
        await save(ports, bob, "The buoy is red.")

        async with ports.db.sessions.acquire() as connection:
            counts = await distribute(connection)
            assert (counts["memories"], counts["tenants"]) == (2, 2)
            assert await distribute(connection) == {}
        nodes = await asyncpg.connect(URL)
        left = await nodes.fetchval("SELECT count(*) FROM pg_catalog.pg_dist_shard")
        await nodes.close()
        assert left > len(counts)

        assert (await get_memory(ports, ann, kept.id)).content == "The ferry leaves at nine."
        with pytest.raises(NotFound):
            await get_memory(ports, bob, kept.id)
        every = "SELECT content FROM memories WHERE tenant_id = $1"
        assert await contents(ports, bob, every) == ["The buoy is red."]
        # Without the tenant a statement asks every node, and each shows what the caller may see.
        foreign = f"{every} OR tenant_id <> $1"
        assert await contents(ports, bob, foreign) == ["The buoy is red."]

        version = await ports.access_version.current()
        await change_plan(ports, ann.tenant_id, PlanChange(frozenset({"plan"}), plan="free"))
        assert await ports.access_version.current() != version

        await forget_memory(ports, ann, kept.id)
        counted = "SELECT memory_count FROM subscriptions WHERE tenant_id = $1"
        assert await contents(ports, ann, counted) == [0]
