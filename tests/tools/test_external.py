"""Stores of tests on a PostgreSQL that is not ours: made for each data folder, and dropped."""

from pathlib import Path

import asyncpg
import pytest

from tests.conftest import Server
from tests.core.scratch import SUPERUSER, connected, url
from tests.tools.external import EMBEDDED, STORE, VARIABLE, ExternalServer, with_store

pytestmark = pytest.mark.anyio


async def test_a_store_belongs_to_an_ordinary_role_and_is_dropped(
    server: Server, tmp_path: Path
) -> None:
    external = ExternalServer(url(server, SUPERUSER, SUPERUSER))
    address = external.store(tmp_path)
    assert external.store(tmp_path) == address
    connection = await asyncpg.connect(address)
    is_superuser, has_vector, database = await connection.fetchrow(
        "SELECT rolsuper, EXISTS (SELECT FROM pg_extension WHERE extname = 'vector'),"
        " current_database() FROM pg_roles WHERE rolname = current_user"
    )
    await connection.close()
    assert (is_superuser, has_vector) == (False, True)
    external.close()
    async with connected(server, SUPERUSER, SUPERUSER) as admin:
        names = "SELECT datname FROM pg_database UNION SELECT rolname FROM pg_roles"
        remaining = {row[0] for row in await admin.fetch(names)}
    assert remaining.isdisjoint({database, external.role})


def test_a_process_does_not_get_the_variables_of_the_tests() -> None:
    env = {"REMEM_DATA_DIR": "/nowhere", VARIABLE: "postgresql://nobody@127.0.0.1:1/x", **EMBEDDED}
    assert with_store(env) == {"REMEM_DATA_DIR": "/nowhere"}
    assert with_store({STORE: "postgresql://a@b/c"}) == {STORE: "postgresql://a@b/c"}
