"""Back the whole store up, of one moment, while it is used."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from remem.core.backup.archive import DATABASE, MANIFEST, ORIGINALS, Writer
from remem.core.backup.model import Manifest, Progress
from remem.core.backup.ports import BackupPorts
from remem.core.errors import NotFound
from remem.core.time import iso, now


async def back_up(ports: BackupPorts, target: Path, progress: Progress) -> Manifest:
    """Originals come first, then the rows, then the originals that came meanwhile: what the rows
    name is there. The file has its name only when it is whole."""
    fresh = target.with_name(f"{target.name}.part")
    try:
        with fresh.open("xb") as file, tempfile.TemporaryDirectory(dir=target.parent) as folder:
            fresh.chmod(0o600)
            writer = Writer(file)
            manifest = await _fill(ports, writer, Path(folder), progress)
            await asyncio.to_thread(writer.close)
        fresh.replace(target)
        return manifest
    finally:
        fresh.unlink(missing_ok=True)


async def _fill(ports: BackupPorts, writer: Writer, folder: Path, progress: Progress) -> Manifest:
    keys = await ports.dump.originals()
    missing = await _copy(ports, writer, folder, keys, progress)
    rows = folder / "rows"
    await ports.dump.write(rows)
    size = rows.stat().st_size
    await asyncio.to_thread(writer.add, DATABASE, rows)
    late = sorted(set(await ports.dump.originals()) - set(keys))
    missing += await _copy(ports, writer, folder, late, progress)
    manifest = Manifest(
        made_at=iso(now()),
        schema=await ports.dump.schema(),
        originals=len(keys) + len(late) - missing,
        missing=missing,
        size=size,
    )
    writer.write(MANIFEST, manifest.as_dict())
    return manifest


async def _copy(
    ports: BackupPorts, writer: Writer, folder: Path, keys: Sequence[str], progress: Progress
) -> int:
    """How many are gone: deleted since they were listed, or lost before."""
    missing = 0
    place = folder / "original"
    for number, key in enumerate(keys, start=1):
        try:
            with place.open("wb") as file:
                async for block in await ports.blobs.open(key):
                    await asyncio.to_thread(file.write, block)
            await asyncio.to_thread(writer.add, ORIGINALS + key, place)
        except NotFound:
            missing += 1
        progress(number, len(keys))
    return missing
