"""Check a backup by restoring it into a scratch store and comparing what is in both."""

import asyncio
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from remem.core.backup.archive import verify
from remem.core.backup.model import Progress, read_manifest, wrong_originals
from remem.core.backup.ports import BackupPorts
from remem.core.backup.restore import restore_backup
from remem.core.errors import Conflict
from remem.core.ports import TableSum


@dataclass(frozen=True, slots=True)
class ComparedBackup:
    """How much a backup has; all of it was equal after it was restored."""

    made_at: str
    schema: int
    tables: int
    rows: int
    originals: int

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


async def compare_backup(scratch: BackupPorts, source: Path, progress: Progress) -> ComparedBackup:
    """Restore the backup into an empty store and compare the rows and the originals with those of
    the file. Raises Conflict for the first difference."""
    await restore_backup(scratch, source, False, progress)
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        saved, restored = Path(folder) / "saved", Path(folder) / "restored"
        loaded, sums = await asyncio.to_thread(verify, source, saved)
        manifest = read_manifest(loaded)
        await scratch.dump.write(restored)
        expected = await scratch.dump.sums(saved)
        _require_equal(expected, await scratch.dump.sums(restored))
    originals = await scratch.dump.originals()
    missing = [str(item) for item in wrong_originals(originals, sums) if item.key in sums]
    if missing:
        raise Conflict(f"{missing[0]} differs from what was saved; save it again.")
    rows = sum(table.rows for table in expected.values())
    return ComparedBackup(manifest.made_at, manifest.schema, len(expected), rows, len(sums))


def _require_equal(expected: Mapping[str, TableSum], restored: Mapping[str, TableSum]) -> None:
    for name, table in expected.items():
        after = restored.get(name, TableSum(0, 0))
        if after != table:
            raise Conflict(
                f"The table {name} has {table.rows:,} rows in the backup and {after.rows:,} after a"
                " restore, or rows differ; make another backup."
            )
