"""Migrate a database to this version's schema: forward only, one process at a time."""

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from itertools import takewhile

import asyncpg

from remem.core.errors import CannotStart

_LOCK = 0x72656D656D  # "remem"
_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (
  version integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)"""


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def about(self) -> str:
        """The comment that the file begins with, or else its name."""
        lines = takewhile(lambda line: line.startswith("--"), self.sql.splitlines())
        words = " ".join(line.removeprefix("--").strip() for line in lines)
        return words or self.name[5:].removesuffix(".sql").replace("_", " ")


def migrations() -> list[Migration]:
    numbered = [
        Migration(int(entry.name[:4]), entry.name, entry.read_text())
        for entry in files("remem.migrations").iterdir()
        if entry.name[:4].isdigit() and entry.name.endswith(".sql")
    ]
    return sorted(numbered, key=lambda migration: migration.version)


async def migrate(connection: asyncpg.Connection, newest: int | None = None) -> int:
    """Apply the missing migrations, up to `newest`, and return the schema version."""
    await connection.execute("SELECT pg_advisory_lock($1)", _LOCK)
    try:
        await connection.execute(_LEDGER)
        applied = {
            row["version"]: row["checksum"]
            for row in await connection.fetch("SELECT version, checksum FROM schema_migrations")
        }
        known = [item for item in migrations() if newest is None or item.version <= newest]
        _refuse_foreign_history(applied, known)
        for migration in known:
            if migration.version not in applied:
                await _apply(connection, migration)
        return known[-1].version
    finally:
        await connection.execute("SELECT pg_advisory_unlock($1)", _LOCK)


async def pending(connection: asyncpg.Connection) -> list[Migration]:
    """The migrations that an existing store lacks; raises CannotStart for a store of a newer
    version. A new store lacks none: it is created with all."""
    if not await connection.fetchval("SELECT to_regclass('schema_migrations') IS NOT NULL"):
        return []
    rows = await connection.fetch("SELECT version, checksum FROM schema_migrations")
    applied = {row["version"]: row["checksum"] for row in rows}
    known = migrations()
    _refuse_foreign_history(applied, known)
    return [migration for migration in known if migration.version not in applied]


def _refuse_foreign_history(applied: dict[int, str], known: list[Migration]) -> None:
    newest = max(applied, default=0)
    if newest > known[-1].version:
        raise CannotStart(
            f"This data was written by a newer remem (schema {newest}, this one knows "
            f"{known[-1].version}); upgrade remem, nothing was changed.",
            code="newer_schema",
        )
    for migration in known:
        if applied.get(migration.version, migration.checksum) != migration.checksum:
            raise CannotStart(
                f"Migration {migration.name} differs from the one this data was created with; "
                "install an unmodified remem.",
                code="edited_migration",
            )


async def _apply(connection: asyncpg.Connection, migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute(migration.sql)
        await connection.execute(
            "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)",
            migration.version,
            migration.name,
            migration.checksum,
        )
