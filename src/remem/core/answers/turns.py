"""Questions take turns at the reader, so that many at once are answered late and not wrongly."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from remem.core.ports import Ports


@asynccontextmanager
async def reading_in_turn(ports: Ports) -> AsyncIterator[Ports]:
    """The ports with a reader that has time. Nothing else is waited for in a turn, and no
    connection is used by those who wait for theirs."""
    if ports.reader is None:
        yield ports
        return
    async with ports.reader.in_turn() as reader:
        yield replace(ports, reader=reader)
