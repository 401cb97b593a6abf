"""Restore a store from a backup."""

import asyncio
import shutil
import tempfile
from collections.abc import Set
from functools import partial
from pathlib import Path
from typing import IO

from remem.core.backup.archive import ORIGINALS, members, verify
from remem.core.backup.model import BackupReport, Manifest, Progress, damaged, read_manifest
from remem.core.backup.ports import BackupPorts
from remem.core.errors import Conflict


async def restore_backup(
    ports: BackupPorts, source: Path, force: bool, progress: Progress
) -> BackupReport:
    """Verify the whole file before anything is changed. The originals are stored when all rows fit
    and before these are committed: an interrupted restore leaves the store as it was."""
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        rows = Path(folder) / "rows"
        loaded, sums = await asyncio.to_thread(verify, source, rows)
        manifest = read_manifest(loaded)
        await _refuse(ports, manifest, force)
        await ports.dump.check(rows)
        old_keys = {original.key for original in await ports.dump.originals()}
        unpack = partial(_unpack, ports, source, Path(folder) / "original", progress)
        new_keys = await ports.dump.load(rows, manifest.schema, unpack)
    for key in sorted(old_keys - new_keys):
        await ports.blobs.delete(key)
    broken = damaged(await ports.dump.originals(), sums)
    return BackupReport(manifest, broken, await ports.dump.counts())


async def _refuse(ports: BackupPorts, manifest: Manifest, force: bool) -> None:
    if manifest.schema > ports.newest_schema:
        raise Conflict(
            f"This backup is of a newer remem (schema {manifest.schema}, this one knows"
            f" {ports.newest_schema}); upgrade remem, nothing was changed."
        )
    if await ports.dump.holds_anything() and not force:
        raise Conflict(
            "This store is not empty; use another data folder, or replace all of it with --force."
        )
    if count := await ports.dump.other_connections():
        raise Conflict(
            f"{count} others use this store now; stop `remem serve` and assistants first, nothing"
            " was changed."
        )


async def _unpack(
    ports: BackupPorts, source: Path, path: Path, progress: Progress, keys: Set[str]
) -> None:
    """Store the originals that the rows refer to, one after another in the file `path`."""
    done = 0
    for name, file in members(source):
        key = name.removeprefix(ORIGINALS)
        if name.startswith(ORIGINALS) and key in keys:
            await asyncio.to_thread(_copy, file, path)
            await ports.blobs.put(key, path)
            progress(done := done + 1, len(keys))


def _copy(source: IO[bytes], target: Path) -> None:
    with target.open("wb") as file:
        shutil.copyfileobj(source, file)
