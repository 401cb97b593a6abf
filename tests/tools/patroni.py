"""Two PostgreSQLs kept by Patroni, with etcd, HAProxy and PgBouncer, all on loopback, from Debian.

remem ── PgBouncer ──┐
  └──────────────────┴── HAProxy ──┬── Patroni, PostgreSQL (one is the primary,
                                   └── Patroni, PostgreSQL  the other a synchronous standby)
                                          └── etcd
"""

import asyncio
import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import psutil

from tests.tools.debian import PROGRAMS, Debian
from tests.tools.local_program import free_port
from tests.tools.waiting import until

NAMES = ("one", "two")
STATE_S, STOP_S, REPAIR_S = 5, 60, 180
DATABASE = ROLE = "remem"
# Patroni's limits: a primary that is frozen is replaced after `ttl` seconds.
DCS = {
    "ttl": 20, "loop_wait": 5, "retry_timeout": 5, "synchronous_mode": True,
    "postgresql": {"use_pg_rewind": True, "parameters": {"max_connections": 150}},
}  # fmt: skip


@dataclass
class Node:
    """A machine of the cluster: Patroni and the PostgreSQL that it starts."""

    name: str
    folder: Path
    port: int = field(default_factory=free_port)
    rest_port: int = field(default_factory=free_port)
    patroni: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def state(self) -> dict[str, Any]:
        """What Patroni says, or nothing if it does not answer."""
        with suppress(httpx2.HTTPError, ValueError):
            url = f"http://127.0.0.1:{self.rest_port}/patroni"
            return httpx2.get(url, timeout=STATE_S).json()
        return {}

    def processes(self, *, patroni: bool = True) -> list[psutil.Process]:
        """The parents come first, so that a frozen one starts no new child."""
        roots = [self.patroni.pid] if patroni and self.patroni else []
        with suppress(OSError, ValueError):
            roots.append(int((self.data / "postmaster.pid").read_text().split()[0]))
        found: list[psutil.Process] = []
        for root in roots:
            with suppress(psutil.NoSuchProcess):
                found += [process := psutil.Process(root), *process.children(recursive=True)]
        return found

    def send(self, number: signal.Signals, *, patroni: bool = True) -> None:
        for process in self.processes(patroni=patroni):
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)


class Cluster:
    def __init__(self, debian: Debian, folder: Path) -> None:
        self._debian, self._folder = debian, folder
        self._password = secrets.token_hex(16)
        self._programs: list[subprocess.Popen[bytes]] = []
        self._etcd = free_port()
        self.port, self.pooler_port = free_port(), free_port()
        self.nodes = [Node(name, debian.own(folder / name)) for name in NAMES]

    @property
    def address(self) -> str:
        return self._address(ROLE, DATABASE, self.port)

    @property
    def pooler_address(self) -> str:
        return self._address(ROLE, DATABASE, self.pooler_port)

    @property
    def superuser_address(self) -> str:
        return self._address("postgres", DATABASE, self.port)

    def _address(self, role: str, database: str, port: int) -> str:
        return f"postgresql://{role}:{self._password}@127.0.0.1:{port}/{database}"

    def start(self) -> None:
        self._start_etcd()
        for node in self.nodes:
            self.start_node(node)
            until(lambda: any(each.state().get("role") == "primary" for each in self.nodes))
        self._start("haproxy", "/usr/sbin/haproxy", "-db", "-f", self._haproxy())
        self.wait_until_whole()
        asyncio.run(self._create_database())
        self._start("pgbouncer", "/usr/sbin/pgbouncer", self._pgbouncer())

    def start_node(self, node: Node) -> None:
        configuration = self._write(f"{node.name}.yml", json.dumps(self._patroni(node)))
        node.patroni = self._start(f"patroni-{node.name}", "/usr/bin/patroni", configuration)

    def stop(self) -> None:
        for node in self.nodes:
            node.send(signal.SIGCONT)
        running = [node.patroni for node in self.nodes if node.patroni]
        for program in running:
            program.terminate()
        for program in running:
            with suppress(subprocess.TimeoutExpired):
                program.wait(timeout=STOP_S)
        for node in self.nodes:
            node.send(signal.SIGKILL)
        for program in self._programs:
            program.kill()
            program.wait(timeout=STOP_S)

    def primary(self) -> Node:
        def found() -> Node | None:
            return next((n for n in self.nodes if n.state().get("role") == "primary"), None)

        return until(found, deadline_s=REPAIR_S)

    def switch_over(self) -> None:
        primary = self.primary()
        other = next(node for node in self.nodes if node is not primary)
        body = {"leader": primary.name, "candidate": other.name}
        url = f"http://127.0.0.1:{primary.rest_port}/switchover"
        httpx2.post(url, json=body, timeout=STOP_S).raise_for_status()

    def wait_until_whole(self) -> None:
        """One primary, and a standby that has confirmed everything that was committed."""

        def is_whole() -> bool:
            states = [node.state() for node in self.nodes]
            roles = sorted(str(state.get("role")) for state in states)
            return roles == ["primary", "replica"] and any(
                state.get("sync_standby") for state in states
            )

        until(is_whole, deadline_s=REPAIR_S, what=lambda: str([n.state() for n in self.nodes]))

    async def _create_database(self) -> None:
        connection = await asyncpg.connect(self._address("postgres", "postgres", self.port))
        await connection.execute(f"CREATE ROLE {ROLE} LOGIN PASSWORD '{self._password}'")
        await connection.execute(f"CREATE DATABASE {DATABASE} OWNER {ROLE}")
        await connection.close()
        connection = await asyncpg.connect(self.superuser_address)
        await connection.execute("CREATE EXTENSION vector")
        await connection.close()

    def _start(self, name: str, *words: str | Path) -> subprocess.Popen[bytes]:
        with (self._folder / f"{name}.log").open("ab") as log:
            program = subprocess.Popen(self._debian.command(*words), stdout=log, stderr=log)
        self._programs.append(program)
        return program

    def _write(self, name: str, text: str) -> Path:
        path = self._folder / name
        path.write_text(text)
        os.chown(path, self._debian.uid, self._debian.uid)
        path.chmod(0o600)
        return path

    def _start_etcd(self) -> None:
        peer = f"http://127.0.0.1:{free_port()}"
        url = f"http://127.0.0.1:{self._etcd}"
        data = self._debian.own(self._folder / "etcd")
        self._start(
            "etcd", "/usr/bin/etcd", "--name=etcd", f"--data-dir={data}",
            f"--listen-client-urls={url}",
            f"--advertise-client-urls={url}", f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}", f"--initial-cluster=etcd={peer}",
        )  # fmt: skip
        until(lambda: _answers(f"{url}/health"))

    def _patroni(self, node: Node) -> dict[str, Any]:
        rest, address = f"127.0.0.1:{node.rest_port}", f"127.0.0.1:{node.port}"
        logins = {
            kind: {"username": name, "password": self._password}
            for kind, name in (("superuser", "postgres"), ("replication", "replicator"))
        }
        return {
            "scope": "remem",
            "name": node.name,
            "restapi": {"listen": rest, "connect_address": rest},
            "etcd3": {"host": f"127.0.0.1:{self._etcd}"},
            "bootstrap": {"dcs": DCS, "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}]},
            "postgresql": {
                "listen": address,
                "connect_address": address,
                "data_dir": str(node.data),
                "bin_dir": PROGRAMS,
                "pgpass": str(node.folder / "pgpass"),
                "authentication": logins,
                "parameters": {"unix_socket_directories": str(node.folder)},
                "pg_hba": [
                    "local all all scram-sha-256",
                    "host all all 127.0.0.1/32 scram-sha-256",
                    "host replication all 127.0.0.1/32 scram-sha-256",
                ],
            },
        }

    def _haproxy(self) -> Path:
        servers = "\n".join(
            f"  server {node.name} 127.0.0.1:{node.port} check port {node.rest_port}"
            for node in self.nodes
        )
        return self._write("haproxy.cfg", HAPROXY.format(port=self.port, servers=servers))

    def _pgbouncer(self) -> Path:
        database = (
            f"{DATABASE} = host=127.0.0.1 port={self.port} dbname={DATABASE} user={ROLE}"
            f" password={self._password}"
        )
        return self._write(
            "pgbouncer.ini", PGBOUNCER.format(database=database, port=self.pooler_port)
        )


HAPROXY = """\
defaults
  mode tcp
  timeout connect 4s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:{port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""
PGBOUNCER = """\
[databases]
{database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_login_retry = 1
server_connect_timeout = 5
"""


def _answers(url: str) -> bool:
    with suppress(httpx2.HTTPError):
        return httpx2.get(url, timeout=STATE_S).is_success
    return False


@contextmanager
def running_cluster(debian: Debian) -> Iterator[Cluster]:
    folder = debian.own(Path(tempfile.mkdtemp(prefix="remem-failover-", dir="/var/tmp")))
    cluster = Cluster(debian, folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
