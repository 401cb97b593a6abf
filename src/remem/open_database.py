"""Migrate the database and open it, directly or through a pooler."""

from collections.abc import Awaitable, Callable

import asyncpg

from remem.adapters.database.access import prepare_access
from remem.adapters.database.url import PostgresAtUrl
from remem.adapters.vector_index.pgvector import set_vector_codec
from remem.core.db import Database
from remem.core.errors import CannotStart
from remem.core.pool import open_pool, transaction_setup_sql
from remem.migrations.apply import migrate
from remem.settings import Settings

_IS_DISTRIBUTED = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"


async def open_database(
    settings: Settings, dsn: str, role: str | None, revive: Callable[[], Awaitable[None]]
) -> Database:
    size = settings.pool_size
    sessions = await open_pool(dsn, role=role, max_size=size, prepare=set_vector_codec)
    is_distributed = bool(await sessions.fetchval(_IS_DISTRIBUTED))
    if settings.pooler_url is None:
        return Database(sessions, revive, is_distributed=is_distributed)
    url = settings.pooler_url.get_secret_value()
    try:
        await PostgresAtUrl(url, "REMEM_POOLER_URL").start()
        pool = await open_pool(url, max_size=size, prepare=set_vector_codec, through_pooler=True)
    except BaseException:
        await sessions.close()
        raise
    db = Database(
        pool,
        revive,
        sessions=sessions,
        setup_sql=transaction_setup_sql(role),
        is_distributed=is_distributed,
    )
    try:
        await _check_same_server(db)
    except BaseException:
        await db.close()
        raise
    return db


async def _check_same_server(db: Database) -> None:
    """Refuse a pooler of another database: jobs would not see what is written through it."""
    async with db.unbound() as pooled, db.sessions.acquire() as direct:
        query = "SELECT pg_postmaster_start_time(), current_database()"
        if await pooled.fetchrow(query) != await direct.fetchrow(query):
            raise CannotStart(
                "REMEM_POOLER_URL leads to another database than REMEM_DATABASE_URL; both must be"
                " the same one.",
                code="pooler_url",
            )


async def prepare_database(dsn: str) -> str | None:
    connection = await asyncpg.connect(dsn, timeout=30)
    try:
        role = await prepare_access(connection)
        if role:
            await connection.execute(f"SET ROLE {role}")
        await migrate(connection)
        return role
    except asyncpg.DiskFullError as error:
        raise CannotStart(
            "The disk of PostgreSQL is full; make room and start again.", code="disk_full"
        ) from error
    finally:
        await connection.close()
