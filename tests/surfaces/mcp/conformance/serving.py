"""`remem serve` with the suite's fixtures, and the owner's key added to every request.

The suite cannot send a credential, so one is added to each of its requests; everything else is the
same as for any client.
"""

import socket
import sys
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from starlette.types import ASGIApp, Receive, Scope, Send

from remem.app import create_app
from remem.settings import load
from remem.surfaces.mcp import toolset_server
from remem.surfaces.mcp.calls import GetClient
from remem.surfaces.mcp.server import create_server
from tests.surfaces.mcp.conformance import plain, rounds


def create_test_server(tools: str | None, get_client: GetClient) -> MCPServer[Any]:
    server = create_server(tools, get_client)
    for add in (
        plain.add_tools,
        plain.add_interactive_tools,
        plain.add_logging,
        plain.add_schemas,
        plain.add_resources,
        plain.add_prompts,
        rounds.add_input_tools,
        rounds.add_state_tools,
        rounds.add_capability_tools,
    ):
        add(server)
    return server


class WithOwnerKey:
    def __init__(self, app: Any) -> None:
        self.app: ASGIApp = app
        self.state = app.state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            key = (b"authorization", f"Bearer {self.state.owner_key}".encode())
            scope = {**scope, "headers": [*scope["headers"], key]}
        await self.app(scope, receive, send)


def main() -> None:
    toolset_server.create_server = create_test_server  # type: ignore[assignment]
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(WithOwnerKey(create_app(load())), log_config=None, lifespan="on")

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            print(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp")
            sys.stdout.flush()

    Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
