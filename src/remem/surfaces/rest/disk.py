"""Whether the folders that the store is kept in take more."""

import errno
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from remem.settings import Settings

FULL, READ_ONLY = "full", "read_only"
_PROBE_BYTES = 4_096
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


def folders_of(settings: Settings) -> list[Path]:
    """Those on this machine; a bucket has no disk of ours."""
    folders = [settings.data_dir, *([] if settings.is_in_s3 else [settings.blobs_folder])]
    return [folder for folder in folders if folder.is_dir()]


def check_disk(folders: Iterable[Path], min_free_bytes: int) -> str | None:
    """The worst state of the folders in one word, None when all have room."""
    return next((state for folder in folders if (state := _state(folder, min_free_bytes))), None)


def _state(folder: Path, min_free_bytes: int) -> str | None:
    try:
        found = os.statvfs(folder)
        if found.f_bavail * found.f_frsize < min_free_bytes:
            return FULL
        # A quota, or a disk that went read-only, shows only in an attempt to write.
        with tempfile.TemporaryFile(dir=folder, prefix=".health-") as file:
            file.write(b"\0" * _PROBE_BYTES)
    except OSError as error:
        if error.errno in _FULL:
            return FULL
        return READ_ONLY if error.errno in _READ_ONLY else type(error).__name__
    return None
