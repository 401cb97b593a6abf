"""Back up the whole store as of one moment, while it is in use."""

import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from remem.core.backup.archive import DATABASE, MANIFEST, ORIGINALS, Writer
from remem.core.backup.model import BackupReport, Manifest, Progress, damaged, wrong_originals
from remem.core.backup.ports import BackupPorts
from remem.core.errors import NotFound
from remem.core.ports import OriginalSum
from remem.core.time import iso


async def back_up(ports: BackupPorts, target: Path, progress: Progress) -> BackupReport:
    """Copy the originals, then the rows, then the originals that were added meanwhile, so that
    every original that the rows refer to is included. The file gets its name only when it is
    complete."""
    partial = target.with_name(f"{target.name}.part")
    try:
        with partial.open("xb") as file, _folder_beside(target) as folder:
            partial.chmod(0o600)
            writer = Writer(file)
            report = await _fill(ports, writer, Path(folder), progress)
            await asyncio.to_thread(writer.close)
        partial.replace(target)
        return report
    finally:
        partial.unlink(missing_ok=True)


def _folder_beside(target: Path) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(dir=target.parent, prefix=f"{target.name}.")


async def _fill(
    ports: BackupPorts, writer: Writer, folder: Path, progress: Progress
) -> BackupReport:
    await _copy(ports, writer, folder, await ports.dump.originals(), progress)
    rows = folder / "rows"
    dumped = await ports.dump.write(rows)
    size = rows.stat().st_size
    await asyncio.to_thread(writer.add, DATABASE, rows)
    # Originals that were added or replaced meanwhile, lost, or damaged: copy the readable ones.
    changed = wrong_originals(dumped.originals, writer.originals)
    await _copy(ports, writer, folder, changed, progress)
    sums = writer.originals
    manifest = Manifest(
        made_at=iso(dumped.made_at),
        schema=dumped.schema,
        originals=len(sums),
        missing=sum(original.key not in sums for original in dumped.originals),
        size=size,
    )
    writer.write(MANIFEST, manifest.as_dict())
    return BackupReport(manifest, damaged(dumped.originals, sums), dumped.counts)


async def _copy(
    ports: BackupPorts,
    writer: Writer,
    folder: Path,
    originals: Sequence[OriginalSum],
    progress: Progress,
) -> None:
    """Copy originals; skip missing ones, which were deleted since they were listed, or lost
    before."""
    path = folder / "original"
    for number, original in enumerate(originals, start=1):
        with suppress(NotFound):
            with path.open("wb") as file:
                async for block in await ports.blobs.open(original.key):
                    await asyncio.to_thread(file.write, block)
            await asyncio.to_thread(writer.add, ORIGINALS + original.key, path)
        progress(number, len(originals))
