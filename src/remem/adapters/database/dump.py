"""Dump the whole database with pg_dump, and load the rows of such a dump."""

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from remem.adapters.database.dump_file import DumpedTable, read_dump, read_rows
from remem.adapters.database.embedded.binaries import find_programs
from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.adapters.database.embedded.provision import ROLE
from remem.adapters.database.load import load_rows
from remem.core.current import active_memories, latest_documents, undeleted_memories
from remem.core.errors import Conflict, Invalid, Unavailable
from remem.core.ports import DumpedStore, OriginalSum, StoreCounts, TableSum
from remem.core.text import shorten

# Rows of every tenant, but neither owners nor privileges: those depend on the target server. The
# extension is created by a role that may.
_DUMP = (
    "--format=plain", "--no-owner", "--no-privileges", "--exclude-extension=vector",
    # Deleted rows are in no backup, even while they can still be restored.
    "--exclude-table-data=deleted_rows",
    # They are about the store that they were made of.
    "--exclude-table-data=backups",
)  # fmt: skip
_HAS_DATA = """
SELECT to_regclass('public.documents') IS NOT NULL AND (
  EXISTS (SELECT FROM documents) OR EXISTS (SELECT FROM memories)
  OR (SELECT count(*) FROM users) > 1)"""
# With columns that every version of the schema has.
_COUNTS = (
    f"SELECT (SELECT count(*) FROM documents WHERE {latest_documents()}),"
    f" (SELECT count(*) FROM memories WHERE {active_memories()} AND {undeleted_memories()})"
)
# The first version of the schema has neither names nor released originals.
_ORIGINALS = (
    "SELECT key, to_jsonb(b)->>'name', sha256 FROM blobs b"
    " WHERE to_jsonb(b)->>'released_at' IS NULL ORDER BY key"
)
_OTHER_CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


# A value that does not fit is quoted in PostgreSQL's message.
_REASON_CHARS = 200
# Creates the tables of a schema, by its version.
CreateSchema: TypeAlias = Callable[[asyncpg.Connection, int], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class PostgresDump:
    """`address` is that of a login that sees all rows. `owner` will own everything that is loaded,
    if it is not that login: a role that can neither start programs nor read files."""

    address: str
    owner: str | None
    create_schema: CreateSchema

    async def write(self, target: Path) -> DumpedStore:
        connection = await asyncpg.connect(self.address, timeout=30)
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                # It waits here until pg_dump ends.
                await connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                [begun] = await connection.fetch("SELECT now() AS at, pg_export_snapshot() AS id")
                await self._run("pg_dump", *_DUMP, f"--snapshot={begun['id']}", f"--file={target}")
                return DumpedStore(
                    made_at=begun["at"],
                    schema=await connection.fetchval("SELECT max(version) FROM schema_migrations"),
                    counts=await _counts(connection),
                    originals=await _originals(connection),
                )
        finally:
            await connection.close(timeout=30)

    async def check(self, source: Path) -> None:
        await asyncio.to_thread(read_dump, source)

    async def sums(self, source: Path) -> Mapping[str, TableSum]:
        return await asyncio.to_thread(sums_of, source)

    async def load(
        self, source: Path, schema: int, before_commit: Callable[[Set[str]], Awaitable[None]]
    ) -> Set[str]:
        """Create the tables as this version does and load only rows: a statement of the file is
        never executed."""
        connection = await asyncpg.connect(self.address, timeout=30)
        try:
            async with connection.transaction():
                await connection.execute(_empty_schema(self.owner))
                await self.create_schema(connection, schema)
                keys = await load_rows(connection, source, schema)
                await before_commit(keys)
            return keys
        except (asyncpg.InsufficientResourcesError, asyncpg.PostgresConnectionError) as error:
            raise Unavailable(f"PostgreSQL stopped ({error}); nothing was changed.") from error
        except asyncpg.InsufficientPrivilegeError as error:
            raise Conflict(f"This database login has too few rights ({error}).") from error
        except asyncpg.PostgresError as error:
            reason = shorten(str(error).partition("\n")[0], _REASON_CHARS)
            raise Invalid(
                "file", f"its rows do not fit ({reason}); use another backup, nothing was changed"
            ) from error
        finally:
            await connection.close(timeout=30)

    async def originals(self) -> list[OriginalSum]:
        connection = await asyncpg.connect(self.address, timeout=30)
        try:
            return await _originals(connection)
        finally:
            await connection.close()

    async def counts(self) -> StoreCounts:
        connection = await asyncpg.connect(self.address, timeout=30)
        try:
            return await _counts(connection)
        finally:
            await connection.close()

    async def holds_anything(self) -> bool:
        # PostgreSQL parses a whole statement first, which fails while the tables do not exist.
        if not await self._value("SELECT to_regclass('public.documents') IS NOT NULL"):
            return False
        return bool(await self._value(_HAS_DATA))

    async def other_connections(self) -> int:
        return await self._value(_OTHER_CONNECTIONS)

    async def _value(self, query: str) -> Any:
        connection = await asyncpg.connect(self.address, timeout=30)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    async def _run(self, program: str, *options: str) -> None:
        address, environment = _without_password(self.address)
        process = await asyncio.create_subprocess_exec(
            str(find_programs() / program),
            *options,
            f"--dbname={address}",
            env={**os.environ, **environment, "LC_ALL": "C"},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            _, stderr = await process.communicate()
        except BaseException:
            process.kill()
            await process.wait()
            raise
        if process.returncode:
            raise _explain(program, stderr.decode(errors="replace"))


async def _originals(connection: asyncpg.Connection) -> list[OriginalSum]:
    if not await connection.fetchval("SELECT to_regclass('public.blobs') IS NOT NULL"):
        return []
    return [OriginalSum(*row) for row in await connection.fetch(_ORIGINALS)]


async def _counts(connection: asyncpg.Connection) -> StoreCounts:
    # Without tables the store was never used.
    if not await connection.fetchval("SELECT to_regclass('public.documents') IS NOT NULL"):
        return StoreCounts()
    [counts] = await connection.fetch(_COUNTS)
    return StoreCounts(*counts)


def embedded_dump(dsn: str, create_schema: CreateSchema) -> PostgresDump:
    """Dump the embedded database as its superuser, who sees the rows of every tenant."""
    return PostgresDump(dsn.replace(f"//{ROLE}@", f"//{SUPERUSER}@", 1), ROLE, create_schema)


def _empty_schema(owner: str | None) -> str:
    """SQL that drops all existing data, in the same transaction that loads the new."""
    authorization = f" AUTHORIZATION {owner}" if owner else ""
    role = f"SET LOCAL ROLE {owner};" if owner else ""
    return (
        "SET LOCAL client_min_messages = warning;\n"
        f"DROP SCHEMA public CASCADE;\nCREATE SCHEMA public{authorization};\n"
        f"CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;\n{role}\n"
    )


def _without_password(address: str) -> tuple[str, dict[str, str]]:
    """Pass the password by the environment: everybody on the machine can read the arguments."""
    parts = urlsplit(address)
    if not parts.password:
        return address, {}
    netloc = parts.netloc.replace(f":{parts.netloc.split('@')[0].partition(':')[2]}@", "@", 1)
    return urlunsplit(parts._replace(netloc=netloc)), {"PGPASSWORD": unquote(parts.password)}


def _explain(program: str, stderr: str) -> Exception:
    lines = [line for line in stderr.splitlines() if "rror" in line or "FATAL" in line]
    reason = (lines or stderr.splitlines() or ["no reason given"])[0][-300:]
    if "row-level security" in stderr:
        return Conflict(
            "This database login sees only its own rows; back up with one that row-level security"
            " does not bind, or use `remem export`."
        )
    if "server version mismatch" in stderr:
        return Conflict(f"This PostgreSQL is newer than ours ({reason}); use its own pg_dump.")
    return Unavailable(f"{program} failed: {reason}; nothing was changed.")


# Sums of the rows in a dump, to compare two dumps of equal data.


# A restore gives these columns and tables new values, so that no cache is believed.
_CHANGED = {"projects": frozenset({"generation"}), "access_version": frozenset({"version"})}
_MODULUS = 1 << 128


def sums_of(path: Path) -> dict[str, TableSum]:
    return {
        name: _sum(name, path, table)
        for name, table in read_dump(path).tables.items()
        # The queue's tables depend on the version of its library.
        if not name.startswith("pgqueuer") and name != "schema_migrations"
    }


def _sum(name: str, path: Path, table: DumpedTable) -> TableSum:
    ignored = _CHANGED.get(name, frozenset())
    kept = [number for number, column in enumerate(table.columns) if column not in ignored]
    rows = checksum = 0
    for row in _rows(path, table):
        if ignored:
            values = row.split(b"\t")
            row = b"\t".join(values[number] for number in kept)
        digest = hashlib.blake2b(row, digest_size=16).digest()
        checksum = (checksum + int.from_bytes(digest, "big")) % _MODULUS
        rows += 1
    return TableSum(rows, checksum)


def _rows(path: Path, table: DumpedTable) -> Iterator[bytes]:
    rest = b""
    for block in read_rows(path, table):
        *rows, rest = (rest + block).split(b"\n")
        yield from rows
