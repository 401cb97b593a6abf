"""Which tables Citus spreads over its nodes by tenant, and which it copies to each."""

from collections.abc import Sequence

import asyncpg

from remem.core.errors import CannotStart

# Asked before a tenant is known, by a hash or a name that is the only one anywhere: every node has
# a copy of them.
REFERENCE = (
    "users",
    "tenants",
    "members",
    "api_keys",
    "sign_ins",
    "sign_in_links",
    "oauth_clients",
    "oauth_grants",
    "oauth_codes",
    "oauth_tokens",
    "global_arms",
    "vector_copies",
    "erased_tenants",
    "access_version",
)
# Of the coordinator alone: the queue, the clock, counts and the ledger.
LOCAL = ("schema_migrations", "rate_counters", "schedules", "token_use")
# Keys of random hashes, which no node could check for all: unique within a tenant is enough, and
# they are looked for by the hash alone.
LOOSENED = ("connection_starts", "connection_hooks")
_TABLES = """
SELECT c.relname AS name, c.oid, EXISTS (SELECT FROM pg_attribute a
  WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped) AS is_owned
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
  AND c.relname NOT LIKE 'pgqueuer%'
"""
_REFERRED = """
SELECT conrelid AS referring, confrelid AS referred FROM pg_constraint WHERE contype = 'f'
"""


async def statements(connection: asyncpg.Connection) -> list[str]:
    """In an order in which each table follows those it refers to."""
    rows = await connection.fetch(_TABLES)
    oids = {row["oid"]: row["name"] for row in rows}
    links = await connection.fetch(_REFERRED)
    refers = [(oids.get(one["referring"]), oids.get(one["referred"])) for one in links]
    owned = [row["name"] for row in rows if row["is_owned"] and row["name"] not in REFERENCE]
    first = _in_order([name for name in REFERENCE if name in oids.values()], refers)
    then = _in_order(sorted(owned), refers)
    return [
        *(_loosen(name) for name in LOOSENED),
        *(f"SELECT create_reference_table('{name}');" for name in first),
        *(f"SELECT create_distributed_table('{name}', 'tenant_id');" for name in then),
    ]


def _loosen(table: str) -> str:
    return (
        f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {table}_hash_key;"
        f" CREATE INDEX IF NOT EXISTS {table}_hash ON {table} (hash);"
    )


def _in_order(names: Sequence[str], refers: Sequence[tuple[str | None, str | None]]) -> list[str]:
    left, ordered = list(names), list[str]()
    while left:
        free = [name for name in left if not _waits(name, left, refers)]
        ordered += free or left
        left = [name for name in left if name not in ordered]
    return ordered


def _waits(name: str, left: Sequence[str], refers: Sequence[tuple[str | None, str | None]]) -> bool:
    return any(one == name and other in left and other != name for one, other in refers)


def _is_done(statement: str, known: set[str]) -> bool:
    return "'" in statement and statement.split("'")[1] in known


async def distribute(connection: asyncpg.Connection) -> list[str]:
    """Run the statements; what is distributed already stays."""
    if not await connection.fetchval("SELECT to_regclass('pg_dist_partition') IS NOT NULL"):
        raise CannotStart(
            "This PostgreSQL has no Citus; install it, add it to shared_preload_libraries, and run"
            " CREATE EXTENSION citus.",
            code="no_citus",
        )
    known = {
        row["name"]
        for row in await connection.fetch(
            "SELECT logicalrelid::regclass::text AS name FROM pg_dist_partition"
        )
    }
    await connection.execute("SET citus.enable_unsafe_triggers = on")
    made = [one for one in await statements(connection) if not _is_done(one, known)]
    for statement in made:
        await connection.execute(statement)
    return made
