"""The schema: its page equals its migrations, and a database is brought to it once, forwards."""

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

PAGE = files("remem.migrations").joinpath("schema.sql").read_text()


@pytest.fixture(scope="module")
async def empty(server: Server) -> AsyncIterator[str]:
    """A database with our extension alone, to be copied."""
    async with scratch_database(server) as name:
        yield name


@pytest.fixture
async def database(server: Server, empty: str) -> AsyncIterator[str]:
    async with scratch_database(server, copied=empty) as name:
        yield name


@pytest.fixture
async def connection(server: Server, database: str) -> AsyncIterator[asyncpg.Connection]:
    """As the role the product works as."""
    async with connected(server, database) as connection:
        yield connection


@pytest.fixture(scope="module")
async def made(server: Server) -> AsyncIterator[str]:
    """A database with every migration, to be copied."""
    async with scratch_database(server) as name:
        async with connected(server, name) as connection:
            await migrate(connection)
        yield name


@pytest.fixture
async def migrated(server: Server, made: str) -> AsyncIterator[str]:
    async with scratch_database(server, copied=made) as name:
        yield name


@pytest.fixture
async def again(server: Server, migrated: str) -> AsyncIterator[asyncpg.Connection]:
    async with connected(server, migrated) as connection:
        yield connection


def schema_of(server: Server, database: str) -> str:
    """The ledger is how migrations are counted, not what they make."""
    return dump(server, database, "--exclude-table=schema_migrations")


@pytest.fixture(scope="module")
async def schema_of_page(server: Server) -> str:
    async with scratch_database(server) as name:
        async with connected(server, name) as connection:
            await connection.execute(PAGE)
        return schema_of(server, name)


async def ledger(connection: asyncpg.Connection) -> list[tuple[int, str, str]]:
    rows = await connection.fetch("SELECT version, name, checksum FROM schema_migrations")
    return sorted((row["version"], row["name"], row["checksum"]) for row in rows)


async def test_the_migrations_and_the_page_make_the_same_schema(
    server: Server, made: str, schema_of_page: str
) -> None:
    schema = schema_of(server, made)
    assert "CREATE TABLE public.documents" in schema
    assert schema == schema_of_page


@pytest.mark.parametrize(
    ("was", "becomes"),
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
    schema_of_page: str,
    was: str,
    becomes: str,
) -> None:
    whole = "\n".join(migration.sql for migration in migrations())
    assert whole.count(was) == 1
    await connection.execute(whole.replace(was, becomes))
    assert schema_of(server, database) != schema_of_page


async def test_migrating_again_does_nothing(
    server: Server, migrated: str, again: asyncpg.Connection
) -> None:
    reached = await migrate(again)
    before, written = dump(server, migrated), await ledger(again)
    assert await migrate(again) == reached == written[-1][0]
    assert (dump(server, migrated), await ledger(again)) == (before, written)


async def test_the_ledger_names_every_migration(again: asyncpg.Connection) -> None:
    await migrate(again)
    known = [(one.version, one.name, one.checksum) for one in migrations()]
    assert await ledger(again) == known
    versions = [version for version, _, _ in known]
    assert versions == sorted(set(versions))


async def test_data_of_a_newer_version_is_refused_and_left_alone(
    server: Server, migrated: str, again: asyncpg.Connection
) -> None:
    newest = await migrate(again)
    await again.execute(
        "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, 'later', '')",
        newest + 1,
    )
    before, written = dump(server, migrated), await ledger(again)
    with pytest.raises(CannotStart, match=f"schema {newest + 1}.*upgrade remem") as refused:
        await migrate(again)
    assert refused.value.code == "newer_schema"
    assert (dump(server, migrated), await ledger(again)) == (before, written)


async def test_an_edited_migration_is_refused(again: asyncpg.Connection) -> None:
    await migrate(again)
    await again.execute("UPDATE schema_migrations SET checksum = 'edited' WHERE version = 1")
    with pytest.raises(CannotStart, match=migrations()[0].name) as refused:
        await migrate(again)
    assert refused.value.code == "edited_migration"


async def test_a_missing_migration_is_applied(
    again: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await migrate(again)
    added = Migration(first + 1, "added.sql", "CREATE TABLE added (id integer)")
    known = [*migrations(), added]
    monkeypatch.setattr(apply, "migrations", lambda: known)
    assert await migrate(again) == first + 1
    assert await again.fetchval("SELECT count(*) FROM added") == 0
    assert (await ledger(again))[-1] == (added.version, added.name, added.checksum)


async def test_a_migration_that_fails_leaves_nothing_and_can_be_mended(
    again: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await migrate(again)
    before = await ledger(again)
    half = Migration(first + 1, "half.sql", "CREATE TABLE half (id integer); SELECT 1 / 0")
    whole = Migration(first + 1, "half.sql", "CREATE TABLE half (id integer)")
    known = migrations()
    monkeypatch.setattr(apply, "migrations", lambda: [*known, half])
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(again)
    assert await again.fetchval("SELECT to_regclass('half')") is None
    assert await ledger(again) == before
    monkeypatch.setattr(apply, "migrations", lambda: [*known, whole])
    assert await migrate(again) == first + 1


async def test_processes_that_start_at_once_migrate_once(server: Server, database: str) -> None:
    several = [await connect(server, database) for _ in range(5)]
    try:
        reached = await asyncio.gather(*(migrate(connection) for connection in several))
        assert set(reached) == {migrations()[-1].version}
        assert len(await ledger(several[0])) == len(migrations())
    finally:
        for connection in several:
            await connection.close()
