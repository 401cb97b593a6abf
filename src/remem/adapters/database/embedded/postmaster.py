"""Starting and stopping the server of one cluster."""

import os
import re
import shlex
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from remem.adapters.database.embedded.cluster import Cluster
from remem.adapters.database.embedded.failures import explain
from remem.adapters.database.embedded.folders import LATER_START_BYTES, check_space, open_log
from remem.adapters.database.embedded.memory import (
    memory_bytes,
    shared_buffers_mb,
    shared_memory_type,
    stored_bytes,
)
from remem.adapters.database.embedded.processes import find_own, noted_postmaster
from remem.adapters.database.embedded.sockets import PORT, SOCKET, make_socket_folder

FAST_STOP_S, IMMEDIATE_STOP_S, NOTED_WITHIN_S = 30, 10, 5.0

SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "max_wal_size": "1GB",
    "min_wal_size": "80MB",
    "fsync": "on",
    "jit": "off",
    # Until the planner has figures of what a new store was just filled with, it reads far too much.
    "autovacuum_naptime": "10s",
    # No standby reads our log, so less of it is written.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
    # Errors of statements go to their callers and quote what was saved: they are not logged.
    "log_min_messages": "log",
    "log_checkpoints": "off",
}


def launch(cluster: Cluster, socket_dir: Path) -> int:
    """Start the server and return at once, with the place in the log where its lines begin.
    The caller has the lock and knows that no server runs."""
    check_space(cluster.data_dir, LATER_START_BYTES)
    make_socket_folder(socket_dir, cluster)
    _clear_stale(cluster, socket_dir)
    log = open_log(cluster.log)
    try:
        offset = os.fstat(log).st_size
        _pg_ctl_start(cluster, socket_dir, log)
    finally:
        os.close(log)
    return offset


def halt(cluster: Cluster, socket_dir: Path) -> None:
    """Stop the server if it runs, at last without waiting for anything."""
    if not _await_note(cluster):
        return
    for mode, timeout_s in (("fast", FAST_STOP_S), ("immediate", IMMEDIATE_STOP_S)):
        if _pg_ctl(cluster, ["stop", "-m", mode, "-t", str(timeout_s)]).returncode == 0:
            break
    if socket_dir.parent != cluster.data_dir:
        with suppress(OSError):
            socket_dir.rmdir()


def _await_note(cluster: Cluster) -> bool:
    """pg_ctl stops what the pid file names, and a server just started has not written it yet."""
    deadline = time.monotonic() + NOTED_WITHIN_S
    while noted_postmaster(cluster) is None:
        if find_own(cluster) is None or time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _clear_stale(cluster: Cluster, socket_dir: Path) -> None:
    """PostgreSQL refuses to start when an unrelated process has got the number in these files."""
    for stale in (
        cluster.folder / "postmaster.pid",
        socket_dir / f"{SOCKET}.lock",
        socket_dir / SOCKET,
    ):
        stale.unlink(missing_ok=True)


def _pg_ctl_start(cluster: Cluster, socket_dir: Path, log: int) -> None:
    settings = {
        **SETTINGS,
        "unix_socket_directories": str(socket_dir),
        "cluster_name": cluster.tag,
        "dynamic_shared_memory_type": shared_memory_type(),
        "shared_buffers": f"{shared_buffers_mb(memory_bytes(), stored_bytes(cluster.folder))}MB",
    }
    if cluster.library:
        settings["dynamic_library_path"] = f"{cluster.library}:$libdir"
    options = shlex.join(f"--{name}={value}" for name, value in settings.items())
    program = _inside_double_quotes(str(cluster.programs / "postgres"))
    done = _pg_ctl(cluster, ["start", "-W", "-p", program, "-o", options], log)
    if done.returncode != 0:
        raise explain(done.stderr, cluster.data_dir)


def _pg_ctl(
    cluster: Cluster, arguments: list[str], output: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """The folder is named relative to its parent, so no shell ever sees the user's path."""
    command = [
        str(cluster.programs / "pg_ctl"),
        "-s",
        "-D",
        cluster.folder.name,
        *arguments,
    ]
    return cluster.account.run(command, folder=cluster.data_dir, output=output)


def _inside_double_quotes(path: str) -> str:
    """pg_ctl puts the program between double quotes in a line for the shell."""
    return re.sub(r'([\\"$`])', r"\\\1", path)
