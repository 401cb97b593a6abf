"""One database on disk: its folder, its programs, who runs them, and its making."""

import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from remem.adapters.database.embedded.account import (
    Account,
    new_account,
    owner_account,
    refuse_foreign,
    with_passage,
)
from remem.adapters.database.embedded.binaries import (
    MAJOR,
    check_cpu,
    find_programs,
    portable_library,
)
from remem.adapters.database.embedded.failures import explain
from remem.adapters.database.embedded.folders import FIRST_START_BYTES, check_space
from remem.core.errors import CannotStart

FOLDER = "postgres"
SUPERUSER = "postgres"
UNFINISHED = "postgres.making-"
# The built-in locale is the same on every machine, whatever locales it has.
LOCALE = [
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
]
AUTHENTICATION = ["--auth-local=trust", "--auth-host=reject", f"--username={SUPERUSER}"]


@dataclass(frozen=True, slots=True)
class Cluster:
    data_dir: Path
    programs: Path
    account: Account
    library: Path | None = None

    @property
    def folder(self) -> Path:
        return self.data_dir / FOLDER

    @property
    def log(self) -> Path:
        return self.data_dir / "postgres.log"

    @property
    def tag(self) -> str:
        """Names the folder itself, so that a new one at the same path has another name."""
        status = self.folder.stat()
        identity = f"{status.st_dev}:{status.st_ino}"
        return f"remem-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"


def open_cluster(data_dir: Path) -> Cluster:
    """The cluster in `data_dir`, made now if there is none. The caller has the start lock."""
    programs = find_programs()
    check_cpu()
    _clear_unfinished(data_dir)
    made = _is_made(data_dir / FOLDER)
    library = portable_library()
    account = _choose_account(data_dir, programs, library, made=made)
    cluster = Cluster(data_dir, programs, account, library)
    if not made:
        _make(cluster)
    return cluster


def _is_made(folder: Path) -> bool:
    """An empty folder may be put there beforehand; anything else that is no cluster is refused."""
    if not folder.exists():
        return False
    refuse_foreign(folder)
    if (folder / "PG_VERSION").is_file():
        _check_version(folder)
        return True
    if not folder.is_dir() or any(folder.iterdir()):
        raise CannotStart(
            f"{folder} is not a PostgreSQL database, or part of it is missing; restore it from a "
            "copy, or move it away to begin with an empty one."
        )
    return False


def _choose_account(data_dir: Path, programs: Path, library: Path | None, *, made: bool) -> Account:
    folder = data_dir / FOLDER
    account = owner_account(folder) if made else new_account()
    needed = [programs.parent / "share" / "postgresql" / "postgres.bki", folder]
    needed += [library / "vector.so"] if library else []
    return with_passage(account, needed, programs / "postgres")


def _make(cluster: Cluster) -> None:
    """Made beside its place and renamed into it, so that a half-made one is never taken for whole.

    The name is new each time: the initdb of a killed process may still be writing to the last."""
    check_space(cluster.data_dir, FIRST_START_BYTES)
    unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=cluster.data_dir))
    try:
        cluster.account.own(unfinished)
        _initdb(cluster, unfinished)
        unfinished.rename(cluster.folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    _sync(cluster.data_dir)


def _initdb(cluster: Cluster, unfinished: Path) -> None:
    options = [*LOCALE, *AUTHENTICATION, "--data-checksums", "--set=timezone=UTC"]
    command = [
        str(cluster.programs / "initdb"),
        f"--pgdata={unfinished.name}",
        *options,
    ]
    done = cluster.account.run(command, folder=cluster.data_dir)
    if done.returncode != 0:
        raise explain(done.stdout + done.stderr, cluster.data_dir)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _clear_unfinished(data_dir: Path) -> None:
    for leftover in data_dir.glob(f"{UNFINISHED}*"):
        shutil.rmtree(leftover, ignore_errors=True)


def _check_version(folder: Path) -> None:
    written = (folder / "PG_VERSION").read_text().strip()
    if written == str(MAJOR):
        return
    if written.isdecimal() and int(written) > MAJOR:
        raise CannotStart(
            f"{folder} was written by a newer version (PostgreSQL {written}, and this one is "
            f"{MAJOR}); upgrade remem."
        )
    raise CannotStart(
        f"{folder} was written by an older version (PostgreSQL {written}, and this one is "
        f"{MAJOR}); export it with the remem that wrote it, then import that into an empty "
        "REMEM_DATA_DIR with this one."
    )
