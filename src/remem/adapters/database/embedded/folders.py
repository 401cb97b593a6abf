"""The data folder and our files in it: create, check and limit their size."""

import os
import shutil
from pathlib import Path

from remem.core.errors import CannotStart

FIRST_START_BYTES, LATER_START_BYTES = 200_000_000, 20_000_000
LOG_LIMIT_BYTES, LOG_KEPT_BYTES = 1_000_000, 64_000
TAIL_LIMIT_BYTES = 64_000


def make_data_folder(folder: Path) -> None:
    """Create the folder if it does not exist. Raises CannotStart if it is not writable."""
    try:
        _make(folder)
    except OSError as error:
        raise unusable_folder(folder, error.strerror or str(error)) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise unusable_folder(folder, "it is not writable")


def unusable_folder(folder: Path, reason: str) -> CannotStart:
    return CannotStart(
        f"remem cannot use its data folder {folder} ({reason}); make it writable, "
        "or choose another with REMEM_DATA_DIR."
    )


def check_space(folder: Path, needed_bytes: int) -> None:
    free_bytes = shutil.disk_usage(folder).free
    if free_bytes < needed_bytes:
        raise CannotStart(
            f"The disk of {folder} has {free_bytes // 1_000_000} MB free and the database needs "
            f"{needed_bytes // 1_000_000}; free some, or choose another folder with REMEM_DATA_DIR."
        )


def open_private_file(path: Path, flags: int) -> int:
    """Open one of our files, creating it if needed. It gets the owner of its folder, so that a
    start as root does not lock out the folder's owner."""
    flags |= os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return os.open(path, flags)
    if os.geteuid() == 0:
        owner = path.parent.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)
    return descriptor


def open_log(path: Path) -> int:
    """Open the server's log for appending; a long log is first truncated to its last part."""
    descriptor = open_private_file(path, os.O_RDWR | os.O_APPEND)
    if os.fstat(descriptor).st_size > LOG_LIMIT_BYTES:
        tail = _last_bytes(descriptor, LOG_KEPT_BYTES)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, tail)
    return descriptor


def read_log(path: Path, offset: int) -> str:
    """Return the log after `offset`, at most its last part."""
    try:
        with path.open("rb") as log:
            length = log.seek(0, os.SEEK_END)
            log.seek(max(offset if offset <= length else 0, length - TAIL_LIMIT_BYTES))
            return log.read().decode(errors="replace")
    except OSError:
        return ""


def _make(folder: Path) -> None:
    if folder.is_dir():
        return
    folder.mkdir(mode=0o700, parents=True)
    if os.geteuid() == 0:
        # The server's account must reach its own folders inside; it cannot list this one.
        folder.chmod(0o711)


def _last_bytes(descriptor: int, count: int) -> bytes:
    return os.pread(descriptor, count, max(0, os.fstat(descriptor).st_size - count))
