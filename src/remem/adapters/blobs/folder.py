"""Keeps originals in a folder on this machine that only its owner can enter."""

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

from remem.adapters.blobs.keys import checked
from remem.core.errors import NotFound, Unavailable

CHUNK_BYTES = 1 << 20
# What a killed process left half written is swept away once nobody can still be writing it.
STALE_S = 24 * 3_600


class FolderBlobs:
    """One file a key, spread over 256 folders. A file appears whole or not at all."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._incoming = root / "incoming"
        self._swept = False

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
        """Nothing stays open."""

    def _path(self, key: str) -> Path:
        # Keys begin with their time, which would fill one folder after another: the sum spreads.
        shard = hashlib.sha256(checked(key).encode()).hexdigest()[:2]
        return self._root / shard / key.replace("/", "_")

    def _put(self, path: Path, source: Path) -> None:
        for folder in (self._root, self._incoming, path.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._sweep()
        # Its mode is 0600 from the first byte on.
        handle, partial = tempfile.mkstemp(dir=self._incoming)
        try:
            with os.fdopen(handle, "wb") as written, source.open("rb") as read:
                shutil.copyfileobj(read, written, CHUNK_BYTES)
                written.flush()
                os.fsync(written.fileno())
            Path(partial).replace(path)
            _sync(path.parent)
        except BaseException:
            Path(partial).unlink(missing_ok=True)
            raise

    def _sweep(self) -> None:
        if self._swept:
            return
        self._swept = True
        for left in self._incoming.iterdir():
            with suppress(FileNotFoundError):
                if left.stat().st_mtime < time.time() - STALE_S:
                    left.unlink()


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
            yield chunk


def _sync(folder: Path) -> None:
    """A new name is on the disk only when its folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
