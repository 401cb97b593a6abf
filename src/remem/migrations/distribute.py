"""Distribute the tables over the nodes of Citus: most by tenant, some copied to every node."""

from collections.abc import Sequence

import asyncpg

from remem.core.errors import CannotStart

# Queried before a tenant is known, by a hash or a name that is globally unique: every node has a
# copy.
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
# On the coordinator only: the migrations, rate limits, the clock, token counts and backups.
LOCAL = ("schema_migrations", "rate_counters", "schedules", "token_use", "backups")
# Unique by a random hash, which no single node can check globally: unique within a tenant is
# enough. An index replaces the constraint, because rows are found by the hash alone.
PER_TENANT_UNIQUE = ("connection_starts", "connection_hooks")
_TABLES = """
SELECT c.relname AS name, c.oid, EXISTS (SELECT FROM pg_attribute a
  WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped) AS is_owned
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
  AND c.relname NOT LIKE 'pgqueuer%'
"""
_FOREIGN_KEYS = """
SELECT conrelid AS referring, confrelid AS referred FROM pg_constraint WHERE contype = 'f'
"""


async def statements(connection: asyncpg.Connection) -> list[str]:
    """The statements to run, each table after those it references."""
    rows = await connection.fetch(_TABLES)
    oids = {row["oid"]: row["name"] for row in rows}
    links = await connection.fetch(_FOREIGN_KEYS)
    references = [(oids.get(link["referring"]), oids.get(link["referred"])) for link in links]
    owned = [row["name"] for row in rows if row["is_owned"] and row["name"] not in REFERENCE]
    reference_tables = _dependency_order(
        [name for name in REFERENCE if name in oids.values()], references
    )
    distributed_tables = _dependency_order(sorted(owned), references)
    return [
        *(_relax_unique_sql(name) for name in PER_TENANT_UNIQUE),
        *(f"SELECT create_reference_table('{name}');" for name in reference_tables),
        *(
            f"SELECT create_distributed_table('{name}', 'tenant_id');"
            for name in distributed_tables
        ),
    ]


def _relax_unique_sql(table: str) -> str:
    return (
        f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {table}_hash_key;"
        f" CREATE INDEX IF NOT EXISTS {table}_hash ON {table} (hash);"
    )


def _dependency_order(
    names: Sequence[str], references: Sequence[tuple[str | None, str | None]]
) -> list[str]:
    remaining, ordered = list(names), list[str]()
    while remaining:
        ready = [name for name in remaining if not _is_blocked(name, remaining, references)]
        ordered += ready or remaining
        remaining = [name for name in remaining if name not in ordered]
    return ordered


def _is_blocked(
    name: str, remaining: Sequence[str], references: Sequence[tuple[str | None, str | None]]
) -> bool:
    return any(
        referring == name and referred in remaining and referred != name
        for referring, referred in references
    )


def _is_done(statement: str, known: set[str]) -> bool:
    return "'" in statement and statement.split("'")[1] in known


async def distribute(connection: asyncpg.Connection) -> list[str]:
    """Run the statements for tables that are not distributed yet, and return them."""
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
    pending = [
        statement for statement in await statements(connection) if not _is_done(statement, known)
    ]
    for statement in pending:
        await connection.execute(statement)
    return pending
