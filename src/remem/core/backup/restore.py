"""Make a store of a backup again."""

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import IO

from remem.core.backup.archive import DATABASE, ORIGINALS, members, prove
from remem.core.backup.model import FORMAT, VERSION, BackupReport, Manifest, Progress, damaged
from remem.core.backup.ports import BackupPorts
from remem.core.errors import Conflict, Invalid


async def put_back(
    ports: BackupPorts, source: Path, force: bool, progress: Progress
) -> BackupReport:
    """Nothing is touched before the file is proven whole. Originals go first and rows last, at
    once: a store that is cut short in between is the one it was."""
    loaded, sums = await asyncio.to_thread(prove, source)
    manifest = _manifest(loaded)
    await _refuse(ports, manifest, force)
    before = {original.key for original in await ports.dump.originals()}
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        rows = Path(folder) / "rows"
        kept = await _unpack(ports, source, Path(folder), rows, manifest, progress)
        await ports.dump.load(rows)
    for key in sorted(before - kept):
        await ports.blobs.delete(key)
    return BackupReport(manifest, damaged(await ports.dump.originals(), sums))


def _manifest(loaded: dict[str, object]) -> Manifest:
    if loaded.get("format") != FORMAT or loaded.get("version") != VERSION:
        raise Invalid(
            "file", "it is of another kind or a newer remem; upgrade, nothing was changed"
        )
    return Manifest(**loaded)  # type: ignore[arg-type]


async def _refuse(ports: BackupPorts, manifest: Manifest, force: bool) -> None:
    if manifest.schema > ports.knows:
        raise Conflict(
            f"This backup is of a newer remem (schema {manifest.schema}, this one knows"
            f" {ports.knows}); upgrade remem, nothing was changed."
        )
    if await ports.dump.holds_anything() and not force:
        raise Conflict(
            "This store is not empty; use another data folder, or replace all of it with --force."
        )
    if others := await ports.dump.others():
        raise Conflict(
            f"{others} others use this store now; stop `remem serve` and assistants first, nothing"
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
    """Keep the originals, lay the rows ready; the keys that were kept."""
    place, kept = folder / "original", set[str]()
    for name, file in members(source):
        if name == DATABASE:
            await asyncio.to_thread(_copy, file, rows)
        elif name.startswith(ORIGINALS):
            await asyncio.to_thread(_copy, file, place)
            kept.add(name.removeprefix(ORIGINALS))
            await ports.blobs.put(name.removeprefix(ORIGINALS), place)
            progress(len(kept), manifest.originals)
    return kept


def _copy(source: IO[bytes], target: Path) -> None:
    with target.open("wb") as file:
        shutil.copyfileobj(source, file)
