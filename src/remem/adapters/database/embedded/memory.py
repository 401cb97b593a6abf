"""How much memory the server takes, and of which sort."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

# What the database keeps at hand of what it has read. An index of vectors that does not fit is read
# anew for every query; to keep more than there is costs a longer start. So a modest share of the
# memory for what may still come, and a bigger one for as much as is stored already.
MODEST_SHARE, MODEST_MB = 16, (128, 1_024)
MOST_SHARE = 4
SHARED_MEMORY_NEEDED_BYTES = 256_000_000
# What a container may have, as either version of control groups tells it.
LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def shared_buffers_mb(memory: int, stored: int) -> int:
    least, most = MODEST_MB
    modest = min(most, max(least, memory // MODEST_SHARE >> 20))
    return max(modest, min(stored, memory // MOST_SHARE) >> 20)


def stored_bytes(cluster: Path) -> int:
    """The size of tables and indexes; 0 if unknown."""
    try:
        return sum(file.stat().st_size for file in (cluster / "base").glob("*/*"))
    except OSError:
        return 0


def memory_bytes(limits: Sequence[Path] = LIMITS) -> int:
    """The memory of this machine or container; 0 if unknown."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
    return min(whole, *(_limited(limit, whole) for limit in limits))


def _limited(limit: Path, whole: int) -> int:
    try:
        return int(limit.read_text())
    except (OSError, ValueError):
        return whole


def shared_memory_type() -> str:
    """Containers have 64 MB of /dev/shm, too little to build an index of vectors."""
    try:
        roomy = shutil.disk_usage("/dev/shm").total >= SHARED_MEMORY_NEEDED_BYTES
    except OSError:
        return "posix"
    return "posix" if roomy else "mmap"
