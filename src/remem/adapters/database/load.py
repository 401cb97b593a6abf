"""Load the rows of a dump into the empty tables of this schema."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg

from remem.adapters.blobs.keys import KEY, MAX_CHARS
from remem.adapters.database.dump_file import Dump, DumpedTable, read_dump, read_rows
from remem.core.errors import Invalid

# Their rows are in no backup, or belong to the schema and not to the data.
_WITHOUT_ROWS = frozenset({"backups", "deleted_rows", "schema_migrations"})
_COLUMNS = """
SELECT relname, array_agg(attname::text) FILTER (WHERE attgenerated = '')
FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' GROUP BY relname"""
_SEQUENCES = (
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'"
)
_BAD_KEY = (
    f"SELECT true FROM blobs WHERE key !~ '^{KEY.pattern}$' OR length(key) > {MAX_CHARS} LIMIT 1"
)
# Pairs of statements: before and after the rows are loaded. Rows come in any order, checked at the
# end, and an index is built faster from all rows at once. They are what pg_dump would do, too.
_AROUND_ROWS = """
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
  format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
         pg_get_constraintdef(oid))
FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
UNION ALL
SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
WHERE relnamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
UNION ALL
SELECT format('ALTER TABLE %s DISABLE TRIGGER USER', oid::regclass),
  format('ALTER TABLE %s ENABLE TRIGGER USER', oid::regclass)
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
UNION ALL
SELECT format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', oid::regclass),
  format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', oid::regclass)
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relrowsecurity"""


async def load_rows(connection: asyncpg.Connection, source: Path, schema: int) -> set[str]:
    """Replace the rows of every table, and return the keys of originals that they refer to. Call it
    in a transaction."""
    dump = await asyncio.to_thread(read_dump, source)
    await _check_tables(connection, dump, schema)
    around = await connection.fetch(_AROUND_ROWS)
    for before, _ in around:
        await connection.execute(before)
    for name in sorted(set(dump.tables) - _WITHOUT_ROWS):
        await _load(connection, source, name, dump.tables[name])
    for name, (value, is_called) in dump.sequences.items():
        await connection.execute(f"SELECT setval('public.{name}', {value}, {is_called})")
    if await connection.fetchval(_BAD_KEY):
        raise Invalid("file", "it has an original with a wrong key; use another backup")
    keys = {row["key"] for row in await connection.fetch("SELECT key FROM blobs")}
    await _outdate_caches(connection, dump)
    # In reverse: a foreign key needs its index.
    for _, after in reversed(around):
        await connection.execute(after)
    return keys


async def _outdate_caches(connection: asyncpg.Connection, dump: Dump) -> None:
    """A shared cache may still have what was written after the backup, under the same versions as
    what will be written after the restore."""
    if "access_version" in dump.tables:
        await connection.execute("UPDATE access_version SET version = gen_random_uuid()")
    await connection.execute(
        "UPDATE projects SET generation = generation + 1 + floor(random() * 1e9)::bigint"
    )


async def _check_tables(connection: asyncpg.Connection, dump: Dump, schema: int) -> None:
    tables = {name: set(columns) for name, columns in await connection.fetch(_COLUMNS)}
    dumped = {name: set(table.columns) for name, table in dump.tables.items()}
    sequences = {row["relname"] for row in await connection.fetch(_SEQUENCES)}
    for name in sorted((tables.keys() | dumped.keys()) - _WITHOUT_ROWS):
        columns, own = dumped.get(name, set()), tables.get(name, set())
        # The queue's tables depend on the version of its library, which adds columns.
        if not columns <= own or (columns != own and not name.startswith("pgqueuer")):
            raise Invalid("file", f"its table {name} is not one of schema {schema}")
    if unknown := sorted(dump.sequences.keys() - sequences):
        raise Invalid("file", f"its sequence {unknown[0]} is not one of schema {schema}")


async def _load(
    connection: asyncpg.Connection, source: Path, name: str, table: DumpedTable
) -> None:
    await connection.execute(f"DELETE FROM public.{name}")
    await connection.copy_to_table(
        name,
        schema_name="public",
        columns=table.columns,
        source=_blocks(read_rows(source, table)),
        format="text",
    )


async def _blocks(rows: Iterator[bytes]) -> AsyncIterator[bytes]:
    while block := await asyncio.to_thread(next, rows, b""):
        yield block
