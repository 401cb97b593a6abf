"""PostgreSQL by URL: a good one is used with row-level security, a bad one gets a clear error."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import pytest

from remem.adapters.database.access import APP_ROLE, prepare_access
from remem.adapters.database.url import PostgresAtUrl
from remem.bootstrap import open_ports
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import CannotStart
from remem.core.scope import Bound
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.settings import Settings
from tests.conftest import Server, new_scope
from tests.core.scratch import ROLE, SUPERUSER, connected, role_name, scratch_database, url
from tests.tools.external import ROLE_PASSWORD, external_server

pytestmark = pytest.mark.anyio

PASSWORD = "p@ss/word?"


@pytest.fixture
async def database(server: Server) -> AsyncIterator[str]:
    async with scratch_database(server) as name:
        yield name


@pytest.fixture
async def login(server: Server) -> AsyncIterator[str]:
    """A role that must send a password, unlike the roles of the embedded cluster."""
    role = f"login_{uuid4().hex}"
    async with connected(server, SUPERUSER, SUPERUSER) as superuser:
        await superuser.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'")
        async with asking_for_passwords(server, superuser, role):
            yield role
        await superuser.execute(f"DROP OWNED BY {role}")
        await superuser.execute(f"DROP ROLE {role}")


@asynccontextmanager
async def asking_for_passwords(
    server: Server, superuser: asyncpg.Connection, role: str
) -> AsyncIterator[None]:
    """Another server asks for them anyway."""
    if external_server():
        yield
        return
    rules = server.data_dir / "postgres" / "pg_hba.conf"
    old_rules = rules.read_text()
    _rewrite(rules, f"local all {role} scram-sha-256\n{old_rules}")
    await superuser.execute("SELECT pg_reload_conf()")
    try:
        yield
    finally:
        _rewrite(rules, old_rules)
        await superuser.execute("SELECT pg_reload_conf()")


def _rewrite(path: Path, text: str) -> None:
    """Overwrite in place, so that the file stays owned by the account that runs the server."""
    with path.open("r+") as file:
        file.truncate()
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def with_password(server: Server, database: str, role: str, password: str) -> str:
    parts = urlsplit(url(server, database, role))
    login = ":".join(filter(None, (role, quote(password, safe=""))))
    return urlunsplit(parts._replace(netloc=f"{login}@{parts.netloc.rpartition('@')[2]}"))


async def start_error(address: str) -> CannotStart:
    with pytest.raises(CannotStart) as refused:
        await PostgresAtUrl(address).start()
    assert_one_sentence(refused.value.message)
    return refused.value


def assert_one_sentence(message: str) -> None:
    assert message.endswith(".")
    assert "\n" not in message
    assert "Traceback" not in message


def settings(server: Server, address: str, tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path, database_url=address, analysis_processes=0)  # type: ignore[arg-type]


# Connecting


async def test_a_good_url_is_returned(server: Server, database: str) -> None:
    address = url(server, database)
    postgres = PostgresAtUrl(address)
    assert await postgres.start() == address
    await postgres.stop()
    async with connected(server, database) as connection:
        assert await connection.fetchval("SELECT 1") == 1, "stop must not stop an external server"


async def test_a_password_with_special_characters_is_accepted(
    server: Server, database: str, login: str
) -> None:
    address = with_password(server, database, login, PASSWORD)
    assert await PostgresAtUrl(address).start() == address


async def test_a_wrong_password_is_reported_without_the_password(
    server: Server, database: str, login: str
) -> None:
    refused = await start_error(with_password(server, database, login, "wrong-secret"))
    assert refused.code == "database_refused"
    assert "password" in refused.message
    assert login in refused.message
    assert "wrong-secret" not in refused.message


async def test_a_missing_password_is_reported(server: Server, database: str, login: str) -> None:
    refused = await start_error(with_password(server, database, login, ""))
    assert refused.code == "database_refused"
    assert "password" in refused.message


async def test_an_unknown_user_is_reported(server: Server, database: str) -> None:
    refused = await start_error(url(server, database, "nobody_at_all"))
    assert refused.code == "database_refused"
    assert "nobody_at_all" in refused.message


async def test_an_unknown_database_is_reported(server: Server) -> None:
    refused = await start_error(url(server, "no_such_database"))
    assert refused.code == "database_refused"
    assert "no_such_database" in refused.message


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://remem@127.0.0.1:1/remem",
        "postgresql://remem@host.invalid/remem",
        "postgresql://remem@/remem?host=/no/such/folder",
    ],
)
async def test_an_unreachable_server_is_reported(address: str) -> None:
    refused = await start_error(address)
    assert refused.code == "database_unreachable"
    assert "host" in refused.message


@pytest.mark.parametrize(
    "address",
    [
        "not a url",
        "http://example.org/remem",
        "mysql://remem@localhost/remem",
        "postgresql://remem@localhost:port/remem",
        "postgresql://remem@localhost/remem?sslmode=perhaps",
        "postgresql://[remem@localhost/remem",
    ],
)
async def test_an_invalid_url_is_reported_with_an_example(address: str) -> None:
    refused = await start_error(address)
    assert refused.code == "database_url"
    assert "postgresql://user:password@host:5432/database" in refused.message


# Using


async def use(address: str, server: Server, tmp_path: Path) -> tuple[str, bool]:
    """Open it, save and search; return the role in use, and whether row security applies to it."""
    async with open_ports(settings(server, address, tmp_path)) as ports:
        own_scope, other_scope = await new_scope(ports), await new_scope(ports)
        saved = await ingest(ports, own_scope, Draft("The dentist moved my appointment to Friday."))
        results = await recall(ports, own_scope, Query("dentist"))
        assert [hit.document.document_id for hit in results.results] == [saved.document.id]
        assert (await recall(ports, other_scope, Query("dentist"))).results == []
        async with ports.db.transaction(Bound()) as tx:
            role = await tx.fetchval("SELECT current_user")
            is_hidden = await tx.fetchval("SELECT count(*) FROM documents") == 0
        async with ports.db.transaction(other_scope) as tx:
            sql = "SELECT count(*) FROM documents WHERE tenant_id = $1"
            is_hidden = is_hidden and await tx.system.fetchval(sql, own_scope.tenant_id) == 0
        return role, is_hidden


async def test_an_ordinary_user_is_used_as_it_is(
    server: Server, database: str, tmp_path: Path
) -> None:
    assert await use(url(server, database), server, tmp_path) == (role_name(ROLE), True)


async def test_a_superuser_switches_to_a_role_with_row_security(
    server: Server, database: str, tmp_path: Path
) -> None:
    address = url(server, database, SUPERUSER)
    assert await use(address, server, tmp_path) == (APP_ROLE, True)
    async with connected(server, database, SUPERUSER) as connection:
        assert await connection.fetchval("SELECT count(*) FROM documents") == 1
        owners = await connection.fetch(
            "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"
        )
        role = await connection.fetchrow("SELECT * FROM pg_roles WHERE rolname = $1", APP_ROLE)
    assert [row["tableowner"] for row in owners] == [APP_ROLE]
    assert not (role["rolsuper"] or role["rolbypassrls"] or role["rolcanlogin"])


async def test_a_superuser_finds_what_was_saved_before_a_restart(
    server: Server, database: str, tmp_path: Path
) -> None:
    address = url(server, database, SUPERUSER)
    async with open_ports(settings(server, address, tmp_path)) as ports:
        scope = await new_scope(ports)
        saved = await ingest(ports, scope, Draft("Kept between two starts."))
    async with open_ports(settings(server, address, tmp_path)) as ports:
        results = await recall(ports, scope, Query("kept"))
        assert [hit.document.document_id for hit in results.results] == [saved.document.id]


async def test_superusers_that_start_at_once_prepare_the_database_once(server: Server) -> None:
    async with scratch_database(server, vector=False) as database, no_app_role(server):

        async def prepare() -> str | None:
            async with connected(server, database, SUPERUSER) as connection:
                return await prepare_access(connection)

        assert set(await asyncio.gather(*(prepare() for _ in range(6)))) == {APP_ROLE}
        async with connected(server, database, SUPERUSER) as connection:
            await connection.execute(f"DROP OWNED BY {APP_ROLE}; DROP ROLE {APP_ROLE}")


# Preparing the database


@asynccontextmanager
async def temporary_role(server: Server, rights: str = "") -> AsyncIterator[str]:
    role = f"role_{uuid4().hex}"
    async with connected(server, SUPERUSER, SUPERUSER) as superuser:
        await superuser.execute(f"CREATE ROLE {role} LOGIN {rights} PASSWORD '{ROLE_PASSWORD}'")
        try:
            yield role
        finally:
            await superuser.execute(f"DROP ROLE {role}")


async def access_error(server: Server, database: str, role: str) -> CannotStart:
    async with connected(server, database, role) as connection:
        with pytest.raises(CannotStart) as refused:
            await prepare_access(connection)
    assert_one_sentence(refused.value.message)
    return refused.value


async def test_a_missing_extension_that_the_user_may_not_create_is_reported(
    server: Server,
) -> None:
    async with (
        temporary_role(server) as role,
        scratch_database(server, owner=role, vector=False) as database,
    ):
        refused = await access_error(server, database, role)
    assert refused.code == "extension_right"
    assert "CREATE EXTENSION vector" in refused.message


async def test_a_superuser_creates_the_extension(server: Server) -> None:
    async with (
        scratch_database(server, vector=False) as database,
        connected(server, database, SUPERUSER) as connection,
    ):
        assert await prepare_access(connection) == APP_ROLE
        assert await connection.fetchval("SELECT '[1,2]'::halfvec IS NOT NULL")


async def test_an_old_extension_is_reported_with_the_update_command(
    server: Server, database: str
) -> None:
    async with connected(server, database, SUPERUSER) as connection:
        await connection.execute(
            "UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'"
        )
    refused = await access_error(server, database, ROLE)
    assert refused.code == "extension_old"
    assert "0.7.4" in refused.message
    assert "ALTER EXTENSION vector UPDATE" in refused.message


async def test_a_user_that_may_not_create_tables_is_refused(server: Server, database: str) -> None:
    async with temporary_role(server) as role:
        refused = await access_error(server, database, role)
    assert refused.code == "database_right"
    assert "GRANT CREATE" in refused.message


async def test_a_user_that_bypasses_row_security_and_may_not_create_roles_is_refused(
    server: Server, database: str
) -> None:
    """Otherwise it would see the rows of every tenant."""
    async with temporary_role(server, "BYPASSRLS") as role, no_app_role(server):
        refused = await access_error(server, database, role)
    assert refused.code == "database_right"
    assert APP_ROLE in refused.message
    assert "BYPASSRLS" in refused.message


async def test_a_user_that_bypasses_row_security_switches_to_a_granted_role(
    server: Server, database: str, tmp_path: Path
) -> None:
    async with temporary_role(server, "BYPASSRLS CREATEROLE") as role, no_app_role(server):
        async with connected(server, database, SUPERUSER) as connection:
            await connection.execute(f"CREATE ROLE {APP_ROLE}")
            await connection.execute(f"GRANT {APP_ROLE} TO {role} WITH ADMIN OPTION")
            await connection.execute(f"GRANT CREATE ON SCHEMA public TO {APP_ROLE}")
        try:
            assert await use(url(server, database, role), server, tmp_path) == (APP_ROLE, True)
        finally:
            async with connected(server, database, SUPERUSER) as connection:
                await connection.execute(f"DROP OWNED BY {APP_ROLE}; DROP ROLE {APP_ROLE}")


@asynccontextmanager
async def no_app_role(server: Server) -> AsyncIterator[None]:
    """Rename the application role, as on a server where remem was never used."""
    other_name = f"away_{uuid4().hex}"
    async with connected(server, SUPERUSER, SUPERUSER) as superuser:
        exists = await superuser.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", APP_ROLE)
        if exists:
            await superuser.execute(f"ALTER ROLE {APP_ROLE} RENAME TO {other_name}")
        try:
            yield
        finally:
            if exists:
                await superuser.execute(f"ALTER ROLE {other_name} RENAME TO {APP_ROLE}")
