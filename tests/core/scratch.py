"""Separate databases on the session's cluster, for tests that must not touch the shared one."""

import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import asyncpg
from pydantic import SecretStr

from remem.adapters.database.embedded.binaries import find_programs
from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.adapters.database.embedded.provision import ROLE
from remem.adapters.database.embedded.sockets import SOCKET_DIR_LINE, address
from remem.bootstrap import open_ports
from remem.core.ports import Ports
from remem.settings import Settings
from tests.conftest import Server
from tests.tools.external import external_server


def socket_dir(server: Server) -> Path:
    """The socket folder that the running cluster reports."""
    pid_file = server.data_dir / "postgres" / "postmaster.pid"
    return Path(pid_file.read_text().splitlines()[SOCKET_DIR_LINE])


def url(server: Server, database: str, role: str = ROLE) -> str:
    if external := external_server():
        return external.address(server.data_dir, role, database)
    return address(socket_dir(server), role, database)


def role_name(role: str) -> str:
    external = external_server()
    return external.role_name(role) if external else role


async def connect(server: Server, database: str, role: str = ROLE) -> asyncpg.Connection:
    return await asyncpg.connect(url(server, database, role), timeout=120)


@asynccontextmanager
async def connected(
    server: Server, database: str, role: str = ROLE
) -> AsyncIterator[asyncpg.Connection]:
    connection = await connect(server, database, role)
    try:
        yield connection
    finally:
        await connection.close(timeout=120)


@asynccontextmanager
async def scratch_database(
    server: Server, *, owner: str = ROLE, vector: bool = True, copied: str = ""
) -> AsyncIterator[str]:
    """A new database, dropped at the end.

    It has the `vector` extension unless `vector` is False, or is a copy of the database
    `copied`, which must have no connections."""
    name, template = f"scratch_{uuid4().hex}", copied or "template0"
    async with connected(server, SUPERUSER, SUPERUSER) as admin:
        await admin.execute(f"CREATE DATABASE {name} OWNER {role_name(owner)} TEMPLATE {template}")
    try:
        if vector and not copied:
            async with connected(server, name, SUPERUSER) as admin:
                await admin.execute("CREATE EXTENSION vector")
        yield name
    finally:
        async with connected(server, SUPERUSER, SUPERUSER) as admin:
            await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@asynccontextmanager
async def new_store(server: Server, ports: Ports) -> AsyncIterator[Ports]:
    """An empty store; it embeds with the model that is loaded already."""
    async with scratch_database(server) as name:
        address = SecretStr(url(server, name))
        settings = Settings(data_dir=server.data_dir, database_url=address, analysis_processes=0)
        async with open_ports(settings) as new_ports:
            yield replace(new_ports, embedder=ports.embedder)


def dump(server: Server, database: str, *options: str) -> str:
    """The schema as SQL: every table, column, default, constraint, index, policy, trigger."""
    result = subprocess.run(
        [
            str(find_programs() / "pg_dump"),
            "--schema-only",
            "--no-owner",
            *options,
            f"--dbname={url(server, database, SUPERUSER)}",
        ],
        env={name: value for name, value in os.environ.items() if not name.startswith("PG")},
        capture_output=True,
        text=True,
        check=True,
    )
    # pg_dump guards its output with a random word, and PostgreSQL 15.20 counts changes of columns.
    return "\n".join(
        line
        for line in result.stdout.splitlines()
        if not line.startswith(("\\restrict", "\\unres")) and "SET (pg_attver=" not in line
    )
