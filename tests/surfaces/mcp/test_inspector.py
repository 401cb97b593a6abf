"""The official inspector in its command-line mode: both transports, both protocol eras."""

import asyncio
import json
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

from tests.conftest import Person, Server
from tests.surfaces.mcp.conftest import thin
from tests.surfaces.mcp.every_tool import EVERY, call_every
from tests.tools.pinned import CACHE, NODE, node_packages
from tests.tools.preloaded import preloaded_command

Transport: TypeAlias = Literal["http", "stdio"]
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


# Each call starts the inspector anew, and over standard input and output remem as well: every tool
# is called by each transport and in each era, and not in all four combinations of them.
@pytest.mark.timeout(1_200)
@pytest.mark.anyio
@pytest.mark.parametrize("transport, era", [("http", "modern"), ("stdio", "legacy")])
async def test_every_tool_with_the_inspector(
    inspector: Inspector, transport: Transport, era: str
) -> None:
    chosen = await listing(inspector, transport, era)

    async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return await call_one(inspector, chosen, name, arguments)

    await call_every(call)


@pytest.mark.anyio
@pytest.mark.parametrize("transport, era", [("http", "legacy"), ("stdio", "modern")])
async def test_a_note_is_saved_and_found_with_the_inspector(
    inspector: Inspector, transport: Transport, era: str
) -> None:
    chosen = await listing(inspector, transport, era)
    note = "Ada tunes the harpsichord of the observatory in spring."
    await call_one(inspector, chosen, "memory", {"content": note})
    found = await call_one(inspector, chosen, "recall", {"query": "Who tunes the harpsichord?"})
    assert note in json.dumps(found)


async def listing(inspector: Inspector, transport: Transport, era: str) -> tuple[str, ...]:
    """The options that choose the server, with which all tools are listed."""
    chosen = ("--server", transport, "--protocol-era", era)
    listed = await inspector.ask(*chosen, "--method", "tools/list", "--strict")
    assert {tool["name"] for tool in listed["tools"]} == EVERY
    return chosen


async def call_one(
    inspector: Inspector, chosen: tuple[str, ...], name: str, arguments: dict[str, Any]
) -> dict[str, Any]:
    named = ("--method", "tools/call", "--tool-name", name)
    reply = await inspector.ask(*chosen, *named, "--tool-args-json", json.dumps(arguments))
    return reply["structuredContent"]
