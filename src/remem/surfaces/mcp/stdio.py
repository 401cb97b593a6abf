"""MCP over standard input and output: a thin client of a server, or the whole in this process."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import anyio
from mcp.server.stdio import stdio_server

from remem.surfaces.mcp.server import create_server
from remem.surfaces.mcp.stdio_batches import Wire

if TYPE_CHECKING:
    from remem.client import AsyncRemem


async def serve(tools: str | None, memory: "AsyncRemem") -> None:
    """The memory opens with the first call, so that the handshake never waits for a database."""
    server = create_server(tools, lambda _: memory)
    try:
        with _own_streams() as (lines, out):
            wire: Any = Wire(anyio.wrap_file(lines), anyio.wrap_file(out))
            async with stdio_server(wire, wire) as streams:
                await server.run_over(*streams)
    finally:
        await memory.close()


@contextmanager
def _own_streams() -> Iterator[tuple[IO[str], IO[str]]]:
    """Reserve the streams for the protocol: other readers get nothing, and what others
    print goes to standard error."""
    lines = os.fdopen(os.dup(0), encoding="utf-8", errors="replace", closefd=False)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n", closefd=False)
    nothing = os.open(os.devnull, os.O_RDONLY)
    sys.stdout.flush()
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        yield lines, out
    finally:
        os.dup2(lines.fileno(), 0)
        os.dup2(out.fileno(), 1)
