"""MCP over stdin and stdout, with a server or with the whole of remem in this process."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import anyio
from mcp.server.stdio import stdio_server

from remem.surfaces.mcp.server import create_server
from remem.surfaces.mcp.stdio_batches import BatchingStream

if TYPE_CHECKING:
    from remem.client import AsyncRemem


async def serve(tools: str | None, memory: "AsyncRemem") -> None:
    """Serve the tools. The first call opens the client, so the handshake never waits for it."""
    server = create_server(tools, lambda _: memory)
    try:
        with _reserve_streams() as (lines, out):
            stream: Any = BatchingStream(anyio.wrap_file(lines), anyio.wrap_file(out))
            async with stdio_server(stream, stream) as streams:
                await server.run_on_streams(*streams)
    finally:
        await memory.close()


@contextmanager
def _reserve_streams() -> Iterator[tuple[IO[str], IO[str]]]:
    """Reserve stdin and stdout for the protocol: other readers get nothing, and other output goes
    to standard error."""
    lines = os.fdopen(os.dup(0), encoding="utf-8", errors="replace", closefd=False)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n", closefd=False)
    devnull = os.open(os.devnull, os.O_RDONLY)
    sys.stdout.flush()
    os.dup2(devnull, 0)
    os.dup2(2, 1)
    os.close(devnull)
    try:
        yield lines, out
    finally:
        os.dup2(lines.fileno(), 0)
        os.dup2(out.fileno(), 1)
