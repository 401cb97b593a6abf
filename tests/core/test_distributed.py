"""The schema is ready for Citus: each unique or foreign key of a distributed table has the tenant.

Its rules are checked against the catalog, also where there is no Citus."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from remem.migrations.apply import migrate, migrations
from remem.migrations.distribute import LOCAL, PER_TENANT_UNIQUE, REFERENCE, distribute, plan
from tests.conftest import Server
from tests.core.scratch import connected, scratch_database

pytestmark = pytest.mark.anyio

UNIQUE = """
SELECT c.relname AS table, i.indexrelid::regclass::text AS index, ARRAY(SELECT a.attname::text
  FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY(i.indkey)) AS columns
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
WHERE i.indisunique AND c.relnamespace = current_schema()::regnamespace
"""
FOREIGN = """
SELECT c.relname AS table, o.relname AS other, f.conname AS key, ARRAY(SELECT a.attname::text
  FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY(f.conkey)) AS columns
FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class o ON o.oid = f.confrelid
WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace
"""


@pytest.fixture
async def connection(server: Server) -> AsyncIterator[asyncpg.Connection]:
    async with scratch_database(server) as name, connected(server, name) as opened:
        await migrate(opened)
        yield opened


def tables_of_kind(kind: str, created: list[str]) -> list[str]:
    return [statement.split("'")[1] for statement in created if f"create_{kind}_table" in statement]


async def test_every_key_of_a_distributed_table_has_the_tenant(
    connection: asyncpg.Connection,
) -> None:
    distributed = set(tables_of_kind("distributed", (await plan(connection)).statements))
    assert {"documents", "chunks", "memories", "embeddings", "postings", "events"} <= distributed
    unique = await connection.fetch(UNIQUE)
    without_tenant = [
        row["index"]
        for row in unique
        if row["table"] in distributed and "tenant_id" not in row["columns"]
    ]
    assert sorted(without_tenant) == sorted(f"{name}_hash_key" for name in PER_TENANT_UNIQUE)
    foreign = await connection.fetch(FOREIGN)
    between_distributed = [
        row for row in foreign if row["table"] in distributed and row["other"] in distributed
    ]
    assert between_distributed
    assert [row["key"] for row in between_distributed if "tenant_id" not in row["columns"]] == []


async def test_a_reference_table_refers_to_no_distributed_table(
    connection: asyncpg.Connection,
) -> None:
    created = (await plan(connection)).statements
    distributed, reference = (
        set(tables_of_kind("distributed", created)),
        set(tables_of_kind("reference", created)),
    )
    assert reference == set(REFERENCE)
    foreign = await connection.fetch(FOREIGN)
    wrong = [
        row["key"] for row in foreign if row["table"] in reference and row["other"] in distributed
    ]
    assert wrong == []
    assert [
        row["key"] for row in foreign if row["other"] in LOCAL and row["table"] not in LOCAL
    ] == []


async def test_every_table_is_of_a_known_kind(connection: asyncpg.Connection) -> None:
    tables = await connection.fetch(
        "SELECT relname FROM pg_class WHERE relkind = 'r'"
        " AND relnamespace = current_schema()::regnamespace"
    )
    assert {row["relname"] for row in tables} == {*(await plan(connection)).tables, *LOCAL}


async def test_keys_between_distributed_tables_are_made_after_both(
    connection: asyncpg.Connection,
) -> None:
    created = (await plan(connection)).statements
    distributed = set(tables_of_kind("distributed", created))
    last = max(n for n, sql in enumerate(created) if "create_distributed_table" in sql)
    for row in await connection.fetch(FOREIGN):
        added = [n for n, sql in enumerate(created) if f"ADD CONSTRAINT {row['key']} " in sql]
        if {row["table"], row["other"]} <= distributed:
            assert len(added) == 1 and added[0] > last, row["key"]
        else:
            assert added == [], row["key"]


async def test_a_reference_that_a_deletion_clears_has_a_trigger(
    connection: asyncpg.Connection,
) -> None:
    created = (await plan(connection)).statements
    cleared = [sql for sql in created if "clear_references" in sql and "TRIGGER" in sql]
    assert len(cleared) == 5
    assert not any("SET NULL" in sql for sql in created)


async def test_every_row_is_seen_while_the_tables_move(connection: asyncpg.Connection) -> None:
    todo = await plan(connection)
    opened = {sql.split()[2] for sql in todo.opening}
    assert opened == {sql.split()[2] for sql in todo.closing}
    secured = await connection.fetch("SELECT relname FROM pg_class WHERE relforcerowsecurity")
    assert opened == {row["relname"] for row in secured} & {*todo.tables}


async def test_without_citus_the_error_says_what_to_install(connection: asyncpg.Connection) -> None:
    with pytest.raises(Exception, match="CREATE EXTENSION citus"):
        await distribute(connection)


# Changes that would break a process of the previous version.
BREAKING = (
    "DROP TABLE", "DROP COLUMN", "RENAME TO", "RENAME COLUMN", "SET NOT NULL",
    "DROP DEFAULT", "ALTER COLUMN",
    "DROP CONSTRAINT", "DROP FUNCTION", "DROP POLICY", "TRUNCATE",
)  # fmt: skip
FIRST_ADDITIVE = 33


@pytest.mark.parametrize(
    "migration",
    [migration for migration in migrations() if migration.version >= FIRST_ADDITIVE],
    ids=lambda migration: migration.name,
)
def test_a_migration_keeps_the_previous_version_working(migration: object) -> None:
    sql = " ".join(migration.sql.upper().split())  # type: ignore[attr-defined]
    assert [word for word in BREAKING if word in sql] == []
    added = [part.split(",")[0] for part in sql.split("ADD COLUMN ")[1:]]
    assert [column for column in added if "NOT NULL" in column and "DEFAULT" not in column] == []
