"""The PostgreSQL of REMEM_TEST_DATABASE_URL in place of the one that comes with remem.

The stores of the tests are databases there, which belong to a new role without special rights, as
on a server of somebody else. Databases and role are dropped at the end. The login of the address
must be a superuser: some tests look at the rows of all tenants."""

import asyncio
import hashlib
import os
import secrets
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

import asyncpg

from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.adapters.database.embedded.provision import DATABASE, ROLE

VARIABLE = "REMEM_TEST_DATABASE_URL"
STORE = "REMEM_DATABASE_URL"
# Of every role that a test makes. The PostgreSQL that comes with remem asks for none.
ROLE_PASSWORD = secrets.token_hex(16)
# An environment with this has the PostgreSQL that comes with remem all the same.
EMBEDDED = {"REMEM_TEST_EMBEDDED": "1"}


@cache
def external_server() -> "ExternalServer | None":
    address = os.environ.get(VARIABLE)
    return ExternalServer(address) if address else None


def with_store(env: dict[str, str]) -> dict[str, str]:
    """The environment of a process that uses `remem`, with the database of its data folder."""
    external = external_server()
    needs_store = STORE not in env and "REMEM_DATA_DIR" in env and not env.keys() & EMBEDDED
    env = {name: value for name, value in env.items() if name not in (VARIABLE, *EMBEDDED)}
    if external and needs_store:
        env[STORE] = external.store(Path(env["REMEM_DATA_DIR"]))
    return env


def store_settings(data_dir: Path, role: str = ROLE) -> dict[str, Any]:
    """For `Settings` in the process of the tests: the folder, and the database if it has one."""
    external = external_server()
    database = {"database_url": external.store(data_dir, role)} if external else {}
    return {"data_dir": data_dir, **database}


class ExternalServer:
    def __init__(self, address: str) -> None:
        self._login: SplitResult = urlsplit(address)
        self._token = secrets.token_hex(4)
        self._stores: dict[Path, str] = {}
        self.role = f"remem_test_{self._token}"
        self._run(f"CREATE ROLE {self.role} LOGIN PASSWORD '{ROLE_PASSWORD}'")

    def address(self, data_dir: Path, role: str, database: str) -> str:
        """`role` and `database` by their names in the PostgreSQL that comes with remem."""
        name = {SUPERUSER: self._login.path[1:], DATABASE: self._name(data_dir)}
        user, _, host = self._login.netloc.rpartition("@")
        if role != SUPERUSER:
            user = f"{quote(self.role_name(role), safe='')}:{ROLE_PASSWORD}"
        path = f"/{name.get(database, database)}"
        return urlunsplit(self._login._replace(netloc=f"{user}@{host}", path=path))

    def role_name(self, role: str) -> str:
        return {ROLE: self.role, SUPERUSER: self._login.username or SUPERUSER}.get(role, role)

    def store(self, data_dir: Path, role: str = ROLE) -> str:
        """The address of the database of a data folder, which is made when first asked for."""
        if data_dir not in self._stores:
            name = self._name(data_dir)
            self._run(f"CREATE DATABASE {name} OWNER {self.role} TEMPLATE template0")
            self._run("CREATE EXTENSION vector", name)
            self._stores[data_dir] = name
        return self.address(data_dir, role, DATABASE)

    def drop_store(self, data_dir: Path) -> None:
        if name := self._stores.pop(data_dir, None):
            self._run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def close(self) -> None:
        for data_dir in list(self._stores):
            self.drop_store(data_dir)
        self._run(f"DROP ROLE {self.role}")

    def _name(self, data_dir: Path) -> str:
        digest = hashlib.sha256(str(data_dir).encode()).hexdigest()
        return f"remem_test_{self._token}_{digest[:16]}"

    def _run(self, statement: str, database: str = "") -> None:
        path = f"/{database}" if database else self._login.path
        address = urlunsplit(self._login._replace(path=path))

        async def run() -> None:
            connection = await asyncpg.connect(address, timeout=60)
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        _in_thread(run)


def _in_thread(run: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """The caller may be in the event loop of a test."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(run())).result()
