"""The official inspector in its command-line mode: both transports, both eras, every tool."""

import asyncio
import json
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.conftest import Person, Server
from tests.surfaces.mcp.conftest import thin
from tests.surfaces.mcp.every_tool import EVERY, call_every
from tests.tools.pinned import CACHE, NODE, node_packages
from tests.tools.preloaded import preloaded_command

PINS = Path(__file__).parent / "pins"


@pytest.fixture
def inspector(server: Server, person: Person, tmp_path: Path) -> "Inspector":
    command, *words = preloaded_command("mcp")
    near = {"command": command, "args": words, "env": thin(server, person)}
    headers = {"Authorization": f"Bearer {person.key}"}
    far = {"type": "streamable-http", "url": f"{server.url}/mcp", "headers": headers}
    config = tmp_path / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"stdio": near, "http": far}}))
    launcher = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    return Inspector(node_packages(PINS) / launcher, config)


class Inspector:
    def __init__(self, launcher: Path, config: Path) -> None:
        self._command = [str(NODE), str(launcher), "--cli", "--config", str(config)]
        self._home = config.parent

    async def ask(self, *arguments: str) -> dict[str, Any]:
        process = await asyncio.create_subprocess_exec(
            *self._command, *arguments, "--quiet", "--format", "json",
            env={
                "HOME": str(self._home),
                "PATH": str(NODE.parent),
                "NODE_COMPILE_CACHE": str(CACHE / "compiled"),
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        printed, said = await process.communicate()
        assert process.returncode == 0, said.decode()
        return json.loads(printed)["result"]


# Each call starts the inspector anew, and over standard input and output remem as well.
@pytest.mark.timeout(1_200)
@pytest.mark.anyio
@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("transport", ["http", "stdio"])
async def test_every_tool_with_the_inspector(
    inspector: Inspector, transport: Literal["http", "stdio"], era: str
) -> None:
    chosen = ("--server", transport, "--protocol-era", era)
    listed = await inspector.ask(*chosen, "--method", "tools/list", "--strict")
    assert {tool["name"] for tool in listed["tools"]} == EVERY

    async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        named = ("--method", "tools/call", "--tool-name", name)
        reply = await inspector.ask(*chosen, *named, "--tool-args-json", json.dumps(arguments))
        return reply["structuredContent"]

    await call_every(call)
