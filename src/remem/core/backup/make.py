"""Back the whole store up, of one moment, while it is used."""

import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from remem.core.backup.archive import DATABASE, MANIFEST, ORIGINALS, Writer
from remem.core.backup.model import BackupReport, Manifest, Progress, damaged, differing
from remem.core.backup.ports import BackupPorts
from remem.core.errors import NotFound
from remem.core.ports import OriginalSum
from remem.core.time import iso, now


async def back_up(ports: BackupPorts, target: Path, progress: Progress) -> BackupReport:
    """Originals come first, then the rows, then the originals that came meanwhile: what the rows
    name is there. The file has its name only when it is whole."""
    fresh = target.with_name(f"{target.name}.part")
    try:
        with fresh.open("xb") as file, tempfile.TemporaryDirectory(dir=target.parent) as folder:
            fresh.chmod(0o600)
            writer = Writer(file)
            report = await _fill(ports, writer, Path(folder), progress)
            await asyncio.to_thread(writer.close)
        fresh.replace(target)
        return report
    finally:
        fresh.unlink(missing_ok=True)


async def _fill(
    ports: BackupPorts, writer: Writer, folder: Path, progress: Progress
) -> BackupReport:
    await _copy(ports, writer, folder, await ports.dump.originals(), progress)
    rows = folder / "rows"
    await ports.dump.write(rows)
    size = rows.stat().st_size
    await asyncio.to_thread(writer.add, DATABASE, rows)
    named = await ports.dump.originals()
    # Saved or replaced meanwhile, lost, or damaged: those that can be read are copied again.
    await _copy(ports, writer, folder, differing(named, writer.originals), progress)
    kept = writer.originals
    manifest = Manifest(
        made_at=iso(now()),
        schema=await ports.dump.schema(),
        originals=len(kept),
        missing=sum(original.key not in kept for original in named),
        size=size,
    )
    writer.write(MANIFEST, manifest.as_dict())
    return BackupReport(manifest, damaged(named, kept))


async def _copy(
    ports: BackupPorts,
    writer: Writer,
    folder: Path,
    originals: Sequence[OriginalSum],
    progress: Progress,
) -> None:
    """Those that are gone were deleted since they were listed, or lost before."""
    place = folder / "original"
    for number, original in enumerate(originals, start=1):
        with suppress(NotFound):
            with place.open("wb") as file:
                async for block in await ports.blobs.open(original.key):
                    await asyncio.to_thread(file.write, block)
            await asyncio.to_thread(writer.add, ORIGINALS + original.key, place)
        progress(number, len(originals))
