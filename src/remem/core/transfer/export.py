"""Give everything out as lines, of one moment, without ever holding much of it."""

import base64
import hashlib
from collections import Counter
from collections.abc import AsyncIterator
from operator import attrgetter
from uuid import UUID

import numpy as np
import structlog

from remem.core.db import Tx
from remem.core.errors import NotFound
from remem.core.ports import Point, Ports
from remem.core.scope import Scope
from remem.core.transfer import store
from remem.core.transfer.kinds import KINDS, ORIGINAL, PART, VECTOR, Kind
from remem.core.transfer.model import PART_BYTES, Wish, footer, header, line, row_line

EMBEDDED_KINDS = ("chunk", "memory")
POINTS_PAGE = 200

log = structlog.get_logger()


async def export(ports: Ports, scope: Scope, wish: Wish) -> AsyncIterator[bytes]:
    """A header, a line for every row, and a footer by which a cut file is recognised.

    Two exports of an unchanged store differ in the moment that the header names, and in nothing
    else."""
    written, counts = hashlib.sha256(), Counter[str]()
    async with ports.db.transaction(scope, snapshot=True) as tx:
        expected = await _count(ports, tx, scope, wish)
        yield header(await store.moment(tx, scope), expected, wish, ports.embedder.model)
        async for kind, text in _lines(ports, tx, scope, wish):
            written.update(text)
            counts[kind] += 1
            yield text
    yield footer(dict(counts), counts.total() + 2, written.hexdigest())


def _kinds(wish: Wish) -> tuple[Kind, ...]:
    return KINDS if wish.originals else tuple(kind for kind in KINDS if kind is not ORIGINAL)


async def _count(ports: Ports, tx: Tx, scope: Scope, wish: Wish) -> dict[str, int]:
    counts = {kind.name: await store.count(tx, scope, kind) for kind in _kinds(wish)}
    if wish.vectors:
        model = ports.embedder.model
        each = [await store.count_embedded(tx, scope, kind, model) for kind in EMBEDDED_KINDS]
        counts[VECTOR] = sum(each)
    return counts


async def _lines(
    ports: Ports, tx: Tx, scope: Scope, wish: Wish
) -> AsyncIterator[tuple[str, bytes]]:
    for kind in _kinds(wish):
        lines = _originals if kind is ORIGINAL else _rows
        async for one in lines(ports, tx, scope, kind):
            yield one
    if wish.vectors:
        for name in EMBEDDED_KINDS:
            async for one in _vectors(ports, tx, scope, name):
                yield one


async def _rows(ports: Ports, tx: Tx, scope: Scope, kind: Kind) -> AsyncIterator[tuple[str, bytes]]:
    after: UUID | None = None
    while rows := await store.page(tx, scope, kind, after):
        for _, row in rows:
            yield kind.name, row_line(kind.name, row)
        after = rows[-1][0]


async def _originals(
    ports: Ports, tx: Tx, scope: Scope, kind: Kind
) -> AsyncIterator[tuple[str, bytes]]:
    after: UUID | None = None
    while rows := await store.page(tx, scope, kind, after):
        keys = await store.original_keys(tx, scope, [id for id, _ in rows])
        for id, row in rows:
            yield kind.name, row_line(kind.name, row)
            async for data in _parts(ports, keys[id]):
                yield PART, line(PART, of=str(id), data=base64.b64encode(data).decode())
        after = rows[-1][0]


async def _parts(ports: Ports, key: str) -> AsyncIterator[bytes]:
    """The bytes in pieces of one size. An original whose bytes are lost has none, and everything
    else still leaves."""
    try:
        stream = await ports.blobs.open(key)
    except NotFound:
        log.warning("original_lost", key=key)
        return
    held = b""
    async for some in stream:
        held += some
        while len(held) >= PART_BYTES:
            yield held[:PART_BYTES]
            held = held[PART_BYTES:]
    if held:
        yield held


async def _vectors(
    ports: Ports, tx: Tx, scope: Scope, kind: str
) -> AsyncIterator[tuple[str, bytes]]:
    model, after = ports.embedder.model, None
    while hashes := await store.embedded(tx, scope, kind, model, after, POINTS_PAGE):
        points = await ports.vectors.read(tx, scope, model, kind, list(hashes))
        for point in sorted(points, key=attrgetter("id")):
            yield VECTOR, _vector_line(model, point, hashes[point.id])
        after = max(hashes)


def _vector_line(model: str, point: Point, hash: str) -> bytes:
    data = base64.b64encode(point.vector.astype(np.dtype("<f4")).tobytes()).decode()
    row = {"of": point.kind, "id": str(point.id), "model": model, "hash": hash, "vector": data}
    return line(VECTOR, row=row)
