"""Make a database ours to use: the extension, and a role that row-level security binds."""

import asyncpg

from remem.core.errors import CannotStart

MIN_VERSION = 15
APP_ROLE = "remem_app"


async def secure(connection: asyncpg.Connection) -> str | None:
    """Check the server and return the role to work as, or None to stay the one we logged in as.

    A superuser, or a role with BYPASSRLS, would see every tenant's rows, so such a login
    works as a role of its own that sees only what is bound.
    """
    _check_version(connection)
    await _ensure_vector(connection)
    sees_all = await connection.fetchval(
        "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
    )
    if not sees_all:
        await _check_rights(connection)
        return None
    await _make_app_role(connection)
    return APP_ROLE


def _check_version(connection: asyncpg.Connection) -> None:
    major = connection.get_server_version().major
    if major < MIN_VERSION:
        raise CannotStart(
            f"PostgreSQL {major} is too old; remem needs {MIN_VERSION} or newer.",
            code="database_too_old",
        )


async def _ensure_vector(connection: asyncpg.Connection) -> None:
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
            "This PostgreSQL does not have pgvector; install it on the server (0.7 or newer)"
            " and start again.",
            code="extension_missing",
        ) from error


async def _check_rights(connection: asyncpg.Connection) -> None:
    may = await connection.fetchval(
        "SELECT has_schema_privilege(current_user, current_schema(), 'CREATE')"
    )
    if not may:
        raise CannotStart(
            "This user may not create tables in the database; run GRANT CREATE ON SCHEMA public"
            " TO it, as the database's owner.",
            code="database_right",
        )


async def _make_app_role(connection: asyncpg.Connection) -> None:
    await connection.execute(
        f"""
        DO $$ BEGIN
          CREATE ROLE {APP_ROLE} NOLOGIN NOSUPERUSER NOBYPASSRLS;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END $$;
        GRANT ALL ON SCHEMA public TO {APP_ROLE};
        GRANT {APP_ROLE} TO CURRENT_USER;
        """
    )
