"""Restore a store from a backup."""

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import IO

from remem.core.backup.archive import DATABASE, ORIGINALS, members, verify
from remem.core.backup.model import FORMAT, VERSION, BackupReport, Manifest, Progress, damaged
from remem.core.backup.ports import BackupPorts
from remem.core.errors import Conflict, Invalid


async def restore_backup(
    ports: BackupPorts, source: Path, force: bool, progress: Progress
) -> BackupReport:
    """Verify the whole file before anything is changed. Restore the originals first and the rows
    last, atomically: an interrupted restore leaves the store as it was."""
    loaded, sums = await asyncio.to_thread(verify, source)
    manifest = _manifest(loaded)
    await _refuse(ports, manifest, force)
    old_keys = {original.key for original in await ports.dump.originals()}
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        rows = Path(folder) / "rows"
        stored = await _unpack(ports, source, Path(folder), rows, manifest, progress)
        await ports.dump.load(rows)
    for key in sorted(old_keys - stored):
        await ports.blobs.delete(key)
    return BackupReport(manifest, damaged(await ports.dump.originals(), sums))


def _manifest(loaded: dict[str, object]) -> Manifest:
    if loaded.get("format") != FORMAT or loaded.get("version") != VERSION:
        raise Invalid(
            "file", "it is of another kind or a newer remem; upgrade, nothing was changed"
        )
    return Manifest(**loaded)  # type: ignore[arg-type]


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
    ports: BackupPorts,
    source: Path,
    folder: Path,
    rows: Path,
    manifest: Manifest,
    progress: Progress,
) -> set[str]:
    """Store the originals and write the rows to a file; return the keys of the originals."""
    path, stored = folder / "original", set[str]()
    for name, file in members(source):
        if name == DATABASE:
            await asyncio.to_thread(_copy, file, rows)
        elif name.startswith(ORIGINALS):
            await asyncio.to_thread(_copy, file, path)
            stored.add(name.removeprefix(ORIGINALS))
            await ports.blobs.put(name.removeprefix(ORIGINALS), path)
            progress(len(stored), manifest.originals)
    return stored


def _copy(source: IO[bytes], target: Path) -> None:
    with target.open("wb") as file:
        shutil.copyfileobj(source, file)
