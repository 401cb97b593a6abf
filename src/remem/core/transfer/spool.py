"""A temporary file between a transaction and a client, so that it never waits for the client."""

import asyncio
import os
import struct
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import BinaryIO

from remem.core.errors import Unavailable

# The limit of an import: a larger file could not be imported again.
SPOOL_BYTES = 20_000_000_000
# Rows are written in blocks: a call to a thread for every row would take longer than the rows.
BLOCK_BYTES = 256_000
# The disk space that must stay free for the database.
FREE_BYTES = 200_000_000
_SIZES = struct.Struct(">HI")


@dataclass(frozen=True, slots=True)
class SpooledPiece:
    """A line to send, or what is needed to create it, with its kind."""

    kind: str
    data: bytes


@asynccontextmanager
async def spooled(
    pieces: AsyncGenerator[SpooledPiece],
) -> AsyncIterator[AsyncIterator[SpooledPiece]]:
    """The same pieces, read ahead as fast as possible, however slowly they are consumed."""
    with tempfile.TemporaryFile(prefix="remem-") as file:
        spool = _Spool(file)
        filling = asyncio.create_task(spool.fill(pieces))
        try:
            yield spool.read(filling)
        finally:
            filling.cancel()
            await asyncio.gather(filling, return_exceptions=True)


class _Spool:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._written = 0
        self._more = asyncio.Event()

    async def fill(self, pieces: AsyncGenerator[SpooledPiece]) -> None:
        block = bytearray()
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    block += _pack(piece)
                    # The first piece is written at once: the response starts with it.
                    if len(block) >= BLOCK_BYTES or not self._written:
                        await self._write(block)
                        block = bytearray()
                await self._write(block)
        finally:
            self._more.set()

    async def _write(self, block: bytearray) -> None:
        if self._written + len(block) > SPOOL_BYTES:
            raise Unavailable("The export is larger than an import may be; leave vectors out.")
        await asyncio.to_thread(_append, self._file, self._written, block)
        self._written += len(block)
        self._more.set()

    async def read(self, filling: "asyncio.Task[None]") -> AsyncIterator[SpooledPiece]:
        """Yield the pieces; raise the error of `fill` after all that was written has been read."""
        place = 0
        while True:
            self._more.clear()
            block = await asyncio.to_thread(_read_block, self._file, place, self._written)
            for piece, size in _unpack(block):
                yield piece
                place += size
            if place < self._written:
                continue
            if filling.done():
                await filling
                return
            await self._more.wait()


def _pack(piece: SpooledPiece) -> bytes:
    kind = piece.kind.encode()
    return _SIZES.pack(len(kind), len(piece.data)) + kind + piece.data


def _append(file: BinaryIO, place: int, block: bytearray) -> None:
    disk = os.fstatvfs(file.fileno())
    if disk.f_bavail * disk.f_frsize < FREE_BYTES + len(block):
        raise Unavailable("The disk for temporary files is nearly full; free some and try again.")
    written = 0
    while written < len(block):
        written += os.pwrite(file.fileno(), memoryview(block)[written:], place + written)


def _read_block(file: BinaryIO, place: int, end: int) -> bytes:
    """Read about a block of pieces from a position, or one piece that is longer."""
    head = os.pread(file.fileno(), min(BLOCK_BYTES, end - place), place)
    if len(head) < _SIZES.size:
        return b""
    first = _SIZES.size + sum(_SIZES.unpack_from(head))
    return head if len(head) >= first else os.pread(file.fileno(), first, place)


def _unpack(block: bytes) -> list[tuple[SpooledPiece, int]]:
    pieces, place = [], 0
    while place + _SIZES.size <= len(block):
        kind_size, data_size = _SIZES.unpack_from(block, place)
        start = place + _SIZES.size
        end = start + kind_size + data_size
        if end > len(block):
            break
        kind = block[start : start + kind_size].decode()
        pieces.append((SpooledPiece(kind, block[start + kind_size : end]), end - place))
        place = end
    return pieces
