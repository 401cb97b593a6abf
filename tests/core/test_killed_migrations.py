"""A process that is killed after any statement of a migration leaves the store whole."""

import asyncio
import os
import signal
from collections.abc import Iterator

import asyncpg
import pytest

from remem.core.time import new_id
from remem.migrations.apply import Migration, migrate, migrations
from tests.conftest import Server
from tests.core.scratch import connected, dump, scratch_database, url
from tests.tools.preloaded import code_process

pytestmark = pytest.mark.anyio

SCHEMAS = 4
# Migrates up to a version, and is killed by itself after so many statements.
MIGRATE = """
import asyncio, asyncpg, os, signal, sys
from remem.migrations.apply import migrate
from tests.core.test_killed_migrations import split

class Dying:
    def __init__(self, connection, statements):
        self.connection, self.left = connection, statements

    def __getattr__(self, name):
        return getattr(self.connection, name)

    async def execute(self, sql, *values):
        for statement in split(sql) if not values else [sql]:
            await self.connection.execute(statement, *values)
            if "pg_advisory" in sql or "CREATE TABLE IF NOT EXISTS schema_migrations" in sql:
                continue
            self.left -= 1
            if not self.left:
                os.kill(os.getpid(), signal.SIGKILL)

async def main(url, newest, statements):
    connection = await asyncpg.connect(url)
    await migrate(Dying(connection, statements), newest)

asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
"""


def split(sql: str) -> Iterator[str]:
    """The statements of a migration, in which only the bodies of functions have semicolons."""
    statement = ""
    for number, part in enumerate(sql.split("$$")):
        if number % 2:
            statement += f"$${part}$$"
            continue
        *ended, rest = part.split(";\n")
        for end in ended:
            yield statement + end
            statement = ""
        statement += rest
    if statement.strip():
        yield statement


async def killed(address: str, migration: Migration, statements: int) -> bool:
    """Whether the process was killed before it had done all."""
    process = code_process(
        MIGRATE, address, str(migration.version), str(statements), env=dict(os.environ)
    )
    code = await asyncio.to_thread(process.wait, 120)
    assert code in (0, -signal.SIGKILL)
    return code != 0


async def state(connection: asyncpg.Connection) -> tuple[int, list[str]]:
    version = await connection.fetchval("SELECT max(version) FROM schema_migrations")
    rows = await connection.fetch("SELECT name FROM users ORDER BY name")
    return version, [row["name"] for row in rows]


async def test_each_of_the_last_schemas_survives_a_kill_after_every_statement(
    server: Server,
) -> None:
    *_, start = migrations()[:-SCHEMAS]
    kills = 0
    async with scratch_database(server) as name, scratch_database(server) as fresh:
        async with connected(server, name) as connection:
            await migrate(connection, start.version)
            for person in ("Mära", "Jürgen"):
                await connection.execute(
                    "INSERT INTO users (id, email, name) VALUES ($1, $2, $3)",
                    new_id(),
                    f"{person}@example.org",
                    person,
                )
            for migration in migrations()[-SCHEMAS:]:
                before, statements = await state(connection), 1
                while await killed(url(server, name), migration, statements):
                    assert await state(connection) == before
                    kills, statements = kills + 1, statements + 1
                assert await state(connection) == (migration.version, before[1])
        async with connected(server, fresh) as connection:
            await migrate(connection)
        assert dump(server, name) == dump(server, fresh)
    assert kills > 2 * SCHEMAS, kills
