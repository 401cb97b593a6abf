"""Prepare a database: the vector extension, and a role that row-level security applies to."""

import asyncpg

from remem.core.errors import CannotStart

MIN_VERSION = 15
# The first version with iterative scans, which continue when a filter removed the results.
MIN_VECTOR = (0, 8)
APP_ROLE = "remem_app"
_LOCK = 0x736563757265  # "secure"


async def prepare_access(connection: asyncpg.Connection) -> str | None:
    """Check the server, create what is missing, and return the role to switch to, if any.

    A superuser, or a role with BYPASSRLS, would see the rows of all tenants, so such a login
    switches to a role that sees only the bound tenant.
    """
    _check_version(connection)
    async with connection.transaction():
        # One process at a time: concurrent CREATE or GRANT of the same object makes one fail.
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
        await _ensure_vector(connection)
        bypasses_rls = await connection.fetchval(
            "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
        )
        if bypasses_rls:
            await _make_app_role(connection)
        await _check_rights(connection, APP_ROLE if bypasses_rls else None)
    return APP_ROLE if bypasses_rls else None


def _check_version(connection: asyncpg.Connection) -> None:
    major = connection.get_server_version().major
    if major < MIN_VERSION:
        raise CannotStart(
            f"PostgreSQL {major} is too old; remem needs {MIN_VERSION} or newer.",
            code="database_too_old",
        )


async def _ensure_vector(connection: asyncpg.Connection) -> None:
    version = await connection.fetchval(_VECTOR_VERSION) or await _create_vector(connection)
    if tuple(int(part) for part in version.split(".")[:2]) < MIN_VECTOR:
        raise CannotStart(
            f"The extension vector is {version} here and remem needs 0.8 or newer; run"
            " ALTER EXTENSION vector UPDATE once as a superuser.",
            code="extension_old",
        )


async def _create_vector(connection: asyncpg.Connection) -> str:
    try:
        await connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except asyncpg.InsufficientPrivilegeError as error:
        raise CannotStart(
            "This database lacks the extension vector and this user may not create it; run"
            " CREATE EXTENSION vector once as a superuser.",
            code="extension_right",
        ) from error
    except asyncpg.PostgresError as error:
        raise CannotStart(
            "This PostgreSQL does not have pgvector; install it on the server (0.8 or newer)"
            " and start again.",
            code="extension_missing",
        ) from error
    return str(await connection.fetchval(_VECTOR_VERSION))


async def _check_rights(connection: asyncpg.Connection, role: str | None) -> None:
    name = role or await connection.fetchval("SELECT current_user")
    may_create = await connection.fetchval(
        "SELECT has_schema_privilege($1, current_schema(), 'CREATE')", name
    )
    if not may_create:
        raise CannotStart(
            f"{name} may not create tables in this database; run GRANT CREATE ON SCHEMA public TO"
            f" {name} once as the database's owner.",
            code="database_right",
        )


async def _make_app_role(connection: asyncpg.Connection) -> None:
    try:
        await connection.execute(_APP_ROLE + _LOG_IN_BETWEEN_NODES)
    except asyncpg.InsufficientPrivilegeError as error:
        raise CannotStart(
            "This user passes row-level security (BYPASSRLS) and may not create the role"
            f" {APP_ROLE} to work as; use a user without BYPASSRLS, or a superuser.",
            code="database_right",
        ) from error


_VECTOR_VERSION = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
_APP_ROLE = f"""
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
    CREATE ROLE {APP_ROLE} NOLOGIN NOSUPERUSER NOBYPASSRLS;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
GRANT ALL ON SCHEMA public TO {APP_ROLE};
GRANT {APP_ROLE} TO CURRENT_USER;
"""
# The nodes of Citus connect to each other as the role that runs a statement.
_LOG_IN_BETWEEN_NODES = f"""
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
      AND NOT (SELECT rolcanlogin FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
    ALTER ROLE {APP_ROLE} LOGIN;
  END IF;
END $$;
"""
