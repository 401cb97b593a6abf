"""A PostgreSQL by its URL: a good one is used under row-level security, a bad one named."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

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
from tests.core.scratch import SUPERUSER, connected, scratch_database, url

pytestmark = pytest.mark.anyio

PASSWORD = "p@ss/word?"


@pytest.fixture
async def database(server: Server) -> AsyncIterator[str]:
    async with scratch_database(server) as name:
        yield name


@pytest.fixture
async def login(server: Server) -> AsyncIterator[str]:
    """A role that PostgreSQL asks for a password, unlike the ones of the embedded cluster."""
    role = f"login_{uuid4().hex}"
    rules = server.data_dir / "postgres" / "pg_hba.conf"
    before = rules.read_text()
    async with connected(server, SUPERUSER, SUPERUSER) as maker:
        await maker.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'")
        _rewrite(rules, f"local all {role} scram-sha-256\n{before}")
        await maker.execute("SELECT pg_reload_conf()")
        try:
            yield role
        finally:
            _rewrite(rules, before)
            await maker.execute("SELECT pg_reload_conf()")
            await maker.execute(f"DROP OWNED BY {role}")
            await maker.execute(f"DROP ROLE {role}")


def _rewrite(path: Path, text: str) -> None:
    """In place, so that the account that runs the server still owns it."""
    with path.open("r+") as file:
        file.truncate()
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def with_password(server: Server, database: str, role: str, password: str) -> str:
    return url(server, database, role).replace(f"{role}@", f"{role}:{quote(password, safe='')}@")


async def refusal(address: str) -> CannotStart:
    with pytest.raises(CannotStart) as refused:
        await PostgresAtUrl(address).start()
    check_sentence(refused.value.message)
    return refused.value


def check_sentence(message: str) -> None:
    assert message.endswith(".")
    assert "\n" not in message
    assert "Traceback" not in message


def settings(server: Server, address: str, tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path, database_url=address, analysis_processes=0)  # type: ignore[arg-type]


# Reached or not


async def test_a_good_url_is_given_back(server: Server, database: str) -> None:
    address = url(server, database)
    at = PostgresAtUrl(address)
    assert await at.start() == address
    await at.stop()
    async with connected(server, database) as connection:
        assert await connection.fetchval("SELECT 1") == 1, "it is not ours to stop"


async def test_a_good_password_with_signs_in_it_is_taken(
    server: Server, database: str, login: str
) -> None:
    address = with_password(server, database, login, PASSWORD)
    assert await PostgresAtUrl(address).start() == address


async def test_a_wrong_password_is_said_and_not_repeated(
    server: Server, database: str, login: str
) -> None:
    refused = await refusal(with_password(server, database, login, "wrong-secret"))
    assert refused.code == "database_refused"
    assert "password" in refused.message
    assert login in refused.message
    assert "wrong-secret" not in refused.message


async def test_a_missing_password_is_said(server: Server, database: str, login: str) -> None:
    refused = await refusal(url(server, database, login))
    assert refused.code == "database_refused"
    assert "password" in refused.message


async def test_a_user_that_is_not_there_is_said(server: Server, database: str) -> None:
    refused = await refusal(url(server, database, "nobody_at_all"))
    assert refused.code == "database_refused"
    assert "nobody_at_all" in refused.message


async def test_a_database_that_is_not_there_is_said(server: Server) -> None:
    refused = await refusal(url(server, "no_such_database"))
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
async def test_a_server_that_does_not_answer_is_said(address: str) -> None:
    refused = await refusal(address)
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
async def test_what_is_no_url_is_said_with_how_to_write_one(address: str) -> None:
    refused = await refusal(address)
    assert refused.code == "database_url"
    assert "postgresql://user:password@host:5432/database" in refused.message


# Used


async def use(address: str, server: Server, tmp_path: Path) -> tuple[str, bool]:
    """Open it as the product does, save and find; say whom we work as, and whether it is bound."""
    async with open_ports(settings(server, address, tmp_path)) as ports:
        ours, theirs = await new_scope(ports), await new_scope(ports)
        saved = await ingest(ports, ours, Draft("The dentist moved my appointment to Friday."))
        found = await recall(ports, ours, Query("dentist"))
        assert [one.document.document_id for one in found.results] == [saved.document.id]
        assert (await recall(ports, theirs, Query("dentist"))).results == []
        async with ports.db.transaction(Bound()) as tx:
            role = await tx.fetchval("SELECT current_user")
            unseen = await tx.fetchval("SELECT count(*) FROM documents") == 0
        async with ports.db.transaction(theirs) as tx:
            sql = "SELECT count(*) FROM documents WHERE tenant_id = $1"
            unseen = unseen and await tx.fetchval(sql, ours.tenant_id) == 0
        return role, unseen


async def test_a_plain_user_works_as_itself(server: Server, database: str, tmp_path: Path) -> None:
    assert await use(url(server, database), server, tmp_path) == ("remem", True)


async def test_a_superuser_works_as_a_role_that_row_security_binds(
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


async def test_a_superuser_finds_again_what_was_saved_before(
    server: Server, database: str, tmp_path: Path
) -> None:
    address = url(server, database, SUPERUSER)
    async with open_ports(settings(server, address, tmp_path)) as ports:
        scope = await new_scope(ports)
        saved = await ingest(ports, scope, Draft("Kept between two starts."))
    async with open_ports(settings(server, address, tmp_path)) as ports:
        found = await recall(ports, scope, Query("kept"))
        assert [one.document.document_id for one in found.results] == [saved.document.id]


async def test_superusers_that_start_at_once_prepare_the_database_once(server: Server) -> None:
    async with scratch_database(server, vector=False) as database, no_app_role(server):

        async def once() -> str | None:
            async with connected(server, database, SUPERUSER) as connection:
                return await prepare_access(connection)

        assert set(await asyncio.gather(*(once() for _ in range(6)))) == {APP_ROLE}
        async with connected(server, database, SUPERUSER) as connection:
            await connection.execute(f"DROP OWNED BY {APP_ROLE}; DROP ROLE {APP_ROLE}")


# Prepared or not


@asynccontextmanager
async def role_with(server: Server, rights: str = "") -> AsyncIterator[str]:
    role = f"role_{uuid4().hex}"
    async with connected(server, SUPERUSER, SUPERUSER) as maker:
        await maker.execute(f"CREATE ROLE {role} LOGIN {rights}")
        try:
            yield role
        finally:
            await maker.execute(f"DROP ROLE {role}")


async def cannot_use(server: Server, database: str, role: str) -> CannotStart:
    async with connected(server, database, role) as connection:
        with pytest.raises(CannotStart) as refused:
            await prepare_access(connection)
    check_sentence(refused.value.message)
    return refused.value


async def test_a_missing_extension_that_the_user_may_not_create_is_one_sentence(
    server: Server,
) -> None:
    async with (
        role_with(server) as role,
        scratch_database(server, owner=role, vector=False) as database,
    ):
        refused = await cannot_use(server, database, role)
    assert refused.code == "extension_right"
    assert "CREATE EXTENSION vector" in refused.message


async def test_a_superuser_gets_the_extension_made(server: Server) -> None:
    async with (
        scratch_database(server, vector=False) as database,
        connected(server, database, SUPERUSER) as connection,
    ):
        assert await prepare_access(connection) == APP_ROLE
        assert await connection.fetchval("SELECT '[1,2]'::halfvec IS NOT NULL")


async def test_an_old_extension_is_told_with_how_to_update_it(
    server: Server, database: str
) -> None:
    async with connected(server, database, SUPERUSER) as connection:
        await connection.execute(
            "UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'"
        )
    refused = await cannot_use(server, database, "remem")
    assert refused.code == "extension_old"
    assert "0.7.4" in refused.message
    assert "ALTER EXTENSION vector UPDATE" in refused.message


async def test_a_user_that_may_not_create_tables_is_told_so(server: Server, database: str) -> None:
    async with role_with(server) as role:
        refused = await cannot_use(server, database, role)
    assert refused.code == "database_right"
    assert "GRANT CREATE" in refused.message


async def test_a_user_that_passes_row_security_and_may_make_no_role_is_told_so(
    server: Server, database: str
) -> None:
    """Else it would see every tenant's rows."""
    async with role_with(server, "BYPASSRLS") as role, no_app_role(server):
        refused = await cannot_use(server, database, role)
    assert refused.code == "database_right"
    assert APP_ROLE in refused.message
    assert "BYPASSRLS" in refused.message


async def test_a_user_that_passes_row_security_works_as_the_role_it_was_granted(
    server: Server, database: str, tmp_path: Path
) -> None:
    async with role_with(server, "BYPASSRLS CREATEROLE") as role, no_app_role(server):
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
    """As on a server where remem never worked: nobody is called what we would be."""
    away = f"away_{uuid4().hex}"
    async with connected(server, SUPERUSER, SUPERUSER) as maker:
        there = await maker.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", APP_ROLE)
        if there:
            await maker.execute(f"ALTER ROLE {APP_ROLE} RENAME TO {away}")
        try:
            yield
        finally:
            if there:
                await maker.execute(f"ALTER ROLE {away} RENAME TO {APP_ROLE}")
