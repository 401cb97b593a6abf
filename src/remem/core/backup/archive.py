"""The backup file: an archive of members that ends with the checksums to verify it."""

import gzip
import hashlib
import io
import json
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from remem.core.errors import Invalid

SUMS = "sums.json"
MANIFEST = "manifest.json"
DATABASE = "database.sql"
ORIGINALS = "originals/"
BLOCK_BYTES = 1 << 20
# A line of 150 bytes for each original.
_MAX_JSON_BYTES = 1 << 30


class Writer:
    def __init__(self, file: IO[bytes]) -> None:
        self._tar = tarfile.TarFile.gzopen("", "w", file, compresslevel=6)
        self._sums: dict[str, str] = {}

    @property
    def originals(self) -> dict[str, str]:
        """The checksums of the originals, by key."""
        return originals_of(self._sums)

    def add(self, name: str, path: Path) -> None:
        """Add a file; of two members with the same name the later one counts."""
        with path.open("rb") as source:
            self._sums[name] = hashlib.file_digest(source, "sha256").hexdigest()
        self._tar.add(path, arcname=name, recursive=False, filter=_without_owner)

    def write(self, name: str, value: Any) -> None:
        text = json.dumps(value, indent=2).encode()
        if name != SUMS:
            self._sums[name] = hashlib.sha256(text).hexdigest()
        entry = tarfile.TarInfo(name)
        entry.size = len(text)
        self._tar.addfile(entry, io.BytesIO(text))

    def close(self) -> None:
        """Write the checksums last: a file without them was truncated."""
        self.write(SUMS, self._sums)
        self._tar.close()


def _without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Remove the owner's name and id from the archive entry."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o600
    return entry


def originals_of(sums: dict[str, str]) -> dict[str, str]:
    originals = ((name, value) for name, value in sums.items() if name.startswith(ORIGINALS))
    return {name.removeprefix(ORIGINALS): value for name, value in originals}


def verify(path: Path, rows: Path) -> tuple[Any, dict[str, str]]:
    """Read every member and compare it with its checksum; return the manifest and the checksums of
    the originals. The rows of the database are copied to `rows`."""
    sums: dict[str, str] = {}
    loaded: dict[str, Any] = {}
    with _readable():
        for name, source in members(path):
            if name in (SUMS, MANIFEST):
                text = source.read(_MAX_JSON_BYTES)
                loaded[name], sums[name] = json.loads(text), hashlib.sha256(text).hexdigest()
            else:
                sums[name] = _copy_and_sum(source, rows if name == DATABASE else None)
    sums.pop(SUMS, None)
    if loaded.get(SUMS) != sums or not {DATABASE, MANIFEST} <= sums.keys():
        raise Invalid("file", "it is incomplete or was changed; use another backup")
    return loaded[MANIFEST], originals_of(sums)


def _copy_and_sum(source: IO[bytes], target: Path | None) -> str:
    if target is None:
        return hashlib.file_digest(source, "sha256").hexdigest()  # pyrefly: ignore
    with target.open("wb") as copy:
        shutil.copyfileobj(source, copy, BLOCK_BYTES)
    with target.open("rb") as copy:
        return hashlib.file_digest(copy, "sha256").hexdigest()


def members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the files of the archive in order, each with its name."""
    with tarfile.open(path, mode="r|gz") as tar:
        for entry in tar:
            if entry.isreg() and not entry.issparse() and (source := tar.extractfile(entry)):
                yield entry.name, source


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except (
        tarfile.TarError,
        gzip.BadGzipFile,
        zlib.error,
        EOFError,
        # Text that is not JSON or UTF-8, numbers in headers, and JSON nested too deeply.
        ValueError,
        RecursionError,
    ) as error:
        raise Invalid("file", "it is not a backup of remem, or it is incomplete") from error
