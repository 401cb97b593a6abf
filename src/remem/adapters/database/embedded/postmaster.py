"""Start and stop the server of a cluster."""

import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from remem.adapters.database.embedded.cluster import Cluster
from remem.adapters.database.embedded.failures import explain
from remem.adapters.database.embedded.folders import LATER_START_BYTES, check_space, open_log
from remem.adapters.database.embedded.processes import find_own_server, postmaster_in_pid_file
from remem.adapters.database.embedded.sockets import PORT, SOCKET, make_socket_folder

FAST_STOP_S, IMMEDIATE_STOP_S, PID_FILE_TIMEOUT_S = 30, 10, 5.0

SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "max_wal_size": "1GB",
    "min_wal_size": "80MB",
    "fsync": "on",
    "jit": "off",
    # Without statistics of a newly filled store, the planner reads far too many rows.
    "autovacuum_naptime": "10s",
    # There are no standbys, so less WAL is needed.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
    # Errors of statements are returned to their callers and quote user data: never log them.
    "log_min_messages": "log",
    "log_checkpoints": "off",
}


def launch(cluster: Cluster, socket_dir: Path) -> int:
    """Start the server without waiting for it; return the offset in the log where its lines begin.
    The caller has the start lock, and has checked that no server is running."""
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
    """Stop the server if it is running: first a fast shutdown, then an immediate one."""
    if not _wait_for_pid_file(cluster):
        return
    for mode, timeout_s in (("fast", FAST_STOP_S), ("immediate", IMMEDIATE_STOP_S)):
        if _pg_ctl(cluster, ["stop", "-m", mode, "-t", str(timeout_s)]).returncode == 0:
            break
    if socket_dir.parent != cluster.data_dir:
        with suppress(OSError):
            socket_dir.rmdir()


def _wait_for_pid_file(cluster: Cluster) -> bool:
    """Wait until a server that just started has written its pid file, which pg_ctl needs."""
    deadline = time.monotonic() + PID_FILE_TIMEOUT_S
    while postmaster_in_pid_file(cluster) is None:
        if find_own_server(cluster) is None or time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _clear_stale(cluster: Cluster, socket_dir: Path) -> None:
    """Remove files that prevent a start if an unrelated process now has the pid in them."""
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
    program = _escape_for_double_quotes(str(cluster.programs / "postgres"))
    completed = _pg_ctl(cluster, ["start", "-W", "-p", program, "-o", options], log)
    if completed.returncode != 0:
        raise explain(completed.stderr, cluster.data_dir)


def _pg_ctl(
    cluster: Cluster, arguments: list[str], output: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Run pg_ctl. The folder is relative to its parent, so no shell sees the user's path."""
    command = [
        str(cluster.programs / "pg_ctl"),
        "-s",
        "-D",
        cluster.folder.name,
        *arguments,
    ]
    return cluster.account.run(command, folder=cluster.data_dir, output=output)


def _escape_for_double_quotes(path: str) -> str:
    """Escape a path that pg_ctl puts in double quotes in a shell command."""
    return re.sub(r'([\\"$`])', r"\\\1", path)


# The amount and type of memory that the server uses.


# For shared_buffers: a vector index that does not fit is read again for every query, but buffers
# without data make startup slower. So reserve a small share of the memory for future data, or a
# larger share if that much is stored already.
DEFAULT_DIVISOR, DEFAULT_RANGE_MB = 16, (128, 1_024)
MAX_DIVISOR = 4
SHARED_MEMORY_NEEDED_BYTES = 256_000_000
# The memory limit of a container, in version 2 and version 1 of control groups.
LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def shared_buffers_mb(memory: int, stored: int) -> int:
    min_mb, max_mb = DEFAULT_RANGE_MB
    default_mb = min(max_mb, max(min_mb, memory // DEFAULT_DIVISOR >> 20))
    return max(default_mb, min(stored, memory // MAX_DIVISOR) >> 20)


def stored_bytes(cluster: Path) -> int:
    """The size of tables and indexes; 0 if unknown."""
    try:
        return sum(file.stat().st_size for file in (cluster / "base").glob("*/*"))
    except OSError:
        return 0


def memory_bytes(limits: Sequence[Path] = LIMITS) -> int:
    """The memory of this machine or container; 0 if unknown."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
    return min(total, *(_read_limit(limit, total) for limit in limits))


def _read_limit(limit: Path, default: int) -> int:
    try:
        return int(limit.read_text())
    except (OSError, ValueError):
        return default


def shared_memory_type() -> str:
    """Containers have 64 MB of /dev/shm, too little to build a vector index."""
    try:
        is_large_enough = shutil.disk_usage("/dev/shm").total >= SHARED_MEMORY_NEEDED_BYTES
    except OSError:
        return "posix"
    return "posix" if is_large_enough else "mmap"
