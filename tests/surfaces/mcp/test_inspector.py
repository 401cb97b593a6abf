"""The official inspector in its command-line mode: both transports, both protocol eras."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

from tests.conftest import Person, Server
from tests.surfaces.mcp.conftest import client_env
from tests.surfaces.mcp.every_tool import ALL_TOOLS, call_all_tools
from tests.tools.pinned import CACHE, NODE, node_packages
from tests.tools.preloaded import preloaded_command

Transport: TypeAlias = Literal["http", "stdio"]
HERE = Path(__file__).parent
PINS = HERE / "pins"
MAX_OUTPUT_BYTES = 10_000_000


@pytest.fixture
def inspector(server: Server, person: Person, tmp_path: Path) -> "Inspector":
    command, *words = preloaded_command("mcp", "--tools", "all")
    stdio_server = {"command": command, "args": words, "env": client_env(server, person)}
    headers = {"Authorization": f"Bearer {person.key}"}
    http_server = {"type": "streamable-http", "url": f"{server.url}/mcp/all", "headers": headers}
    config = tmp_path / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"stdio": stdio_server, "http": http_server}}))
    return Inspector(node_packages(PINS) / "@modelcontextprotocol/inspector/clients", config)


class Inspector:
    def __init__(self, clients: Path, config: Path) -> None:
        self._launcher = clients / "launcher" / "build" / "index.js"
        self._command_line = clients / "cli" / "build" / "index.js"
        self._config = config
        self._running: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()

    async def request(self, *arguments: str) -> dict[str, Any]:
        words = ["--config", str(self._config), *arguments, "--quiet", "--format", "json"]
        run = self._run_in_started if self._running else self._run
        return json.loads(await run(words))["result"]

    @asynccontextmanager
    async def started(self) -> AsyncIterator[None]:
        """Send the requests inside to one process, which runs its command line for each of them:
        starting it again takes a second of processor time."""
        # Failures are part of its answers, and nothing reads the other output before its end.
        self._running = await self._start(
            HERE / "inspector.mjs", self._command_line, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            yield
        finally:
            await self._running.communicate(b"")
            self._running = None

    async def _run(self, words: list[str]) -> str:
        process = await self._start(self._launcher, "--cli", *words)
        printed, stderr = await process.communicate(b"")
        assert process.returncode == 0, stderr.decode()
        return printed.decode()

    async def _run_in_started(self, words: list[str]) -> str:
        assert self._running and self._running.stdin and self._running.stdout
        async with self._lock:
            self._running.stdin.write(json.dumps(words).encode() + b"\n")
            answer = json.loads(await self._running.stdout.readline())
        assert "failed" not in answer, answer["failed"]
        return answer["printed"]

    async def _start(
        self, program: Path, *words: str | Path, stderr: int = asyncio.subprocess.PIPE
    ) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(NODE, program, *words),
            env={
                "HOME": str(self._config.parent),
                "PATH": str(NODE.parent),
                "NODE_COMPILE_CACHE": str(CACHE / "compiled"),
            },
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
            limit=MAX_OUTPUT_BYTES,
        )


# Over stdio each call starts remem, so every tool is called over each transport and in each era,
# but not in all four combinations.
@pytest.mark.timeout(1_200)
@pytest.mark.anyio
@pytest.mark.parametrize("transport, era", [("http", "modern"), ("stdio", "legacy")])
async def test_every_tool_with_the_inspector(
    inspector: Inspector, transport: Transport, era: str
) -> None:
    async with inspector.started():
        options = await list_tools(inspector, transport, era)

        async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
            return await call_tool(inspector, options, name, arguments)

        await call_all_tools(call)


@pytest.mark.anyio
@pytest.mark.parametrize("transport, era", [("http", "legacy"), ("stdio", "modern")])
async def test_a_note_is_saved_and_found_with_the_inspector(
    inspector: Inspector, transport: Transport, era: str
) -> None:
    options = await list_tools(inspector, transport, era)
    note = "Ada tunes the harpsichord of the observatory in spring."
    await call_tool(inspector, options, "memory", {"content": note})
    recalled = await call_tool(
        inspector, options, "recall", {"query": "Who tunes the harpsichord?"}
    )
    assert note in json.dumps(recalled)


async def list_tools(inspector: Inspector, transport: Transport, era: str) -> tuple[str, ...]:
    """Check that all tools are listed; return the options that choose the server."""
    options = ("--server", transport, "--protocol-era", era)
    reply = await inspector.request(*options, "--method", "tools/list", "--strict")
    assert {tool["name"] for tool in reply["tools"]} == ALL_TOOLS
    return options


async def call_tool(
    inspector: Inspector, options: tuple[str, ...], name: str, arguments: dict[str, Any]
) -> dict[str, Any]:
    method_options = ("--method", "tools/call", "--tool-name", name)
    reply = await inspector.request(
        *options, *method_options, "--tool-args-json", json.dumps(arguments)
    )
    return reply["structuredContent"]
