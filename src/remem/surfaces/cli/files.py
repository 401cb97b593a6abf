"""Writing files so that under their name there is a whole one or the one that was there."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from remem.surfaces.cli.output import fail


@contextmanager
def whole_file(file: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name when it is whole: one that is cut off leaves nothing."""
    fresh = file.with_name(f"{file.name}.part")
    try:
        with fresh.open("wb") as target:
            yield target
        fresh.replace(file)
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(f"{file} cannot be written ({error.strerror}); choose another place.")
    finally:
        fresh.unlink(missing_ok=True)


def write_over(path: Path, text: str, mode: int | None = None) -> None:
    """Replace a text at once, keeping its mode; through a link, what the link leads to."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    if mode is None:
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o644
    fresh = target.with_name(f"{target.name}.{os.getpid()}.new")
    # Private from its first byte on: it may contain a key.
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(mode)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
