"""A new user's first minutes: start the server, run the printed commands, connect an assistant."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from remem import AsyncRemem
from remem.client.local_server import find_server, listen
from tests.conftest import Server, start_server, stop_server

COMMAND_TIMEOUT_S = 120


def printed_lines(server: Server) -> list[str]:
    start = server.banner.index("Try it, in another terminal:") + 1
    return [line.strip() for line in server.banner[start : start + 3]]


def run(line: str, home: Path, **environment: str) -> str:
    """Run a line as pasted into a new terminal: elsewhere, without the server's environment."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("REMEM_")}
    process = subprocess.run(
        line,
        shell=True,
        env={**clean, "HOME": str(home), **environment},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=COMMAND_TIMEOUT_S,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.mark.anyio
async def test_the_three_printed_lines_work_as_printed(data_dir: Path, tmp_path: Path) -> None:
    server = start_server(data_dir)
    try:
        save, recall, connect = printed_lines(server)
        assert "Saved: The dentist" in run(save, tmp_path)
        assert "Friday at nine" in run(recall, tmp_path)
        assert "Claude Code has remem now" in run(connect, tmp_path)
        answer = await ask_as_assistant(tmp_path / ".claude.json", "when is the dentist?")
        assert "Friday at nine" in answer
    finally:
        stop_server(server)


@pytest.mark.anyio
async def test_a_client_survives_the_death_of_its_server(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client uses the server's socket, more often than the rate limit allows a caller over
    HTTP. When the server is gone, it opens the store itself."""
    server = start_server(data_dir, REMEM_RATE_LIMIT="5", REMEM_DISTIL="false")
    monkeypatch.setenv("REMEM_DATA_DIR", str(data_dir))
    async with AsyncRemem() as memory:
        for number in range(20):
            await memory.save(f"Note {number} is short.")
        assert not _runs_in_this_process(memory)
        server.process.kill()
        server.process.wait()
        assert (await memory.stats()).total_documents == 20
        assert _runs_in_this_process(memory)
        assert find_server() is None
    listening = listen(data_dir)
    assert listening and [path.name for path in (data_dir / "servers").iterdir()] == [
        Path(listening.getsockname()).name
    ]
    listening.close()


def _runs_in_this_process(memory: AsyncRemem) -> bool:
    return memory._wire._embedded is not None


async def ask_as_assistant(config: Path, query: str) -> str:
    """Use the written configuration as an assistant does."""
    entry = json.loads(config.read_text())["mcpServers"]["remem"]
    program = StdioServerParameters(
        command=entry["command"], args=entry["args"], env={**os.environ, **entry["env"]}
    )
    async with stdio_client(program) as (reading, writing), ClientSession(reading, writing) as mcp:
        await mcp.initialize()
        names = {tool.name for tool in (await mcp.list_tools()).tools}
        assert {"save", "recall", "ask", "open", "forget"} <= names
        reply = await mcp.call_tool("recall", {"query": query})
        return reply.content[0].text


def test_install_keeps_what_was_there(tmp_path: Path, data_dir: Path) -> None:
    config = tmp_path / ".claude.json"
    config.write_text(json.dumps({"theme": "dark", "mcpServers": {"other": {"command": "x"}}}))
    run(f"{sys.executable} -m remem install claude-code", tmp_path, REMEM_DATA_DIR=str(data_dir))
    written = json.loads(config.read_text())
    assert written["theme"] == "dark"
    assert set(written["mcpServers"]) == {"other", "remem"}
    assert "remem" not in config.with_name(".claude.json.before-remem").read_text()


def test_only_the_owner_can_read_the_key_file(data_dir: Path) -> None:
    server = start_server(data_dir)
    stop_server(server)
    assert (data_dir / "owner.key").stat().st_mode & 0o777 == 0o600
