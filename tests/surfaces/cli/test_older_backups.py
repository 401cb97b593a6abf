"""A backup of an older schema is restored, and then migrated like any older store."""

import asyncio
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from remem.adapters.database.dump import PostgresDump
from remem.bootstrap import install_queue, open_backup_ports
from remem.core.time import new_id
from remem.migrations.apply import migrate, migrations
from remem.settings import load

NEWEST = migrations()[-1].version
WITH_ACCESS_VERSION = 36
OLDER = (1, 12, 24, WITH_ACCESS_VERSION, NEWEST - 1, NEWEST)
USER, TENANT = new_id(), new_id()


@pytest.mark.usefixtures("database")
def test_a_backup_of_an_older_schema_is_restored(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMEM_DATA_DIR", str(data_dir))
    asyncio.run(restore_each(tmp_path / "rows"))


async def restore_each(file: Path) -> None:
    async with open_backup_ports(load()) as ports:
        assert isinstance(ports.dump, PostgresDump)
        for schema in OLDER:
            version = await make_store(ports.dump, schema)
            await ports.dump.write(file)
            keys = await ports.dump.load(file, schema, no_originals)
            assert keys == set()
            await check_store(ports.dump, version)


async def no_originals(_: object) -> None:
    """There is none to store."""


async def make_store(dump: PostgresDump, schema: int) -> UUID | None:
    """A store of that schema with one user; its access version, if it has one."""
    connection = await asyncpg.connect(dump.address)
    try:
        await connection.execute(
            f"DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION {dump.owner};"
            f"CREATE EXTENSION vector SCHEMA public; SET ROLE {dump.owner}"
        )
        await migrate(connection, schema)
        await install_queue(connection)
        # As the superuser, whom row security does not bind.
        await connection.execute("RESET ROLE")
        await connection.execute(
            "INSERT INTO users (id, email, name) VALUES ($1, 'mara@example.org', 'Mära')", USER
        )
        await connection.execute(
            "INSERT INTO tenants (id, kind, name, slug) VALUES ($1, 'user', 'Mära', 'mara')", TENANT
        )
        await connection.execute(
            "INSERT INTO projects (id, tenant_id, slug, name, generation)"
            " VALUES ($1, $1, 'default', 'Default', 7)",
            TENANT,
        )
        return await access_version(connection) if schema >= WITH_ACCESS_VERSION else None
    finally:
        await connection.close()


async def check_store(dump: PostgresDump, earlier_version: UUID | None) -> None:
    connection = await asyncpg.connect(dump.address)
    try:
        await connection.execute(f"SET ROLE {dump.owner}")
        assert await migrate(connection) == NEWEST
        assert await connection.fetchval("SELECT name FROM users WHERE id = $1", USER) == "Mära"
        # Otherwise a shared cache could still have keys and results of before the restore.
        assert await access_version(connection) not in (None, earlier_version)
        await connection.execute("RESET ROLE")
        assert await connection.fetchval("SELECT generation FROM projects") > 7
    finally:
        await connection.close()


async def access_version(connection: asyncpg.Connection) -> UUID:
    return await connection.fetchval("SELECT version FROM access_version")
