"""Create the MCP server of a toolset, or of all of them."""

from importlib import import_module
from importlib.metadata import version
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp_types import Tool

from remem.surfaces.mcp.calls import ClientMiddleware, GetClient
from remem.surfaces.mcp.views import register_views
from remem.surfaces.toolsets import ALL, DEFAULT, TOOLSETS, instructions


class Server(MCPServer[Any]):
    # Tools that can be called but are not listed.
    unlisted: frozenset[str] = frozenset()

    async def run_on_streams(self, lines: Any, out: Any) -> None:
        """Serve a client over two streams until it closes them."""
        options = self._lowlevel_server.create_initialization_options()
        await self._lowlevel_server.run(lines, out, options)

    async def list_tools(self) -> list[Tool]:
        return [tool for tool in await super().list_tools() if tool.name not in self.unlisted]


def create_server(tools: str | None, get_client: GetClient) -> Server:
    """Create a server for the toolset `tools`. Without a name it lists the default one, and the
    other tools can be called by clients that know them."""
    listed = _load_tools(tools or DEFAULT)
    others = [] if tools else _load_tools(ALL)
    server = Server(
        "remem",
        title="remem",
        instructions=instructions(tools),
        version=version("remem"),
        tools=_distinct([*listed, *others]),
        log_level="WARNING",
        # There are no changes that clients could subscribe to.
        subscriptions=False,
        middleware=[ClientMiddleware(get_client)],
    )
    server.unlisted = frozenset(tool.name for tool in others) - {tool.name for tool in listed}
    register_views(server)
    return server


def _load_tools(name: str) -> list[Any]:
    names = TOOLSETS if name == ALL else (name,)
    modules = [import_module(f"remem.surfaces.mcp.{toolset}") for toolset in names]
    return _distinct([tool for module in modules for tool in module.TOOLS])


def _distinct(tools: list[Any]) -> list[Any]:
    """The first of each name."""
    by_name: dict[str, Any] = {}
    for tool in tools:
        by_name.setdefault(tool.name, tool)
    return list(by_name.values())
