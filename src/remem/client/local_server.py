"""The server that runs on a data folder: how it announces itself, and how a client finds it.

A server listens on a Unix socket in a folder that only its user can access, and describes itself in
a file next to it. Unlike a port, a socket cannot be taken over by another program or user, so a key
is never sent to anyone else; the socket of a killed server refuses connections.
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
# The smallest limit of any system for the path of a socket is 104 bytes, with the terminating NUL.
_PATH_BYTES_MAX = 100
_CONNECT_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class LocalServer:
    """`database` identifies the store it serves; `worker` says whether it runs jobs."""

    url: str
    socket: str
    pid: int
    version: str
    worker: bool
    database: str
    started_at: float


def find_server() -> LocalServer | None:
    """Return the newest server on the configured data folder that can do all that a command
    needs."""
    database = database_id(setting("database_url"))
    for server in running_servers(data_dir()):
        if server.worker and server.database == database:
            return server
    return None


def owner_key() -> str | None:
    """Return the key of the owner of this machine's store, if there is one."""
    try:
        return (data_dir() / "owner.key").read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def running_servers(folder: Path) -> list[LocalServer]:
    """Return every server of this user that responds on a data folder, newest first."""
    files = _descriptions(folder)
    described = [server for file in files if (server := _read(file))]
    alive = [server for server in described if answers(Path(server.socket))]
    return sorted(alive, key=lambda server: server.started_at, reverse=True)


def database_id(url: str | None) -> str:
    return hashlib.sha256(url.encode()).hexdigest()[:16] if url else "embedded"


def socket_folder(folder: Path) -> Path:
    """Return the folder of the sockets, which is outside the data folder if their path would be too
    long for the system."""
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
    """Create the socket for a server on a data folder, or return None if that is impossible."""
    sockets = _make_socket_folder(folder) if _is_supported() else None
    if sockets is None:
        return None
    _remove_dead(sockets)
    path = sockets / _new_name()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
        path.chmod(0o600)
        # From here it accepts connections, so another server that starts does not remove it as
        # dead.
        listener.listen()
    except OSError:
        listener.close()
        _remove(path)
        return None
    return listener


def describe(
    listener: socket.socket, *, url: str, version: str, worker: bool, database: str
) -> None:
    """Write the description next to the socket, so that clients find the server."""
    path = Path(listener.getsockname())
    server = LocalServer(url, str(path), os.getpid(), version, worker, database, time())
    temporary = path.with_suffix(".new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(server), file)
    temporary.replace(path.with_suffix(".json"))


def withdraw(path: str) -> None:
    """Stop clients from finding the server at this socket; connected ones stay connected."""
    _remove(Path(path))


def _is_supported() -> bool:
    return hasattr(socket, "AF_UNIX") and hasattr(os, "geteuid")


def _new_name() -> str:
    return f"{secrets.token_hex(4)}.sock"


def _descriptions(folder: Path) -> list[Path]:
    if not _is_supported():
        return []
    sockets = socket_folder(folder)
    return sorted(sockets.glob("*.json")) if _is_private(sockets) else []


def _read(file: Path) -> LocalServer | None:
    """Parse a description. Files of other users and invalid ones are ignored."""
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
    sockets = socket_folder(folder)
    try:
        sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_ours(sockets, stat.S_ISDIR):
            sockets.chmod(0o700)
    except OSError:
        return None
    return sockets if _is_private(sockets) else None


def _remove_dead(sockets: Path) -> None:
    for path in sockets.glob("*.sock"):
        if not answers(path):
            _remove(path)


def _remove(path: Path) -> None:
    for suffix in (".sock", ".json", ".new"):
        with suppress(OSError):
            path.with_suffix(suffix).unlink()


def _peer_user(connection: socket.socket) -> int | None:
    """Return the user at the other end, if the system reports it."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    credentials = connection.getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")
    )
    return struct.unpack("3i", credentials)[1]
