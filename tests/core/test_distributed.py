"""The schema is ready for Citus: what is spread over nodes by tenant has the tenant in each of its
unique and foreign keys. No Citus can be had here, so its rules are checked over the catalog."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from remem.migrations.apply import migrate, migrations
from remem.migrations.distribute import LOCAL, PER_TENANT_UNIQUE, REFERENCE, distribute, statements
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


def of(kind: str, made: list[str]) -> list[str]:
    return [one.split("'")[1] for one in made if f"create_{kind}_table" in one]


async def test_every_key_of_a_distributed_table_has_the_tenant(
    connection: asyncpg.Connection,
) -> None:
    spread = set(of("distributed", await statements(connection)))
    assert {"documents", "chunks", "memories", "embeddings", "postings", "events"} <= spread
    unique = await connection.fetch(UNIQUE)
    without = [
        r["index"] for r in unique if r["table"] in spread and "tenant_id" not in r["columns"]
    ]
    assert sorted(without) == sorted(f"{name}_hash_key" for name in PER_TENANT_UNIQUE)
    foreign = await connection.fetch(FOREIGN)
    between = [one for one in foreign if one["table"] in spread and one["other"] in spread]
    assert between
    assert [one["key"] for one in between if "tenant_id" not in one["columns"]] == []


async def test_what_every_node_has_refers_to_nothing_that_is_spread(
    connection: asyncpg.Connection,
) -> None:
    made = await statements(connection)
    spread, copied = set(of("distributed", made)), set(of("reference", made))
    assert copied == set(REFERENCE)
    foreign = await connection.fetch(FOREIGN)
    wrong = [one["key"] for one in foreign if one["table"] in copied and one["other"] in spread]
    assert wrong == []
    away = [one["key"] for one in foreign if one["table"] in LOCAL or one["other"] in LOCAL]
    assert away == []


async def test_every_table_has_its_place_and_follows_what_it_refers_to(
    connection: asyncpg.Connection,
) -> None:
    made = await statements(connection)
    assert [one for one in made if "'" not in one] == made[: len(PER_TENANT_UNIQUE)]
    for one in made[: len(PER_TENANT_UNIQUE)]:
        await connection.execute(one)
    places = {one.split("'")[1]: n for n, one in enumerate(made) if "'" in one}
    tables = await connection.fetch(
        "SELECT relname FROM pg_class WHERE relkind = 'r'"
        " AND relnamespace = current_schema()::regnamespace"
    )
    assert {row["relname"] for row in tables} == {*places, *LOCAL}
    for one in await connection.fetch(FOREIGN):
        assert places[one["other"]] <= places[one["table"]], one["key"]


async def test_without_citus_it_says_what_to_install(connection: asyncpg.Connection) -> None:
    with pytest.raises(Exception, match="CREATE EXTENSION citus"):
        await distribute(connection)


# What a process of the version before still reads or writes must stay as it was.
BREAKING = (
    "DROP TABLE", "DROP COLUMN", "RENAME", "SET NOT NULL", "DROP DEFAULT", "ALTER COLUMN",
    "DROP CONSTRAINT", "DROP FUNCTION", "DROP POLICY", "TRUNCATE",
)  # fmt: skip
FIRST_ADDITIVE = 33


@pytest.mark.parametrize(
    "migration",
    [one for one in migrations() if one.version >= FIRST_ADDITIVE],
    ids=lambda one: one.name,
)
def test_a_migration_leaves_the_version_before_working(migration: object) -> None:
    sql = " ".join(migration.sql.upper().split())  # type: ignore[attr-defined]
    assert [word for word in BREAKING if word in sql] == []
    added = [part.split(",")[0] for part in sql.split("ADD COLUMN ")[1:]]
    assert [one for one in added if "NOT NULL" in one and "DEFAULT" not in one] == []
