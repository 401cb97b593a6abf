"""Distribute the tables over the nodes of Citus: most by tenant, some copied to every node."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import asyncpg

from remem.core.errors import CannotStart

# What rows of a tenant refer to, and what their triggers read: every node has a copy.
REFERENCE = ("users", "tenants", "members", "vector_copies")
# On the coordinator only: callers are recognised there, before a tenant is known.
LOCAL = (
    "api_keys",
    "sign_ins",
    "sign_in_links",
    "oauth_clients",
    "oauth_grants",
    "oauth_codes",
    "oauth_tokens",
    "global_arms",
    "erased_tenants",
    "access_version",
    "schema_migrations",
    "rate_counters",
    "schedules",
    "token_use",
    "backups",
)
# Unique by a random hash, which no single node can check globally: unique within a tenant is
# enough. An index replaces the constraint, because rows are found by the hash alone.
PER_TENANT_UNIQUE = ("connection_starts", "connection_hooks", "calendars")
# Triggers that would write on one node what is on another. Code does the same.
_REPLACED_TRIGGERS = ("tenants_erased", "subscriptions_changed")
_TABLES = """
SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute a
  WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped) AS is_owned,
  c.relforcerowsecurity AS is_secured
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
  AND c.relname NOT LIKE 'pgqueuer%' ORDER BY 1
"""
_FOREIGN_KEYS = """
SELECT k.conname AS name, a.relname AS "table", b.relname AS other, k.confdeltype = 'n' AS clears,
  pg_get_constraintdef(k.oid) AS definition, ARRAY(SELECT attname::text FROM pg_attribute
    WHERE attrelid = a.oid AND attnum = ANY(k.confdelsetcols)) AS cleared
FROM pg_constraint k JOIN pg_class a ON a.oid = k.conrelid JOIN pg_class b ON b.oid = k.confrelid
WHERE k.contype = 'f' AND a.relnamespace = current_schema()::regnamespace ORDER BY 2, 1
"""
_TRIGGERS = """
SELECT t.tgname AS name, c.relname AS "table", pg_get_triggerdef(t.oid) AS definition
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relname = ANY($1)
  AND c.relnamespace = current_schema()::regnamespace ORDER BY 2, 1
"""
# Policies and checks bring their functions to all nodes; those of statements are named.
_FUNCTIONS = """
SELECT p.oid::regprocedure::text AS signature FROM pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace AND p.prorettype <> 'trigger'::regtype
  AND NOT p.proretset AND NOT EXISTS (SELECT FROM pg_depend d
    WHERE d.objid = p.oid AND d.deptype = 'e') ORDER BY 1
"""
# A policy reads members on whichever node it is applied, and every node has a copy of them.
_READ_MEMBERS_SQL = (
    "ALTER FUNCTION is_bound_member SET citus.allow_nested_distributed_execution = on;"
)
# A table of many gigabytes is copied in one statement.
_STATEMENT_S = 7 * 86_400.0
_IS_CITUS = "SELECT to_regclass('pg_dist_partition') IS NOT NULL"
_KNOWN = """
SELECT logicalrelid::regclass::text AS name FROM pg_dist_partition
WHERE partmethod = 'h' OR repmodel = 't'
"""
# One connection a node, so that all tables can be distributed in one transaction.
_SETTINGS = """
SET LOCAL citus.multi_shard_modify_mode = 'sequential';
SET LOCAL citus.enable_unsafe_triggers = on;
SET LOCAL client_min_messages = warning;
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """The statements that distribute these tables, in their order."""

    tables: list[str]
    opening: list[str]
    moving: list[str]
    closing: list[str]

    @property
    def statements(self) -> list[str]:
        return [*self.opening, *self.moving, *self.closing]


async def plan(connection: asyncpg.Connection) -> Plan:
    """How to distribute what is not distributed yet."""
    rows = await connection.fetch(_TABLES)
    by_tenant = {row["name"] for row in rows if row["is_owned"]} - {*REFERENCE, *LOCAL}
    pending = {row["name"] for row in rows} - {*LOCAL} - await _known(connection)
    reference = [name for name in REFERENCE if name in pending]
    owned = sorted(by_tenant & pending)
    secured = [
        row["name"] for row in rows if row["is_secured"] and row["name"] in {*reference, *owned}
    ]
    keys = [
        key
        for key in await connection.fetch(_FOREIGN_KEYS)
        if {key["table"], key["other"]} <= by_tenant and {key["table"], key["other"]} & {*owned}
    ]
    tables = [*reference, *owned]
    triggers = await connection.fetch(_TRIGGERS, tables)
    return Plan(
        tables=tables,
        # The owner of the tables must see every row for once.
        opening=[f"ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY;" for name in secured],
        moving=[
            *(await _function_statements(connection) if tables else []),
            *_relax_unique_statements(tables),
            # Rows that are copied to their nodes are counted already.
            *(f"DROP TRIGGER {trigger['name']} ON {trigger['table']};" for trigger in triggers),
            *(f"ALTER TABLE {key['table']} DROP CONSTRAINT {key['name']};" for key in keys),
            *(f"SELECT create_reference_table('{name}');" for name in reference),
            *(f"SELECT create_distributed_table('{name}', 'tenant_id');" for name in owned),
            *(sql for key in keys for sql in _key_statements(key)),
            *(f"SELECT truncate_local_data_after_distributing_table('{name}');" for name in tables),
            *(
                f"{trigger['definition']};"
                for trigger in triggers
                if trigger["name"] not in _REPLACED_TRIGGERS
            ),
        ],
        closing=[f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY;" for name in secured],
    )


async def _known(connection: asyncpg.Connection) -> set[str]:
    if not await connection.fetchval(_IS_CITUS):
        return set()
    return {row["name"] for row in await connection.fetch(_KNOWN)}


async def _function_statements(connection: asyncpg.Connection) -> list[str]:
    rows = await connection.fetch(_FUNCTIONS)
    return [_READ_MEMBERS_SQL] + [
        f"SELECT create_distributed_function('{row['signature']}');" for row in rows
    ]


def _relax_unique_statements(tables: list[str]) -> Iterable[str]:
    for table in PER_TENANT_UNIQUE:
        if table in tables:
            yield f"ALTER TABLE {table} DROP CONSTRAINT {table}_hash_key;"
            yield f"CREATE INDEX {table}_hash ON {table} (hash);"


def _key_statements(key: Mapping[str, Any]) -> Iterable[str]:
    """Citus has no SET NULL for keys with the tenant: a trigger sets it before the key is checked,
    at the end of the transaction."""
    table, other, name, definition = key["table"], key["other"], key["name"], key["definition"]
    if not key["cleared"]:
        yield f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition};"
        return
    [column] = key["cleared"]
    checked = definition.split(" ON DELETE ")[0] + " DEFERRABLE INITIALLY DEFERRED"
    yield f"ALTER TABLE {table} ADD CONSTRAINT {name} {checked};"
    yield (
        f"CREATE TRIGGER {name}_cleared AFTER DELETE ON {other} REFERENCING OLD TABLE AS gone"
        f" FOR EACH STATEMENT EXECUTE FUNCTION clear_references('{table}', '{column}');"
    )


async def distribute(connection: asyncpg.Connection) -> dict[str, int]:
    """Distribute the tables in one transaction, and return the numbers of their rows."""
    if not await connection.fetchval(_IS_CITUS):
        raise CannotStart(
            "This PostgreSQL has no Citus; install it, add it to shared_preload_libraries, and run"
            " CREATE EXTENSION citus.",
            code="no_citus",
        )
    async with connection.transaction():
        await connection.execute(_SETTINGS)
        todo = await plan(connection)
        if not todo.tables:
            return {}
        await connection.execute(f"LOCK TABLE {', '.join(todo.tables)}")
        await _run(connection, todo.opening)
        before = await _counts(connection, todo.tables)
        await _run(connection, todo.moving)
        after = await _counts(connection, todo.tables)
        await _run(connection, todo.closing)
        if before != after:
            raise CannotStart(
                f"Rows were lost on the way: {before} became {after}; nothing was changed.",
                code="rows_lost",
            )
    return after


async def _run(connection: asyncpg.Connection, pending: list[str]) -> None:
    for sql in pending:
        await connection.execute(sql, timeout=_STATEMENT_S)


async def _counts(connection: asyncpg.Connection, tables: list[str]) -> dict[str, int]:
    counts = dict[str, int]()
    for name in tables:
        [row] = await connection.fetch(f"SELECT count(*) FROM {name}", timeout=_STATEMENT_S)
        counts[name] = row["count"]
    return counts
