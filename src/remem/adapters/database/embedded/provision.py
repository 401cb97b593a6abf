"""Provision a new server: our role, our database and the vector extension."""

from pathlib import Path

import asyncpg

from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.adapters.database.embedded.sockets import PORT

ROLE = DATABASE = "remem"
CONNECT_TIMEOUT_S = 5.0

IS_COMPLETE = """
select exists (select from pg_roles
               where rolname = 'remem' and rolcanlogin and not rolsuper and not rolbypassrls)
   and exists (select from pg_database
               where datname = current_database() and pg_get_userbyid(datdba) = 'remem')
   and exists (select from pg_available_extensions
               where name = 'vector' and installed_version = default_version)
"""

CREATE_ROLE = """
do $$ begin
  if not exists (select from pg_roles where rolname = 'remem') then
    create role remem;
  end if;
  alter role remem login nosuperuser nobypassrls nocreatedb nocreaterole noreplication;
end $$
"""


async def provision(socket_dir: Path) -> None:
    """Create whatever is missing. Each step is idempotent, so it can be repeated after a crash.

    Raises the errors of asyncpg when the server does not answer."""
    try:
        connection = await _connect(socket_dir, DATABASE)
    except asyncpg.InvalidCatalogNameError:
        await _create_database(socket_dir)
        connection = await _connect(socket_dir, DATABASE)
    try:
        if not await connection.fetchval(IS_COMPLETE):
            await _complete(connection)
    finally:
        await connection.close(timeout=CONNECT_TIMEOUT_S)


async def _create_database(socket_dir: Path) -> None:
    connection = await _connect(socket_dir, SUPERUSER)
    try:
        await connection.execute(CREATE_ROLE)
        await connection.execute("create database remem owner remem")
    finally:
        await connection.close(timeout=CONNECT_TIMEOUT_S)


async def _complete(connection: asyncpg.Connection) -> None:
    """As superuser, because an ordinary role may not create the extension `vector`."""
    await connection.execute(CREATE_ROLE)
    await connection.execute("alter database remem owner to remem")
    await connection.execute("create extension if not exists vector")
    await connection.execute("alter extension vector update")


async def _connect(socket_dir: Path, database: str) -> asyncpg.Connection:
    return await asyncpg.connect(
        host=str(socket_dir),
        port=PORT,
        user=SUPERUSER,
        database=database,
        timeout=CONNECT_TIMEOUT_S,
        target_session_attrs="any",
    )
