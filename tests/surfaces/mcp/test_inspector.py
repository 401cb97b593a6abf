"""The official inspector in its command-line mode: both transports, both protocol eras."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

from tests.conftest import Person, Server
from tests.surfaces.mcp.conftest import thin
from tests.surfaces.mcp.every_tool import EVERY, call_every
from tests.tools.pinned import CACHE, NODE, node_packages
from tests.tools.preloaded import preloaded_command

Transport: TypeAlias = Literal["http", "stdio"]
HERE = Path(__file__).parent
PINS = HERE / "pins"
MOST_PRINTED_BYTES = 10_000_000


@pytest.fixture
def inspector(server: Server, person: Person, tmp_path: Path) -> "Inspector":
    command, *words = preloaded_command("mcp")
    near = {"command": command, "args": words, "env": thin(server, person)}
    headers = {"Authorization": f"Bearer {person.key}"}
    far = {"type": "streamable-http", "url": f"{server.url}/mcp", "headers": headers}
    config = tmp_path / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"stdio": near, "http": far}}))
    return Inspector(node_packages(PINS) / "@modelcontextprotocol/inspector/clients", config)


class Inspector:
    def __init__(self, clients: Path, config: Path) -> None:
        self._launcher = clients / "launcher" / "build" / "index.js"
        self._command_line = clients / "cli" / "build" / "index.js"
        self._config = config
        self._running: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def ask(self, *arguments: str) -> dict[str, Any]:
        words = ["--config", str(self._config), *arguments, "--quiet", "--format", "json"]
        run = self._run_again if self._running else self._run
        return json.loads(await run(words))["result"]

    @asynccontextmanager
    async def started(self) -> AsyncIterator[None]:
        """What is asked meanwhile is asked of one process, which runs its command line for each
        question: to start it anew takes a second of a processor."""
        # Its failures are part of its answers, and nobody reads the rest before its end.
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
        printed, said = await process.communicate(b"")
        assert process.returncode == 0, said.decode()
        return printed.decode()

    async def _run_again(self, words: list[str]) -> str:
        assert self._running and self._running.stdin and self._running.stdout
        async with self._turn:
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
            limit=MOST_PRINTED_BYTES,
        )


# Over standard input and output each call starts remem: every tool is called by each transport and
# in each era, and not in all four combinations of them.
@pytest.mark.timeout(1_200)
@pytest.mark.anyio
@pytest.mark.parametrize("transport, era", [("http", "modern"), ("stdio", "legacy")])
async def test_every_tool_with_the_inspector(
    inspector: Inspector, transport: Transport, era: str
) -> None:
    async with inspector.started():
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
