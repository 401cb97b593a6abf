"""Export everything as lines, as of one moment, with little of it in memory."""

import asyncio
import base64
import hashlib
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from operator import attrgetter
from typing import IO
from uuid import UUID

import numpy as np
import structlog

from remem.core.blobs.read import DamagedOriginal, open_checked
from remem.core.errors import NotFound
from remem.core.ports import Point, Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.transfer import transfer_store
from remem.core.transfer.kinds import KINDS, ORIGINAL, PART, VECTOR, Kind
from remem.core.transfer.model import (
    HEADER,
    PART_BYTES,
    ExportRequest,
    footer,
    header,
    line,
    row_line,
)
from remem.core.transfer.spool import SpooledPiece, spooled
from remem.core.vector_models.current import current_embedder, current_names

EMBEDDED_KINDS = ("chunk", "memory")
POINTS_PAGE = 200
# Originals up to this size are verified in memory before they are sent, larger ones on disk.
SPOOLED_BYTES = 8_000_000

log = structlog.get_logger()


async def export(ports: Ports, scope: Scope, request: ExportRequest) -> AsyncGenerator[bytes]:
    """Yield a header, a line for every row, and a footer by which a truncated file is recognised.

    Two exports of an unchanged store differ only in the moment in the header."""
    written, counts = hashlib.sha256(), Counter[str]()
    async with (
        spooled(_read_pieces(ports, scope, request)) as pieces,
        aclosing(_lines(ports, pieces)) as out,
    ):
        async for kind, text in out:
            yield text
            if kind != HEADER:
                written.update(text)
                counts[kind] += 1
    yield footer(dict(counts), counts.total() + 2, written.hexdigest())


async def _lines(
    ports: Ports, pieces: AsyncIterator[SpooledPiece]
) -> AsyncGenerator[tuple[str, bytes]]:
    """Yield the lines. The bytes of originals are read as they are sent: they need no
    transaction."""
    async for piece in pieces:
        if piece.kind != PART:
            yield piece.kind, piece.data
            continue
        id, key, size, sha256 = piece.data.decode().split(" ")
        with tempfile.SpooledTemporaryFile(SPOOLED_BYTES) as file:
            if await _copy_original(ports, key, int(size), sha256, file):
                while data := await asyncio.to_thread(file.read, PART_BYTES):
                    yield PART, line(PART, of=id, data=base64.b64encode(data).decode())


async def _read_pieces(
    ports: Ports, scope: Scope, request: ExportRequest
) -> AsyncGenerator[SpooledPiece]:
    """Read everything from the database in one transaction."""
    async with ports.db.transaction(scope, snapshot=True) as tx:
        expected = await _count(ports, tx, request)
        moment = await transfer_store.transaction_time(tx)
        model = (await current_embedder(ports, tx)).model
        yield SpooledPiece(HEADER, header(moment, expected, request, model))
        async for piece in _all_rows(ports, tx, request):
            yield piece


def _kinds(request: ExportRequest) -> tuple[Kind, ...]:
    return KINDS if request.originals else tuple(kind for kind in KINDS if kind is not ORIGINAL)


async def _count(ports: Ports, tx: Tx, request: ExportRequest) -> dict[str, int]:
    counts = {kind.name: await transfer_store.count(tx, kind) for kind in _kinds(request)}
    if request.vectors:
        names = await current_names(ports, tx)
        embedded = [await transfer_store.count_embedded(tx, kind, names) for kind in EMBEDDED_KINDS]
        counts[VECTOR] = sum(embedded)
    return counts


async def _all_rows(ports: Ports, tx: Tx, request: ExportRequest) -> AsyncIterator[SpooledPiece]:
    for kind in _kinds(request):
        pieces = _originals if kind is ORIGINAL else _rows
        async for piece in pieces(tx, kind):
            yield piece
    if request.vectors:
        for name in EMBEDDED_KINDS:
            async for piece in _vectors(ports, tx, name):
                yield piece


async def _rows(tx: Tx, kind: Kind) -> AsyncIterator[SpooledPiece]:
    after: UUID | None = None
    while rows := await transfer_store.page(tx, kind, after):
        for _, row in rows:
            yield SpooledPiece(kind.name, row_line(kind.name, row))
        after = rows[-1][0]


async def _originals(tx: Tx, kind: Kind) -> AsyncIterator[SpooledPiece]:
    after: UUID | None = None
    while rows := await transfer_store.page(tx, kind, after):
        originals = await transfer_store.originals(tx, [id for id, _ in rows])
        for id, row in rows:
            yield SpooledPiece(kind.name, row_line(kind.name, row))
            yield SpooledPiece(PART, " ".join(map(str, (id, *originals[id]))).encode())
        after = rows[-1][0]


async def _copy_original(ports: Ports, key: str, size: int, sha256: str, file: IO[bytes]) -> bool:
    """Copy the bytes of an original; False if they are missing or damaged. Those are left out, and
    everything else is still exported."""
    try:
        async for part in await open_checked(ports, key, size=size, sha256=sha256):
            await asyncio.to_thread(file.write, part)
    except (NotFound, DamagedOriginal) as error:
        log.warning("original_lost", key=key, error=error.code)
        return False
    file.seek(0)
    return True


async def _vectors(ports: Ports, tx: Tx, kind: str) -> AsyncIterator[SpooledPiece]:
    names, after = await current_names(ports, tx), None
    model = (await current_embedder(ports, tx)).model
    while hashes := await transfer_store.embedded(tx, kind, names, after, POINTS_PAGE):
        points = await ports.vectors.read(tx, model, kind, list(hashes))
        for point in sorted(points, key=attrgetter("id")):
            yield SpooledPiece(VECTOR, _vector_line(model, point, hashes[point.id]))
        after = max(hashes)


def _vector_line(model: str, point: Point, hash: str) -> bytes:
    data = base64.b64encode(point.vector.astype(np.dtype("<f4")).tobytes()).decode()
    row = {"of": point.kind, "id": str(point.id), "model": model, "hash": hash, "vector": data}
    return line(VECTOR, row=row)
