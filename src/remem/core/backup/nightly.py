"""The nightly backup: written, checked and recorded; the oldest are removed."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from remem.core.backup import backup_store
from remem.core.backup.archive import verify
from remem.core.backup.make import back_up
from remem.core.backup.model import read_manifest
from remem.core.backup.ports import BackupPorts
from remem.core.db import Database
from remem.core.errors import RememError, Unavailable
from remem.core.scope import Bound
from remem.core.time import now

KEPT = 7
RECORDED_FOR = timedelta(days=90)
# What a killed backup left behind is removed when no process can be writing it any more.
STALE = timedelta(days=1)
# Another backup is rarely larger than this many times the last one.
GROWTH = 1.5
SUFFIX = ".tar.gz"

log = structlog.get_logger()


async def make_nightly(db: Database, ports: BackupPorts, folder: Path, min_free_bytes: int) -> None:
    """Make one backup in the folder. A failure is recorded and raised."""
    moment = now()
    try:
        file = await _make(ports, folder, min_free_bytes, moment)
    except (RememError, OSError) as error:
        await _record(db, moment, None, getattr(error, "message", None) or str(error))
        raise
    size = file.stat().st_size
    await _record(db, moment, size, None)
    for old in nightly_files(folder)[:-KEPT]:
        old.unlink(missing_ok=True)
    log.info("backup_made", file=file.name, bytes=size)


def nightly_files(folder: Path) -> list[Path]:
    """The backups in the folder, oldest first."""
    return sorted(folder.glob(f"remem-*{SUFFIX}"))


def new_file(folder: Path, moment: datetime) -> Path:
    return folder / f"remem-{moment:%Y-%m-%dT%H%M%S}{SUFFIX}"


async def _make(ports: BackupPorts, folder: Path, min_free_bytes: int, moment: datetime) -> Path:
    prepare_folder(folder, min_free_bytes)
    file = new_file(folder, moment)
    await back_up(ports, file, _ignore_progress)
    with tempfile.TemporaryDirectory(dir=folder, prefix=f"{file.name}.") as checking:
        rows = Path(checking) / "rows"
        manifest, _ = await asyncio.to_thread(verify, file, rows)
        read_manifest(manifest)
        await ports.dump.check(rows)
    return file


def prepare_folder(folder: Path, min_free_bytes: int) -> None:
    """Create the folder, remove what killed backups left, and require room for another one."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for leftover in folder.glob(f"remem-*{SUFFIX}.*"):
        if leftover.stat().st_mtime < (now() - STALE).timestamp():
            _remove(leftover)
    last_size = max((file.stat().st_size for file in nightly_files(folder)[-1:]), default=0)
    needed = round(GROWTH * last_size) + min_free_bytes
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise Unavailable(
            f"There is too little room for a backup in {folder}: {free / 1e9:.1f} GB are free and"
            f" {needed / 1e9:.1f} GB are needed; make room, or set REMEM_BACKUPS to another folder."
        )


def _remove(path: Path) -> None:
    remove: Callable[[Path], object] = shutil.rmtree if path.is_dir() else Path.unlink
    remove(path)


def _ignore_progress(done: int, total: int | None) -> None:
    pass


async def _record(db: Database, moment: datetime, size: int | None, error: str | None) -> None:
    async with db.transaction(Bound()) as tx:
        await backup_store.record(tx, moment, size, error)
        await backup_store.prune(tx, moment - RECORDED_FOR)
