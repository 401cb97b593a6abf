"""The private folder of the server's socket: every process that can open it is trusted."""

import hashlib
import os
import re
import stat
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from remem.adapters.database.embedded.account import Account
from remem.adapters.database.embedded.cluster import Cluster
from remem.core.errors import CannotStart

PORT = 5432
SOCKET = f".s.PGSQL.{PORT}"
PATH_LIMIT_BYTES = 103 if sys.platform == "darwin" else 107
SOCKET_DIR_LINE = 4


def address(socket_dir: Path, role: str, database: str) -> str:
    """The URL of the server. The port is explicit, because PGPORT would override the default."""
    return f"postgresql://{role}@/{database}?host={quote(str(socket_dir), safe='')}&port={PORT}"


def socket_folder(cluster: Cluster) -> Path:
    """A folder in the data folder, or a short private one if the path is too long for a socket."""
    inside = cluster.data_dir / "run"
    fits = len(os.fsencode(inside / SOCKET)) <= PATH_LIMIT_BYTES
    # To clients and the server, commas, colons, quotes and the like have a special meaning.
    plain = re.fullmatch(r"[\w/.+@ -]+", str(inside), re.ASCII)
    return inside if fits and plain else _short_folder(cluster)


def make_socket_folder(folder: Path, cluster: Cluster) -> None:
    """Create the folder. Refuse one of another user, who could pose as the server."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    with suppress(OSError):
        _set_owner_and_mode(folder, cluster)
    if not is_private(folder, cluster.account):
        raise CannotStart(
            f"The folder {folder} for the database's socket is not private to the account that "
            "runs it; remove that folder and start again, or choose a shorter REMEM_DATA_DIR."
        )


def is_private(folder: Path, account: Account) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    private = stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == 0o700
    return private and status.st_uid == account.uid


def announced_folder(cluster: Cluster) -> Path | None:
    """The socket folder of a running server, which may have been started in another environment.
    A server that is starting has not written it yet: an empty path would be the working folder."""
    try:
        lines = (cluster.folder / "postmaster.pid").read_text().splitlines()
    except (OSError, ValueError):
        return None
    announced = Path(lines[SOCKET_DIR_LINE] if len(lines) > SOCKET_DIR_LINE else "")
    usable = announced.is_absolute() and is_private(announced, cluster.account)
    return announced if usable else None


def _short_folder(cluster: Cluster) -> Path:
    account = cluster.account
    identity = f"{cluster.data_dir}:{account.uid}:{cluster.tag}"
    name = f"remem-{hashlib.sha256(identity.encode(errors='surrogateescape')).hexdigest()[:16]}"
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    # The account that runs the server cannot enter root's runtime folder.
    usable = account.is_ours and runtime.is_absolute() and is_private(runtime, account)
    return (runtime if usable else Path("/tmp")) / name


def _set_owner_and_mode(folder: Path, cluster: Cluster) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.geteuid() == 0 and os.fstat(descriptor).st_uid == 0:
            os.fchown(descriptor, cluster.account.uid, cluster.account.gid)
        if folder.parent == cluster.data_dir:
            os.fchmod(descriptor, 0o700)
    finally:
        os.close(descriptor)
