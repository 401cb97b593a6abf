"""MCP over standard input and output: a thin client of a server, or the whole in this process."""

from remem.client import AsyncRemem
from remem.surfaces.mcp.server import create_server


async def serve(tools: str | None, url: str | None, key: str | None) -> None:
    """The memory opens with the first call, so that the handshake never waits for a database."""
    memory = _Memory(url, key)
    try:
        await create_server(tools, lambda _: memory).run_stdio_async()
    finally:
        await memory.close()


class _Memory(AsyncRemem):
    async def open(self) -> None:
        from remem.logs import configure
        from remem.settings import load

        configure(load(), quiet=True)
        await super().open()
