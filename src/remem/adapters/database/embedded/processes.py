"""The processes of one cluster's server, known by what they say of themselves, not by a number."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from remem.adapters.database.embedded.cluster import Cluster

PROC = Path("/proc")


def find_postmaster(cluster: Cluster) -> int | None:
    """The server's main process, also while it starts, whichever process started it."""
    return noted_postmaster(cluster) or find_own(cluster) or _noted_foreign(cluster)


def noted_postmaster(cluster: Cluster) -> int | None:
    """The process in the pid file, if it really is our server of this cluster."""
    pid = _noted_pid(cluster)
    return pid if pid and _starts(_command_line(pid), cluster) else None


def find_own(cluster: Cluster) -> int | None:
    """Our server, even before it has written its pid file."""
    return next((pid for pid, line in _command_lines() if _starts(line, cluster)), None)


def find_orphans(cluster: Cluster) -> list[int]:
    """What a killed postmaster left behind: its children bear the cluster's tag in their title."""
    title = f"postgres: {cluster.tag}:"
    return [pid for pid, line in _command_lines() if line.startswith(title)]


def _starts(line: str, cluster: Cluster) -> bool:
    return f"cluster_name={cluster.tag}" in line


def _noted_foreign(cluster: Cluster) -> int | None:
    """A server that somebody started on this folder by hand must not lose its pid file."""
    pid = _noted_pid(cluster)
    arguments = _command_line(pid).split("\0") if pid else [""]
    if pid is None or Path(arguments[0]).name != "postgres":
        return None
    here = str(cluster.folder) in arguments or _working_folder(pid) == cluster.folder
    return pid if here else None


def _noted_pid(cluster: Cluster) -> int | None:
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
    """Its arguments, each ended by a NUL; empty for a zombie and for no process at all."""
    if not PROC.joinpath("self").exists():
        return next((line for other, line in _command_lines() if other == pid), "")
    return _read_command_line(str(pid))


def _read_command_line(pid: str) -> str:
    # Every process of the machine is looked at, and a Path for each took longer than to read it.
    try:
        with open(f"{PROC}/{pid}/cmdline", "rb") as file:  # noqa: PTH123
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _command_lines() -> Iterator[tuple[int, str]]:
    if not PROC.joinpath("self").exists():
        yield from _listed_by_ps()
        return
    for name in filter(str.isdecimal, os.listdir(PROC)):  # noqa: PTH208
        yield int(name), _read_command_line(name)


def _listed_by_ps() -> Iterator[tuple[int, str]]:
    command = ["ps", "-axww", "-o", "pid=,command="]
    listing = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for line in listing.splitlines():
        pid, _, arguments = line.strip().partition(" ")
        yield int(pid), arguments.replace(" ", "\0")
