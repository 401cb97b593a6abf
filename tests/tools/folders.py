"""Temporary folders for the stores of the servers that tests start."""

import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 2_000_000_000


def new_folder() -> Path:
    """A new folder, in memory when there is enough: tests are about processes, not slow disks."""
    has_room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH_BYTES
    folder = Path(tempfile.mkdtemp(prefix="remem-test-", dir=MEMORY if has_room else None))
    folder.chmod(0o755)
    return folder
