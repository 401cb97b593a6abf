"""`remem mcp` as an assistant starts it: fast startup, clean output, and clear errors."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from remem.surfaces.mcp.handshake import VERSIONS
from tests.conftest import Person, Server
from tests.surfaces.mcp.conftest import call_tool, over_stdio, tool_error
from tests.tools.preloaded import preloaded_command, run_remem
from tests.tools.site import Site, page, serving

INITIALIZE_PARAMS = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": INITIALIZE_PARAMS}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@contextmanager
def started(*options: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, *options, "-m", "remem", "mcp"]
    process = subprocess.Popen(
        command if options else preloaded_command("mcp"),
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def exchange(process: subprocess.Popen[str], *messages: Any) -> Any:
    assert process.stdin and process.stdout
    process.stdin.write("".join(f"{json.dumps(message)}\n" for message in messages))
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def test_nothing_but_the_protocol_on_standard_output(data_dir: Path) -> None:
    with started(REMEM_DATA_DIR=str(data_dir), REMEM_LOG_LEVEL="debug") as process:
        assert exchange(process, INITIALIZE)["result"]["serverInfo"]["name"] == "remem"
        params = {"name": "memory", "arguments": {"content": "A word in the right place."}}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        assert exchange(process, INITIALIZED, call)["result"]["isError"] is False
        printed, _ = process.communicate()
        assert printed == ""
        assert process.returncode == 0


def test_an_invalid_line_gets_an_error(data_dir: Path) -> None:
    call = '"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "memory", "arguments": '
    surrogate = f'{{"id": 5, {call}{{"content": "a \\ud800 b"}}}}}}'
    lines = {
        "not json": (None, -32700),
        "[[[[": (None, -32700),
        "[" * 100_000: (None, -32700),
        "7": (None, -32600),
        '{"id": 4}': (4, -32600),
        surrogate: (5, -32602),
        '{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}': (None, -32600),
        '{"jsonrpc": "2.0", "id": 1e400, "method": "tools/list"}': (None, -32600),
        '{"jsonrpc": "2.0", "id": null, "method": "tools/list"}': (None, -32600),
    }
    with started(REMEM_DATA_DIR=str(data_dir)) as process:
        exchange(process, INITIALIZE)
        assert process.stdin and process.stdout
        for line, expected in lines.items():
            process.stdin.write(f"\n{line}\n")
            process.stdin.flush()
            reply = json.loads(process.stdout.readline())
            assert (reply["id"], reply["error"]["code"]) == expected, line
        process.stdin.write(f"[{surrogate}]\n")
        process.stdin.flush()
        [reply] = json.loads(process.stdout.readline())
        assert (reply["id"], reply["error"]["code"]) == (5, -32602)
        assert exchange(process, {"jsonrpc": "2.0", "id": 6, "method": "ping"})["id"] == 6


def test_a_batch_gets_one_reply(data_dir: Path) -> None:
    def tool(id: int, name: str, **arguments: Any) -> dict[str, Any]:
        params = {"name": name, "arguments": arguments}
        return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}

    def list_tools(id: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": id, "method": "tools/list"}

    with started(REMEM_DATA_DIR=str(data_dir)) as process:
        exchange(process, INITIALIZE)
        entries = [
            tool(1, "memory", content="The kettle is in the left cupboard."),
            7,
            {"jsonrpc": "2.0", "id": "x"},
            INITIALIZED,
            {"jsonrpc": "2.0", "id": 2, "method": "no/such/method"},
            {**INITIALIZE, "id": 3},
            {"jsonrpc": "2.0", "id": 9, "result": {}},
            list_tools(4),
            list_tools(4),
            list_tools([5]),
        ]
        replies = exchange(process, INITIALIZED, entries)
        codes = sorted(
            (str(reply["id"]), reply.get("error", {}).get("code", 0)) for reply in replies
        )
        assert codes == [
            ("1", 0), ("2", -32601), ("3", -32600), ("4", -32600), ("4", 0),
            ("None", -32600), ("None", -32600), ("x", -32600),
        ]  # fmt: skip
        [saved] = [reply["result"] for reply in replies if reply["id"] == 1]
        assert saved["structuredContent"]["status"] == "done"
        assert exchange(process, [])["error"]["code"] == -32600
        assert exchange(process, [list_tools(5)])[0]["id"] == 5
        assert exchange(process, [INITIALIZED], list_tools(4))["id"] == 4
        printed, _ = process.communicate()
        assert printed == ""


def test_a_running_call_is_answered_after_the_input_ends(data_dir: Path) -> None:
    def call(id: int, name: str, **arguments: Any) -> dict[str, Any]:
        params = {"name": name, "arguments": arguments}
        return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}

    messages = [
        INITIALIZE,
        INITIALIZED,
        call(1, "memory", content="The kettle is in the left cupboard."),
        [call(2, "no_such_tool")],
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}},
    ]
    with started(REMEM_DATA_DIR=str(data_dir)) as process:
        printed, _ = process.communicate(
            "".join(f"{json.dumps(message)}\n" for message in messages)
        )
        assert process.returncode == 0
    lines = [json.loads(line) for line in printed.splitlines()]
    replies = {
        message["id"]: message
        for line in lines
        for message in (line if type(line) is list else [line])
    }
    assert set(replies) == {0, 1, 2}
    assert replies[1]["result"]["structuredContent"]["status"] == "done"


def test_the_handshake_imports_no_heavy_modules(data_dir: Path) -> None:
    with started("-X", "importtime", REMEM_DATA_DIR=str(data_dir)) as process:
        assert "protocolVersion" in exchange(process, INITIALIZE)["result"]
        _, codes = process.communicate()
    loaded = {line.rpartition("|")[2].strip() for line in codes.splitlines()}
    assert "mcp.server.mcpserver" in loaded
    heavy = {"remem.app", "remem.settings", "remem.surfaces.cli.main", "asyncpg", "onnxruntime"}
    assert not heavy & loaded
    assert not any(data_dir.iterdir())


def test_the_handshake_is_answered_before_the_sdk_is_imported(
    data_dir: Path, tmp_path: Path
) -> None:
    (tmp_path / "mcp.py").write_text("import time; time.sleep(3600)")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    with started("-u", REMEM_DATA_DIR=str(data_dir), PYTHONPATH=path) as process:
        assert "protocolVersion" in exchange(process, INITIALIZE)["result"]


@pytest.mark.parametrize("asked", [*VERSIONS, "2026-07-28", "1999-01-01"])
def test_the_handshake_is_answered_as_the_sdk_does(data_dir: Path, asked: str) -> None:
    first = {**INITIALIZE, "params": {**INITIALIZE_PARAMS, "protocolVersion": asked}}
    with started(REMEM_DATA_DIR=str(data_dir)) as process:
        early = exchange(process, first)
        assert early["id"] == 0
        # The SDK answers the second one.
        by_sdk = exchange(process, {**first, "id": "again"})
        assert (by_sdk["id"], by_sdk["result"]) == ("again", early["result"])
        assert HANDSHAKE_PROTOCOL_VERSIONS == VERSIONS


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"id": None}, -32600),
        ({"id": "\ud800"}, -32602),
        ({"params": {}}, -32602),
        ({"params": {**INITIALIZE_PARAMS, "clientInfo": {"name": 7}}}, -32602),
        ({"jsonrpc": "1.0"}, -32600),
    ],
)
def test_an_invalid_handshake_is_refused(
    data_dir: Path, changed: dict[str, Any], code: int
) -> None:
    with started(REMEM_DATA_DIR=str(data_dir)) as process:
        assert exchange(process, {**INITIALIZE, **changed})["error"]["code"] == code
        assert "result" in exchange(process, INITIALIZE)


@pytest.mark.anyio
async def test_an_unreachable_server_is_reported_in_the_result() -> None:
    async with over_stdio("legacy", MEMORY_API_URL="http://127.0.0.1:1") as client:
        for _ in range(2):
            codes = await tool_error(client, "recall", {"query": "x"})
            assert "No remem answers at http://127.0.0.1:1" in codes
            assert "MEMORY_API_URL" in codes


@pytest.mark.anyio
@pytest.mark.parametrize("address", ["127.0.0.1:1", "http://[", "nonsense"])
async def test_an_invalid_address_is_reported_too(address: str) -> None:
    async with over_stdio("2026-07-28", MEMORY_API_URL=address) as client:
        error = await tool_error(client, "whoAmI", {})
    assert f"{address} is not an address" in error or f"No remem answers at {address}" in error


@pytest.mark.anyio
async def test_another_service_at_the_address_is_reported_too() -> None:
    with serving(Site(pages={"/v3/whoami": page(b"<html>hello</html>")})) as site:
        async with over_stdio("legacy", MEMORY_API_URL=site.url) as client:
            assert f"No remem answers at {site.url}" in await tool_error(client, "whoAmI", {})


@pytest.mark.anyio
@pytest.mark.parametrize("key", [{}, {"MEMORY_API_KEY": "mc_nobody"}], ids=["none", "unknown"])
async def test_a_bad_key_is_reported_in_the_result(server: Server, key: dict[str, str]) -> None:
    async with over_stdio("legacy", MEMORY_API_URL=server.url, **key) as client:
        assert {tool.name for tool in (await client.list_tools()).tools}
        assert "Set MEMORY_API_KEY" in await tool_error(client, "whoAmI", {})


@pytest.mark.anyio
async def test_remem_variables_for_the_server_and_the_key(server: Server, person: Person) -> None:
    async with over_stdio("legacy", REMEM_URL=server.url, REMEM_KEY=person.key) as client:
        assert (await call_tool(client, "whoAmI", {}))["email"] == person.email


@pytest.mark.anyio
async def test_a_wrong_setting_is_reported_in_the_result(data_dir: Path) -> None:
    async with over_stdio("legacy", REMEM_DATA_DIR=str(data_dir), REMEM_PORT="abc") as client:
        assert "REMEM_PORT" in await tool_error(client, "whoAmI", {})


def test_an_unknown_toolset_is_refused() -> None:
    completed = run_remem("mcp", "--tools", "everything", env=dict(os.environ))
    assert completed.returncode == 2
    # The message is in a box, which breaks its lines.
    words = " ".join(completed.stderr.replace("│", " ").split())
    assert "default, assistant, coding, platform, files or all" in words
    assert completed.stdout == ""
