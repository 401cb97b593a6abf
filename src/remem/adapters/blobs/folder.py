"""Store originals in a folder of this machine that only its owner can access."""

import asyncio
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from remem.adapters.blobs.keys import check_key
from remem.core.errors import NotFound, Unavailable

CHUNK_BYTES = 1 << 20
# Age at which a partial file of a killed process is deleted: nobody can still be writing it.
STALE_S = 24 * 3_600


class FolderBlobs:
    """One file for each key, spread over 256 folders. Files are written atomically."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._incoming = root / "incoming"
        self._is_swept = False

    async def put(self, key: str, source: Path) -> None:
        try:
            await asyncio.to_thread(self._put, self._path(key), source)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise Unavailable(
                f"The folder for originals cannot be written ({error.strerror}); make room, or "
                "give its owner back the right to write."
            ) from error

    async def open(self, key: str) -> AsyncIterator[bytes]:
        path = self._path(key)
        try:
            file = await asyncio.to_thread(path.open, "rb")
        except FileNotFoundError:
            raise NotFound("original", key) from None
        return _chunks(file)

    async def delete(self, key: str) -> None:
        await asyncio.to_thread(self._path(key).unlink, missing_ok=True)

    async def close(self) -> None:
        """Nothing to close."""

    def _path(self, key: str) -> Path:
        # Keys begin with a time, which would fill one folder after another; a hash spreads them.
        shard = hashlib.sha256(check_key(key).encode()).hexdigest()[:2]
        return self._root / shard / key.replace("/", "_")

    def _put(self, path: Path, source: Path) -> None:
        for folder in (self._root, self._incoming, path.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._delete_stale()
        # mkstemp creates it with mode 0600.
        handle, partial = tempfile.mkstemp(dir=self._incoming)
        try:
            with os.fdopen(handle, "wb") as target, source.open("rb") as original:
                shutil.copyfileobj(original, target, CHUNK_BYTES)
                target.flush()
                os.fsync(target.fileno())
            Path(partial).replace(path)
            _sync(path.parent)
        except BaseException:
            Path(partial).unlink(missing_ok=True)
            raise

    def _delete_stale(self) -> None:
        if self._is_swept:
            return
        self._is_swept = True
        for path in self._incoming.iterdir():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - STALE_S:
                    path.unlink()


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
            yield chunk


def _sync(folder: Path) -> None:
    """Flush a folder, which makes a new name in it durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
