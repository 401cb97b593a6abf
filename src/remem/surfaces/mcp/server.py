"""Create the MCP server of a toolset, or of all of them."""

from importlib import import_module
from importlib.metadata import version
from typing import Any

from mcp.server.mcpserver import MCPServer

from remem.surfaces.mcp.calls import ClientMiddleware, GetClient
from remem.surfaces.mcp.views import register_views
from remem.surfaces.toolsets import TOOLSETS, instructions


class Server(MCPServer[Any]):
    async def run_on_streams(self, lines: Any, out: Any) -> None:
        """Serve a client over two streams until it closes them."""
        options = self._lowlevel_server.create_initialization_options()
        await self._lowlevel_server.run(lines, out, options)


def create_server(tools: str | None, get_client: GetClient) -> Server:
    """Create a server for the toolset `tools`, or for all toolsets."""
    server = Server(
        "remem",
        title="remem",
        instructions=instructions(tools),
        version=version("remem"),
        tools=[tool for name in ([tools] if tools else TOOLSETS) for tool in _load_tools(name)],
        log_level="WARNING",
        # There are no changes that clients could subscribe to.
        subscriptions=False,
        middleware=[ClientMiddleware(get_client)],
    )
    register_views(server)
    return server


def _load_tools(name: str) -> Any:
    return import_module(f"remem.surfaces.mcp.{name}").TOOLS
