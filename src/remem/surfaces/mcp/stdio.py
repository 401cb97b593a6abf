"""MCP over standard input and output: a thin client of a server, or the whole in this process."""

from typing import TYPE_CHECKING

from remem.surfaces.mcp.server import create_server

if TYPE_CHECKING:
    from remem.client import AsyncRemem


async def serve(tools: str | None, memory: "AsyncRemem") -> None:
    """The memory opens with the first call, so that the handshake never waits for a database."""
    try:
        await create_server(tools, lambda _: memory).run_stdio_async()
    finally:
        await memory.close()
