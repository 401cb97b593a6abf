"""MCP over stdin and stdout, with a server or with the whole of remem in this process."""

from typing import IO, TYPE_CHECKING, Any

import anyio
from mcp.server.stdio import stdio_server

from remem.surfaces.mcp.handshake import FirstLine
from remem.surfaces.mcp.server import create_server
from remem.surfaces.mcp.stdio_batches import BatchingStream

if TYPE_CHECKING:
    from remem.client import AsyncRemem


async def serve(
    tools: str | None, memory: "AsyncRemem", first: FirstLine, lines: IO[str], out: IO[str]
) -> None:
    """Serve the tools. The first call opens the client, so nothing else waits for it."""
    server = create_server(tools, lambda _: memory)
    try:
        stream: Any = BatchingStream(anyio.wrap_file(lines), anyio.wrap_file(out), first)
        async with stdio_server(stream, stream) as streams:
            await server.run_on_streams(*streams)
    finally:
        await memory.close()
