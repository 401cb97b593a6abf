"""The database, brought up to date and opened, directly or through a pooler."""

from collections.abc import Awaitable, Callable

import asyncpg

from remem.adapters.database.access import secure
from remem.adapters.database.url import PostgresAtUrl
from remem.adapters.vector_index.pgvector import speak_vectors
from remem.core.db import Database, open_pool, opening_of
from remem.core.errors import CannotStart
from remem.migrations.apply import migrate
from remem.settings import Settings


async def open_database(
    settings: Settings, dsn: str, role: str | None, revive: Callable[[], Awaitable[None]]
) -> Database:
    size = settings.pool_size
    sessions = await open_pool(dsn, role=role, max_size=size, prepare=speak_vectors)
    if settings.pooler_url is None:
        return Database(sessions, revive)
    url = settings.pooler_url.get_secret_value()
    try:
        await PostgresAtUrl(url, "REMEM_POOLER_URL").start()
        pool = await open_pool(url, max_size=size, prepare=speak_vectors, by_pooler=True)
    except BaseException:
        await sessions.close()
        raise
    db = Database(pool, revive, sessions=sessions, opening=opening_of(role))
    try:
        await _check_same_server(db)
    except BaseException:
        await db.close()
        raise
    return db


async def _check_same_server(db: Database) -> None:
    """What is written through the pooler must be where jobs look for it."""
    async with db.alone() as pooled, db.sessions.acquire() as direct:
        asked = "SELECT pg_postmaster_start_time(), current_database()"
        if await pooled.fetchrow(asked) != await direct.fetchrow(asked):
            raise CannotStart(
                "REMEM_POOLER_URL leads to another database than REMEM_DATABASE_URL; both must be"
                " the same one.",
                code="pooler_url",
            )


async def prepare_database(dsn: str) -> str | None:
    connection = await asyncpg.connect(dsn, timeout=30)
    try:
        role = await secure(connection)
        if role:
            await connection.execute(f"SET ROLE {role}")
        await migrate(connection)
        return role
    finally:
        await connection.close()
