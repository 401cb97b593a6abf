"""The amount and type of memory that the server uses."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

# For shared_buffers: a vector index that does not fit is read again for every query, but buffers
# without data make startup slower. So reserve a small share of the memory for future data, or a
# larger share if that much is stored already.
DEFAULT_DIVISOR, DEFAULT_RANGE_MB = 16, (128, 1_024)
MAX_DIVISOR = 4
SHARED_MEMORY_NEEDED_BYTES = 256_000_000
# The memory limit of a container, in version 2 and version 1 of control groups.
LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def shared_buffers_mb(memory: int, stored: int) -> int:
    min_mb, max_mb = DEFAULT_RANGE_MB
    default_mb = min(max_mb, max(min_mb, memory // DEFAULT_DIVISOR >> 20))
    return max(default_mb, min(stored, memory // MAX_DIVISOR) >> 20)


def stored_bytes(cluster: Path) -> int:
    """The size of tables and indexes; 0 if unknown."""
    try:
        return sum(file.stat().st_size for file in (cluster / "base").glob("*/*"))
    except OSError:
        return 0


def memory_bytes(limits: Sequence[Path] = LIMITS) -> int:
    """The memory of this machine or container; 0 if unknown."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
    return min(total, *(_read_limit(limit, total) for limit in limits))


def _read_limit(limit: Path, default: int) -> int:
    try:
        return int(limit.read_text())
    except (OSError, ValueError):
        return default


def shared_memory_type() -> str:
    """Containers have 64 MB of /dev/shm, too little to build a vector index."""
    try:
        is_large_enough = shutil.disk_usage("/dev/shm").total >= SHARED_MEMORY_NEEDED_BYTES
    except OSError:
        return "posix"
    return "posix" if is_large_enough else "mmap"
