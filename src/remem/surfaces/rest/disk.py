"""Check that the folders of the store accept writes."""

import errno
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from remem.settings import Settings

FULL, READ_ONLY = "full", "read_only"
_PROBE_BYTES = 4_096
_FULL_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT})
_READ_ONLY_ERRORS = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


def folders_of(settings: Settings) -> list[Path]:
    """Return the folders of the store on this machine; a bucket is not on a local disk."""
    folders = [settings.data_dir, *([] if settings.is_in_s3 else [settings.blobs_folder])]
    return [folder for folder in folders if folder.is_dir()]


def check_disk(folders: Iterable[Path], min_free_bytes: int) -> str | None:
    """Return the first problem found in the folders, in one word, or None if all are writable."""
    return next(
        (state for folder in folders if (state := _folder_state(folder, min_free_bytes))), None
    )


def _folder_state(folder: Path, min_free_bytes: int) -> str | None:
    try:
        stats = os.statvfs(folder)
        if stats.f_bavail * stats.f_frsize < min_free_bytes:
            return FULL
        # A quota or a read-only disk shows up only when writing.
        with tempfile.TemporaryFile(dir=folder, prefix=".health-") as file:
            file.write(b"\0" * _PROBE_BYTES)
    except OSError as error:
        if error.errno in _FULL_ERRORS:
            return FULL
        return READ_ONLY if error.errno in _READ_ONLY_ERRORS else type(error).__name__
    return None
