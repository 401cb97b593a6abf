"""A database cluster on disk: its folder, its programs, its account, and how to create it."""

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
    with_access,
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
        """An id of the folder itself: a new folder at the same path has another one."""
        status = self.folder.stat()
        identity = f"{status.st_dev}:{status.st_ino}"
        return f"remem-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"


def open_cluster(data_dir: Path) -> Cluster:
    """Open the cluster in `data_dir`, creating it if needed. The caller has the start lock."""
    programs = find_programs()
    check_cpu()
    _clear_unfinished(data_dir)
    exists = _exists(data_dir / FOLDER)
    library = portable_library()
    account = _choose_account(data_dir, programs, library, exists=exists)
    cluster = Cluster(data_dir, programs, account, library)
    if not exists:
        _create(cluster)
    return cluster


def _exists(folder: Path) -> bool:
    """Whether there is a cluster. An empty folder is allowed; anything else raises CannotStart."""
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


def _choose_account(
    data_dir: Path, programs: Path, library: Path | None, *, exists: bool
) -> Account:
    folder = data_dir / FOLDER
    account = owner_account(folder) if exists else new_account()
    paths = [programs.parent / "share" / "postgresql" / "postgres.bki", folder]
    paths += [library / "vector.so"] if library else []
    return with_access(account, paths, programs / "postgres")


def _create(cluster: Cluster) -> None:
    """Create the cluster in a temporary folder and rename it, so that it is never incomplete.

    Each attempt uses a new name: initdb of a killed process may still write to the previous one."""
    check_space(cluster.data_dir, FIRST_START_BYTES)
    unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=cluster.data_dir))
    try:
        cluster.account.take_ownership(unfinished)
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
    completed = cluster.account.run(command, folder=cluster.data_dir)
    if completed.returncode != 0:
        raise explain(completed.stdout + completed.stderr, cluster.data_dir)


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
