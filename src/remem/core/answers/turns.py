"""Let questions take turns at the reader, so that load delays answers but never falsifies them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from remem.core.ports import Ports


@asynccontextmanager
async def with_reader_turn(ports: Ports) -> AsyncIterator[Ports]:
    """The ports with a reader that is free. Nothing else may be awaited during a turn, and waiting
    callers keep no connection open."""
    if ports.reader is None:
        yield ports
        return
    async with ports.reader.in_turn() as reader:
        yield replace(ports, reader=reader)
