"""Find the processes of a cluster's server, by their command lines rather than pids alone."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from remem.adapters.database.embedded.cluster import Cluster

PROC = Path("/proc")


def find_postmaster(cluster: Cluster) -> int | None:
    """The server's main process, even while it starts, and whichever process started it."""
    return (
        postmaster_in_pid_file(cluster) or find_own_server(cluster) or _foreign_in_pid_file(cluster)
    )


def postmaster_in_pid_file(cluster: Cluster) -> int | None:
    """The process in the pid file, if it really is our server of this cluster."""
    pid = _pid_in_file(cluster)
    return pid if pid and _is_server_of(_command_line(pid), cluster) else None


def find_own_server(cluster: Cluster) -> int | None:
    """Our server, even before it has written its pid file."""
    return next((pid for pid, line in _command_lines() if _is_server_of(line, cluster)), None)


def find_orphans(cluster: Cluster) -> list[int]:
    """Child processes of a killed postmaster, which have the cluster's tag in their title."""
    title = f"postgres: {cluster.tag}:"
    return [pid for pid, line in _command_lines() if line.startswith(title)]


def _is_server_of(line: str, cluster: Cluster) -> bool:
    return f"cluster_name={cluster.tag}" in line


def _foreign_in_pid_file(cluster: Cluster) -> int | None:
    """A server that someone started manually on this folder; its pid file must not be removed."""
    pid = _pid_in_file(cluster)
    arguments = _command_line(pid).split("\0") if pid else [""]
    if pid is None or Path(arguments[0]).name != "postgres":
        return None
    is_ours = str(cluster.folder) in arguments or _working_folder(pid) == cluster.folder
    return pid if is_ours else None


def _pid_in_file(cluster: Cluster) -> int | None:
    try:
        return int((cluster.folder / "postmaster.pid").read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def _working_folder(pid: int) -> Path | None:
    try:
        return (PROC / str(pid) / "cwd").readlink()
    except OSError:
        return None


def _command_line(pid: int) -> str:
    """The arguments of a process, NUL-terminated; empty for a zombie or a missing process."""
    if not PROC.joinpath("self").exists():
        return next((line for other, line in _command_lines() if other == pid), "")
    return _read_command_line(str(pid))


def _read_command_line(pid: str) -> str:
    # Called for every process of the machine; creating a Path took longer than reading the file.
    try:
        with open(f"{PROC}/{pid}/cmdline", "rb") as file:  # noqa: PTH123
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _command_lines() -> Iterator[tuple[int, str]]:
    if not PROC.joinpath("self").exists():
        yield from _list_with_ps()
        return
    for name in filter(str.isdecimal, os.listdir(PROC)):  # noqa: PTH208
        yield int(name), _read_command_line(name)


def _list_with_ps() -> Iterator[tuple[int, str]]:
    command = ["ps", "-axww", "-o", "pid=,command="]
    listing = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for line in listing.splitlines():
        pid, _, arguments = line.strip().partition(" ")
        yield int(pid), arguments.replace(" ", "\0")
