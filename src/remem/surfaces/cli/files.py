"""Atomic file writes: a file name always refers to a complete file, the new or the previous one."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from remem.surfaces.cli.output import fail


@contextmanager
def atomic_file(file: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that takes the final name when complete. An interrupted write leaves
    nothing."""
    temporary = file.with_name(f"{file.name}.part")
    try:
        with temporary.open("wb") as target:
            yield target
        temporary.replace(file)
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(f"{file} cannot be written ({error.strerror}); choose another place.")
    finally:
        temporary.unlink(missing_ok=True)


def write_atomically(path: Path, text: str, mode: int | None = None) -> None:
    """Replace the text of a file, keeping its mode; a symbolic link is followed."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    if mode is None:
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o644
    temporary = target.with_name(f"{target.name}.{os.getpid()}.new")
    # Private from the start, because it may contain a key.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
