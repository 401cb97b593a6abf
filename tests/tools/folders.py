"""Where tests keep the stores of their servers."""

import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 2_000_000_000


def new_folder() -> Path:
    """In memory where there is enough: tests are about processes, not about a slow disk."""
    is_roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH_BYTES
    place = Path(tempfile.mkdtemp(prefix="remem-test-", dir=MEMORY if is_roomy else None))
    place.chmod(0o755)
    return place
