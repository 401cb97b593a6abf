"""A real PgBouncer on loopback, which gives each transaction any of a few connections."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from remem.adapters.database.embedded.sockets import PORT
from tests.tools.waiting import until

_PROGRAMS = ("pgbouncer", "/usr/sbin/pgbouncer")
CONNECTIONS = 3


@dataclass
class Pooler:
    port: int
    program: str
    configuration: Path
    account: str
    process: subprocess.Popen[bytes] | None = field(default=None)

    def url(self, database: str) -> str:
        return f"postgresql://anyone@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        # It refuses to run as root, and the socket of PostgreSQL is for its owner alone.
        switch = ["--user", self.account] if os.getuid() == 0 else []
        self.process = subprocess.Popen([self.program, "-q", *switch, str(self.configuration)])
        until(self._answers)

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait(timeout=60)
            self.process = None

    def _answers(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0


@contextmanager
def pooler_of(socket_dir: Path, role: str, databases: dict[str, str]) -> Iterator[Pooler]:
    """Leads from each name to a database, as `role`."""
    program = next((found for name in _PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        pytest.fail("PgBouncer is not installed; run `apt-get install pgbouncer`.")
    with tempfile.TemporaryDirectory(prefix="remem-pooler-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        port = _free_port()
        configuration = root / "pgbouncer.ini"
        places = "\n".join(
            f"{name} = host={socket_dir} port={PORT} user={role} dbname={database}"
            for name, database in databases.items()
        )
        configuration.write_text(
            f"[databases]\n{places}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n"
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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
