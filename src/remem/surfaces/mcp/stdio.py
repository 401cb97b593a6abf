"""MCP over standard input and output."""

from remem.client import AsyncRemem
from remem.surfaces.mcp.server import create_server


async def serve(memory: AsyncRemem) -> None:
    """The memory opens with the first call, so that the handshake never waits for a database."""
    try:
        await create_server(memory).run_stdio_async()
    finally:
        await memory.close()
