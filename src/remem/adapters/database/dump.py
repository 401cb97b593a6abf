"""The whole database as SQL, by the programs that come with PostgreSQL."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from remem.adapters.database.embedded.binaries import find_programs
from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.adapters.database.embedded.provision import ROLE
from remem.core.errors import Conflict, Unavailable
from remem.core.ports import OriginalSum

# Rows of every tenant, but neither owners nor rights: those are of the server it goes to. The
# extension is made by who may.
_DUMP = (
    "--format=plain", "--no-owner", "--no-privileges", "--exclude-extension=vector",
    # What was deleted is in no backup, also while it can be restored.
    "--exclude-table-data=deleted_rows",
)  # fmt: skip
_ANYTHING = """
SELECT to_regclass('public.documents') IS NOT NULL AND (
  EXISTS (SELECT FROM documents) OR EXISTS (SELECT FROM memories)
  OR (SELECT count(*) FROM users) > 1)"""
_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


@dataclass(frozen=True, slots=True)
class PostgresDump:
    """`address` is of a login that sees every row; `owner` is who is to own what is loaded, when
    it is not that login."""

    address: str
    owner: str | None

    async def write(self, target: Path) -> None:
        await self._run("pg_dump", *_DUMP, f"--file={target}")

    async def load(self, source: Path) -> None:
        prelude = source.with_name("prelude.sql")
        prelude.write_text(_prelude(self.owner))
        await self._run(
            "psql",
            "--no-psqlrc",
            "--quiet",
            "--single-transaction",
            "--set=ON_ERROR_STOP=1",
            f"--file={prelude}",
            f"--file={source}",
        )

    async def originals(self) -> list[OriginalSum]:
        if not await self._value("SELECT to_regclass('public.blobs') IS NOT NULL"):
            return []
        connection = await asyncpg.connect(self.address, timeout=30)
        try:
            rows = await connection.fetch(
                "SELECT key, name, sha256 FROM blobs WHERE released_at IS NULL ORDER BY key"
            )
            return [OriginalSum(*row) for row in rows]
        finally:
            await connection.close()

    async def schema(self) -> int:
        return await self._value("SELECT max(version) FROM schema_migrations")

    async def holds_anything(self) -> bool:
        # One statement would be parsed whole, and fail where the tables are not made yet.
        if not await self._value("SELECT to_regclass('public.documents') IS NOT NULL"):
            return False
        return bool(await self._value(_ANYTHING))

    async def others(self) -> int:
        return await self._value(_OTHERS)

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
            _, said = await process.communicate()
        except BaseException:
            process.kill()
            await process.wait()
            raise
        if process.returncode:
            raise _explain(program, said.decode(errors="replace"))


def embedded_dump(dsn: str) -> PostgresDump:
    """The embedded server's superuser sees every row of every tenant."""
    return PostgresDump(dsn.replace(f"//{ROLE}@", f"//{SUPERUSER}@", 1), owner=ROLE)


def _prelude(owner: str | None) -> str:
    """Everything that is there goes, in the transaction that brings the new."""
    whose = f" AUTHORIZATION {owner}" if owner else ""
    role = f"SET ROLE {owner};" if owner else ""
    return (
        "SET client_min_messages = warning;\n"
        f"DROP SCHEMA public CASCADE;\nCREATE SCHEMA public{whose};\n"
        f"CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;\n{role}\n"
    )


def _without_password(address: str) -> tuple[str, dict[str, str]]:
    """Arguments of a program can be read by everybody on the machine; its environment not."""
    parts = urlsplit(address)
    if not parts.password:
        return address, {}
    netloc = parts.netloc.replace(f":{parts.netloc.split('@')[0].partition(':')[2]}@", "@", 1)
    return urlunsplit(parts._replace(netloc=netloc)), {"PGPASSWORD": unquote(parts.password)}


def _explain(program: str, said: str) -> Exception:
    lines = [line for line in said.splitlines() if "rror" in line or "FATAL" in line]
    why = (lines or said.splitlines() or ["no reason given"])[0][-300:]
    if "row-level security" in said:
        return Conflict(
            "This database login sees only its own rows; back up with one that row-level security"
            " does not bind, or use `remem export`."
        )
    if "server version mismatch" in said:
        return Conflict(f"This PostgreSQL is newer than ours ({why}); use its own pg_dump.")
    return Unavailable(f"{program} failed: {why}; nothing was changed.")
