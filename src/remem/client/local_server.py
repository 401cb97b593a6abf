"""The server that runs on a data folder: how it makes itself known, and how a client finds it.

A server listens on a Unix socket in a folder that only its user can enter, and describes itself
in a file beside it. Unlike a port, a socket cannot be taken over by another program or user, so a
key never goes to anybody else; a killed server's socket refuses connections.
"""

import hashlib
import json
import os
import secrets
import socket
import stat
import struct
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import time

from remem.folders import data_dir, setting

FOLDER = "servers"
# The least that systems allow for the path of a socket is 104 bytes, with the byte that ends it.
_PATH_BYTES_MAX = 100
_CONNECT_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class LocalServer:
    """`database` identifies the store it serves, `worker` says whether it works on jobs."""

    url: str
    socket: str
    pid: int
    version: str
    worker: bool
    database: str
    started_at: float


def find_server() -> LocalServer | None:
    """The newest server on the data folder that is set, if it can do all that a command needs."""
    database = database_id(setting("database_url"))
    for server in running_servers(data_dir()):
        if server.worker and server.database == database:
            return server
    return None


def owner_key() -> str | None:
    """The key of the owner of this machine's store, where there is one."""
    try:
        return (data_dir() / "owner.key").read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def running_servers(folder: Path) -> list[LocalServer]:
    """Every server of this user that answers on a data folder, the newest first."""
    files = _descriptions(folder)
    described = [server for file in files if (server := _read(file))]
    alive = [server for server in described if answers(Path(server.socket))]
    return sorted(alive, key=lambda server: server.started_at, reverse=True)


def database_id(url: str | None) -> str:
    return hashlib.sha256(url.encode()).hexdigest()[:16] if url else "embedded"


def socket_folder(folder: Path) -> Path:
    """Where sockets of servers on a data folder are; elsewhere when their path would be too long
    for the system."""
    inside = folder.absolute() / FOLDER
    if len(os.fsencode(inside / _new_name())) <= _PATH_BYTES_MAX:
        return inside
    digest = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]
    return Path(tempfile.gettempdir(), f"remem-{os.geteuid()}-{digest}")


def answers(path: Path) -> bool:
    """Whether a process of this user accepts connections there."""
    if not _is_ours(path, stat.S_ISSOCK):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_CONNECT_TIMEOUT_S)
        try:
            connection.connect(str(path))
        except OSError:
            return False
        return _peer_user(connection) in (None, os.geteuid())


def listen(folder: Path) -> socket.socket | None:
    """A socket for a server on a data folder; None where there can be none."""
    place = _make_socket_folder(folder) if _is_supported() else None
    if place is None:
        return None
    _remove_dead(place)
    path = place / _new_name()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(str(path))
        path.chmod(0o600)
        # From now on it answers, so that no other server that starts takes it for dead.
        listening.listen()
    except OSError:
        listening.close()
        _remove(path)
        return None
    return listening


def describe(
    listening: socket.socket, *, url: str, version: str, worker: bool, database: str
) -> None:
    """Say beside the socket which server listens there: from now on clients find it."""
    path = Path(listening.getsockname())
    server = LocalServer(url, str(path), os.getpid(), version, worker, database, time())
    fresh = path.with_suffix(".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(server), file)
    fresh.replace(path.with_suffix(".json"))


def withdraw(path: str) -> None:
    """No client finds the server at this socket any more; those that are connected stay so."""
    _remove(Path(path))


def _is_supported() -> bool:
    return hasattr(socket, "AF_UNIX") and hasattr(os, "geteuid")


def _new_name() -> str:
    return f"{secrets.token_hex(4)}.sock"


def _descriptions(folder: Path) -> list[Path]:
    if not _is_supported():
        return []
    place = socket_folder(folder)
    return sorted(place.glob("*.json")) if _is_private(place) else []


def _read(file: Path) -> LocalServer | None:
    """What a file of this user describes; files of others, and broken ones, are passed over."""
    if not _is_ours(file, stat.S_ISREG):
        return None
    try:
        server = LocalServer(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return server if Path(server.socket) == file.with_suffix(".sock") else None


def _is_ours(path: Path, is_kind: Callable[[int], bool]) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False
    return is_kind(status.st_mode) and status.st_uid == os.geteuid()


def _is_private(folder: Path) -> bool:
    return _is_ours(folder, stat.S_ISDIR) and not folder.lstat().st_mode & 0o077


def _make_socket_folder(folder: Path) -> Path | None:
    place = socket_folder(folder)
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_ours(place, stat.S_ISDIR):
            place.chmod(0o700)
    except OSError:
        return None
    return place if _is_private(place) else None


def _remove_dead(place: Path) -> None:
    for path in place.glob("*.sock"):
        if not answers(path):
            _remove(path)


def _remove(path: Path) -> None:
    for suffix in (".sock", ".json", ".new"):
        with suppress(OSError):
            path.with_suffix(suffix).unlink()


def _peer_user(connection: socket.socket) -> int | None:
    """The user at the other end, where the system says it."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    credentials = connection.getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")
    )
    return struct.unpack("3i", credentials)[1]
