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
# The JSON of a manifest, and of the checksum of one member, whose name has up to 300 bytes.
_MAX_MANIFEST_BYTES = 10_000
_MAX_SUM_BYTES = 1_000
# The name and the numbers of a member that do not fit into its header.
_MAX_EXTRA_BYTES = 10_000


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
    manifest = expected = None
    with _readable():
        for name, source in members(path):
            if name == SUMS:
                expected = json.loads(_read(source, _MAX_SUM_BYTES * (len(sums) + 1)))
            elif name == MANIFEST:
                text = _read(source, _MAX_MANIFEST_BYTES)
                manifest, sums[name] = json.loads(text), hashlib.sha256(text).hexdigest()
            else:
                sums[name] = _copy_and_sum(source, rows if name == DATABASE else None)
    if expected != sums or not {DATABASE, MANIFEST} <= sums.keys():
        raise Invalid("file", "it is incomplete or was changed; use another backup")
    return manifest, originals_of(sums)


def _read(source: IO[bytes] | io.RawIOBase, limit: int) -> bytes:
    text = source.read(limit + 1) or b""
    if len(text) > limit:
        raise Invalid("file", "it is not a backup of remem: a list or a name in it is too long")
    return text


def _copy_and_sum(source: IO[bytes], target: Path | None) -> str:
    if target is None:
        return hashlib.file_digest(source, "sha256").hexdigest()  # pyrefly: ignore
    with target.open("wb") as copy:
        shutil.copyfileobj(source, copy, BLOCK_BYTES)
    with target.open("rb") as copy:
        return hashlib.file_digest(copy, "sha256").hexdigest()


def members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the files of the archive in order, each with its name. Unlike in `tarfile`, little of
    the archive is in memory at a time, whatever its headers say."""
    with gzip.open(path, "rb") as archive:
        extra: dict[str, str] = {}
        while (block := archive.read(tarfile.BLOCKSIZE)) and any(block):
            header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
            name = extra.get("path", header.name)
            content = _Content(archive, int(extra.get("size", header.size)))
            extra = {}
            if header.type == tarfile.XHDTYPE:
                extra = _pax_values(_read(content, _MAX_EXTRA_BYTES))
            elif header.type == tarfile.GNUTYPE_LONGNAME:
                long_name = _read(content, _MAX_EXTRA_BYTES).rstrip(b"\0")
                extra = {"path": long_name.decode(errors="surrogateescape")}
            elif header.type in (tarfile.REGTYPE, tarfile.AREGTYPE):
                yield name, io.BufferedReader(content)
            content.skip()


def _pax_values(text: bytes) -> dict[str, str]:
    """The values of lines such as `20 path=originals/a`, which begin with their length."""
    values: dict[str, str] = {}
    while text:
        length = int(text.partition(b" ")[0])
        name, is_value, value = text[:length].partition(b" ")[2].partition(b"=")
        if length < 1 or not is_value:
            raise ValueError("not a line of a header")
        values[name.decode()] = value[:-1].decode(errors="surrogateescape")
        text = text[length:]
    return values


class _Content(io.RawIOBase):
    """The content of a member, read from the archive as far as is asked for."""

    def __init__(self, archive: gzip.GzipFile, size: int) -> None:
        if size < 0:
            raise ValueError("a negative size")
        self._archive, self._left = archive, size
        self._padding = -size % tarfile.BLOCKSIZE

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._archive.read(min(len(buffer), self._left))
        if not block and self._left and len(buffer):
            raise EOFError
        buffer[: len(block)] = block
        self._left -= len(block)
        return len(block)

    def skip(self) -> None:
        while self.read(BLOCK_BYTES):
            pass
        self._archive.read(self._padding)


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
