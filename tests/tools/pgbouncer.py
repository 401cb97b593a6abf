"""A real PgBouncer on loopback, which assigns each transaction one of a few connections."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from remem.adapters.database.embedded.sockets import PORT
from tests.tools.local_program import LocalProgram, free_port

_PROGRAMS = ("pgbouncer", "/usr/sbin/pgbouncer")
CONNECTIONS = 3


@dataclass
class Pooler(LocalProgram):
    program: str
    configuration: Path
    account: str

    def url(self, database: str) -> str:
        return f"postgresql://anyone@127.0.0.1:{self.port}/{database}"

    def launch(self) -> subprocess.Popen[bytes]:
        # It refuses to run as root, and only its owner may use the socket of PostgreSQL.
        switch = ["--user", self.account] if os.getuid() == 0 else []
        return subprocess.Popen([self.program, "-q", *switch, str(self.configuration)])


@contextmanager
def pooler_of(socket_dir: Path, role: str, databases: dict[str, str]) -> Iterator[Pooler]:
    """A pooler that maps each name to a database and connects as `role`."""
    program = next((path for name in _PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        pytest.fail("PgBouncer is not installed; run `apt-get install pgbouncer`.")
    with tempfile.TemporaryDirectory(prefix="remem-pooler-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        port = free_port()
        configuration = root / "pgbouncer.ini"
        entries = "\n".join(
            f"{name} = host={socket_dir} port={PORT} user={role} dbname={database}"
            for name, database in databases.items()
        )
        configuration.write_text(
            f"[databases]\n{entries}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n"
            "unix_socket_dir =\nauth_type = any\npool_mode = transaction\n"
            f"default_pool_size = {CONNECTIONS}\nmax_client_conn = 200\n"
        )
        configuration.chmod(0o644)
        pooler = Pooler(port, program, configuration, socket_dir.owner())
        pooler.start()
        try:
            yield pooler
        finally:
            pooler.stop()
