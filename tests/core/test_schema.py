"""The schema: schema.sql equals the migrations, and a database is migrated once, only forwards."""

import asyncio
from collections.abc import AsyncIterator
from importlib.resources import files

import asyncpg
import pytest

from remem.core.errors import CannotStart
from remem.migrations import apply
from remem.migrations.apply import Migration, migrate, migrations
from tests.conftest import Server
from tests.core.scratch import connect, connected, dump, scratch_database

pytestmark = pytest.mark.anyio

SCHEMA_SQL = files("remem.migrations").joinpath("schema.sql").read_text()


@pytest.fixture(scope="module")
async def empty_template(server: Server) -> AsyncIterator[str]:
    """A template database with nothing but our extension."""
    async with scratch_database(server) as name:
        yield name


@pytest.fixture
async def database(server: Server, empty_template: str) -> AsyncIterator[str]:
    async with scratch_database(server, copied=empty_template) as name:
        yield name


@pytest.fixture
async def connection(server: Server, database: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection with the role of the product."""
    async with connected(server, database) as connection:
        yield connection


@pytest.fixture(scope="module")
async def template(server: Server) -> AsyncIterator[str]:
    """A template database with every migration."""
    async with scratch_database(server) as name:
        async with connected(server, name) as connection:
            await migrate(connection)
        yield name


@pytest.fixture
async def migrated_database(server: Server, template: str) -> AsyncIterator[str]:
    async with scratch_database(server, copied=template) as name:
        yield name


@pytest.fixture
async def migrated_connection(
    server: Server, migrated_database: str
) -> AsyncIterator[asyncpg.Connection]:
    async with connected(server, migrated_database) as connection:
        yield connection


def schema_of(server: Server, database: str) -> str:
    """Dump the schema without the ledger of migrations, which schema.sql does not fill."""
    return dump(server, database, "--exclude-table=schema_migrations")


@pytest.fixture(scope="module")
async def schema_of_sql_file(server: Server) -> str:
    async with scratch_database(server) as name:
        async with connected(server, name) as connection:
            await connection.execute(SCHEMA_SQL)
        return schema_of(server, name)


async def ledger(connection: asyncpg.Connection) -> list[tuple[int, str, str]]:
    rows = await connection.fetch("SELECT version, name, checksum FROM schema_migrations")
    return sorted((row["version"], row["name"], row["checksum"]) for row in rows)


async def test_the_migrations_and_schema_sql_make_the_same_schema(
    server: Server, template: str, schema_of_sql_file: str
) -> None:
    schema = schema_of(server, template)
    assert "CREATE TABLE public.documents" in schema
    assert schema == schema_of_sql_file


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("memory_count integer NOT NULL DEFAULT 0", "memory_count integer NOT NULL DEFAULT 1"),
        ("password_hash text,", "password_hash varchar,"),
        ("  error text,\n  last_accessed_at", "  error text NOT NULL,\n  last_accessed_at"),
        ("CHECK (memory_count >= 0)", "CHECK (memory_count >= -1)"),
        ("(tenant_id, root_id) WHERE is_latest;", "(tenant_id, root_id);"),
        ("UNIQUE (tenant_id, slug),", ""),
        ("EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);", ""),
        ("ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;", ""),
        ("CREATE POLICY own ON members FOR SELECT", "CREATE POLICY own ON members"),
        ("nullif(current_setting('remem.secret', true), '')", "current_setting('remem.secret')"),
        ("BEFORE UPDATE OR DELETE ON events", "BEFORE UPDATE ON events"),
        ("CHECK (is_current = (state <> 'superseded'))", "CHECK (true)"),
        ("CREATE TRIGGER memories_gone AFTER DELETE", "CREATE TRIGGER gone AFTER DELETE"),
        ("CREATE UNLOGGED TABLE rate_counters", "CREATE TABLE rate_counters"),
    ],
)
async def test_an_edited_migration_makes_another_schema(
    server: Server,
    database: str,
    connection: asyncpg.Connection,
    schema_of_sql_file: str,
    old: str,
    new: str,
) -> None:
    sql = "\n".join(migration.sql for migration in migrations())
    assert sql.count(old) == 1
    await connection.execute(sql.replace(old, new))
    assert schema_of(server, database) != schema_of_sql_file


async def test_migrating_again_does_nothing(
    server: Server, migrated_database: str, migrated_connection: asyncpg.Connection
) -> None:
    version = await migrate(migrated_connection)
    schema_before, ledger_before = (
        dump(server, migrated_database),
        await ledger(migrated_connection),
    )
    assert await migrate(migrated_connection) == version == ledger_before[-1][0]
    assert (dump(server, migrated_database), await ledger(migrated_connection)) == (
        schema_before,
        ledger_before,
    )


async def test_the_ledger_names_every_migration(migrated_connection: asyncpg.Connection) -> None:
    await migrate(migrated_connection)
    known = [(migration.version, migration.name, migration.checksum) for migration in migrations()]
    assert await ledger(migrated_connection) == known
    versions = [version for version, _, _ in known]
    assert versions == sorted(set(versions))


async def test_data_of_a_newer_version_is_refused_and_not_changed(
    server: Server, migrated_database: str, migrated_connection: asyncpg.Connection
) -> None:
    newest = await migrate(migrated_connection)
    await migrated_connection.execute(
        "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, 'later', '')",
        newest + 1,
    )
    schema_before, ledger_before = (
        dump(server, migrated_database),
        await ledger(migrated_connection),
    )
    with pytest.raises(CannotStart, match=f"schema {newest + 1}.*upgrade remem") as refused:
        await migrate(migrated_connection)
    assert refused.value.code == "newer_schema"
    assert (dump(server, migrated_database), await ledger(migrated_connection)) == (
        schema_before,
        ledger_before,
    )


async def test_an_edited_migration_is_refused(migrated_connection: asyncpg.Connection) -> None:
    await migrate(migrated_connection)
    await migrated_connection.execute(
        "UPDATE schema_migrations SET checksum = 'edited' WHERE version = 1"
    )
    with pytest.raises(CannotStart, match=migrations()[0].name) as refused:
        await migrate(migrated_connection)
    assert refused.value.code == "edited_migration"


async def test_a_missing_migration_is_applied(
    migrated_connection: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await migrate(migrated_connection)
    added = Migration(first + 1, "added.sql", "CREATE TABLE added (id integer)")
    known = [*migrations(), added]
    monkeypatch.setattr(apply, "migrations", lambda: known)
    assert await migrate(migrated_connection) == first + 1
    assert await migrated_connection.fetchval("SELECT count(*) FROM added") == 0
    assert (await ledger(migrated_connection))[-1] == (added.version, added.name, added.checksum)


async def test_a_migration_that_fails_leaves_nothing_and_can_be_fixed(
    migrated_connection: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await migrate(migrated_connection)
    ledger_before = await ledger(migrated_connection)
    failing = Migration(first + 1, "half.sql", "CREATE TABLE half (id integer); SELECT 1 / 0")
    fixed = Migration(first + 1, "half.sql", "CREATE TABLE half (id integer)")
    known = migrations()
    monkeypatch.setattr(apply, "migrations", lambda: [*known, failing])
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(migrated_connection)
    assert await migrated_connection.fetchval("SELECT to_regclass('half')") is None
    assert await ledger(migrated_connection) == ledger_before
    monkeypatch.setattr(apply, "migrations", lambda: [*known, fixed])
    assert await migrate(migrated_connection) == first + 1


async def test_concurrent_starts_migrate_once(server: Server, database: str) -> None:
    connections = [await connect(server, database) for _ in range(5)]
    try:
        versions = await asyncio.gather(*(migrate(connection) for connection in connections))
        assert set(versions) == {migrations()[-1].version}
        assert len(await ledger(connections[0])) == len(migrations())
    finally:
        for connection in connections:
            await connection.close()
