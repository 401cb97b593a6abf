"""A process of the previous version keeps working while a new one starts: migrations only add.

Compares the catalog of a real database before and after each migration. `bench/roll.py` runs the
code of an older commit on the current schema."""

import re
from collections.abc import AsyncIterator

import asyncpg
import pytest

from remem.migrations.apply import Migration, migrations
from tests.conftest import Server
from tests.core.scratch import connected, scratch_database

pytestmark = pytest.mark.anyio

# Before this migration, an upgrade required stopping the store.
FIRST_ADDITIVE = 33

COLUMNS = """
SELECT c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
  a.atthasdef OR a.attidentity <> ''
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
  AND a.attnum > 0 AND NOT a.attisdropped
"""
# Each constraint or unique index, with its columns.
RULES = """
SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid), ARRAY(
  SELECT conrelid::regclass || '.' || attname FROM pg_attribute
  WHERE attrelid = conrelid AND attnum = ANY(conkey))
FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype <> 't'
UNION ALL
SELECT pg_get_indexdef(i.indexrelid), ARRAY(SELECT i.indrelid::regclass || '.' || attname
  FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = ANY(i.indkey))
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
WHERE i.indisunique AND c.relnamespace = current_schema()::regnamespace
"""
FUNCTIONS = """
SELECT oid::regprocedure || ' ' || prorettype::regtype FROM pg_proc
WHERE pronamespace = current_schema()::regnamespace
"""


class Catalog:
    def __init__(self, columns: list, rules: list, functions: list) -> None:
        self.columns = {row[0]: tuple(row)[1:] for row in columns}
        self.tables = {name.split(".")[0] for name in self.columns}
        self.rules = {row[0]: set(row[1]) for row in rules}
        self.functions = {row[0] for row in functions}


async def catalog(connection: asyncpg.Connection) -> Catalog:
    queries = (COLUMNS, RULES, FUNCTIONS)
    return Catalog(*[await connection.fetch(query) for query in queries])


def breaking_changes(before: Catalog, after: Catalog) -> list[str]:
    """Changes that could break a process that only knows the schema before."""
    problems = [f"{name} is gone" for name in before.columns.keys() - after.columns.keys()]
    problems += [f"{name} is gone" for name in before.functions - after.functions]
    for name, (type, is_required, has_default) in after.columns.items():
        old_column = before.columns.get(name)
        if old_column and old_column[0] != type:
            problems.append(f"{name} has another type")
        if old_column and is_required and not old_column[1]:
            problems.append(f"{name} is required now")
        is_new_in_table = old_column is None and name.split(".")[0] in before.tables
        if is_new_in_table and is_required and not has_default:
            problems.append(f"{name} is required, and the version before does not write it")
    for rule in after.rules.keys() - before.rules.keys():
        is_narrower = any(_is_narrower(rule, old_rule) for old_rule in before.rules)
        if after.rules[rule] & before.columns.keys() and not is_narrower:
            problems.append(f"{rule} is a new rule for a column that is written already")
    return problems


def _is_narrower(rule: str, old_rule: str) -> bool:
    """Whether a unique index has one more condition than an old one, so that it refuses less."""
    index, _, condition = rule.partition(" WHERE ")
    old_index, _, old_condition = old_rule.partition(" WHERE ")
    terms, old_terms = (re.split(r"\)? AND \(?", text) for text in (condition, old_condition))
    names, old_names = ({term.strip("()") for term in each} for each in (terms, old_terms))
    return index == old_index and old_names < names and " OR " not in condition


@pytest.fixture(scope="module")
async def migrated(server: Server) -> AsyncIterator[tuple[asyncpg.Connection, list[Catalog]]]:
    """A database with every migration, and its catalog before each of them and after the last."""
    async with scratch_database(server) as name, connected(server, name) as connection:
        catalogs = []
        for migration in migrations():
            catalogs.append(await catalog(connection))
            await connection.execute(migration.sql)
        yield connection, [*catalogs, await catalog(connection)]


@pytest.fixture
async def connection(
    migrated: tuple[asyncpg.Connection, list[Catalog]],
) -> AsyncIterator[asyncpg.Connection]:
    """In a transaction that is rolled back."""
    transaction = migrated[0].transaction()
    await transaction.start()
    yield migrated[0]
    await transaction.rollback()


@pytest.mark.parametrize(
    "migration",
    [migration for migration in migrations() if migration.version >= FIRST_ADDITIVE],
    ids=lambda migration: migration.name,
)
async def test_a_migration_only_adds(
    migrated: tuple[asyncpg.Connection, list[Catalog]], migration: Migration
) -> None:
    catalogs, index = migrated[1], migrations().index(migration)
    assert breaking_changes(catalogs[index], catalogs[index + 1]) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("ALTER TABLE users DROP COLUMN name", "users.name is gone"),
        ("ALTER TABLE users RENAME COLUMN name TO called", "users.name is gone"),
        ("ALTER TABLE users RENAME TO people", "users.email is gone"),
        ("ALTER TABLE users ADD COLUMN x integer NOT NULL", "users.x is required"),
        ("ALTER TABLE users ALTER COLUMN password_hash SET NOT NULL", "is required now"),
        ("ALTER TABLE users ALTER COLUMN name TYPE varchar(9)", "another type"),
        ("ALTER TABLE users ADD CONSTRAINT x CHECK (name <> 'x')", "is a new rule"),
        ("CREATE UNIQUE INDEX x ON users (name)", "is a new rule"),
        ("DROP FUNCTION note_erased_tenant CASCADE", "note_erased_tenant() trigger is gone"),
    ],
)
async def test_a_migration_that_breaks_the_previous_version_is_found(
    connection: asyncpg.Connection, change: str, problem: str
) -> None:
    before = await catalog(connection)
    await connection.execute(change)
    assert any(problem in found for found in breaking_changes(before, await catalog(connection)))


async def test_optional_columns_tables_and_indexes_may_be_added(
    connection: asyncpg.Connection,
) -> None:
    before = await catalog(connection)
    await connection.execute(
        "ALTER TABLE users ADD COLUMN x integer, ADD COLUMN y integer NOT NULL DEFAULT 1"
        " CHECK (y > 0); CREATE TABLE z (id uuid PRIMARY KEY, n integer NOT NULL UNIQUE);"
        " CREATE INDEX ON users (name)"
    )
    assert breaking_changes(before, await catalog(connection)) == []
