"""The examples of README and docs run as printed, also on a store that is not empty."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from remem import Remem
from tests.conftest import Server
from tests.tools.preloaded import preloaded_command, run_code
from tests.tools.running_database import running_database
from tests.tools.waiting import until

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
ACTIVATE = ". .venv/bin/activate"
PRINTED_URL = "http://127.0.0.1:8080"
NOTES = [
    "The dentist in the harbour street is called Dr. Costa and takes no cards.",
    "Friday is pizza night; the oven needs forty minutes.",
    "The bus to the airport leaves every half hour.",
    "Our invoices are sent on the first of each month.",
    "The house has two doors, and the garden gate squeaks.",
]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


@pytest.fixture(scope="module")
def server_in_use(server: Server) -> Server:
    """The running server, with some notes in the memory of its owner."""
    with Remem(server.url, server.owner_key) as memory:
        for note in NOTES:
            memory.save(note)
        memory.memories.save("Jonas lives in Bergen.", project="people")
    return server


def environment(home: Path, data_dir: Path) -> dict[str, str]:
    """The environment with only the data folder set, and without settings of other programs."""
    prefixes = ("REMEM_", "XDG_", "CLAUDE", "CODEX", "CLINE")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}
    path = os.pathsep.join(
        folder for folder in clean["PATH"].split(os.pathsep) if folder != str(BIN)
    )
    return {**clean, "HOME": str(home), "PATH": path, "REMEM_DATA_DIR": str(data_dir)}


def run(command: list[str], home: Path, data_dir: Path) -> subprocess.CompletedProcess[str]:
    env = environment(home, data_dir)
    return subprocess.run(
        command, env=env, cwd=home, capture_output=True, text=True, check=False, timeout=200
    )


def run_shell(block: str, home: Path, server: Server) -> str:
    """Run a block in a folder with a .venv, like a clone; only the server URL is replaced."""
    if not (home / ".venv").exists():
        make_venv(home / ".venv" / "bin")
    script = block.replace(PRINTED_URL, server.url)
    if ACTIVATE not in block:
        script = f"{ACTIVATE}\n{script}"
    result = run(["bash", "-euo", "pipefail", "-c", script], home, server.data_dir)
    assert result.returncode == 0, result.stderr + result.stdout
    return result.stdout


def make_venv(bin_dir: Path) -> None:
    """Make a .venv whose `remem` forks a preloaded process, which takes a quarter of the time."""
    bin_dir.mkdir(parents=True)
    (bin_dir / "activate").write_text(f'PATH="{bin_dir}:$PATH"\n')
    remem = bin_dir / "remem"
    remem.write_text(f'#!/bin/sh\nexec {shlex.join(preloaded_command())} "$@"\n')
    remem.chmod(0o755)


def run_python(block: str, home: Path, data_dir: Path) -> str:
    env, piped = environment(home, data_dir), subprocess.PIPE
    result = run_code(block, env=env, timeout=200, cwd=home, stdout=piped, stderr=piped, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_readme_starts_with_targets_that_exist() -> None:
    targets = re.findall(r"^make (\w+)", blocks("README.md", "sh")[0], re.M)
    assert targets == ["serve", "test"]
    for target in targets:
        subprocess.run(["make", "-n", target], cwd=ROOT, check=True, capture_output=True)


def test_the_readme_saves_and_finds(server_in_use: Server, tmp_path: Path) -> None:
    block = blocks("README.md", "sh")[1]
    assert block.startswith(ACTIVATE)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    printed = run_shell(block, tmp_path, server_in_use)
    saved, first = printed.splitlines()[:2]
    assert saved.startswith(("Saved:", "Known already:"))
    assert "The dentist moved my appointment to Friday at nine" in first
    assert "remem" in json.loads((tmp_path / ".claude.json").read_text())["mcpServers"]


def test_the_readme_saves_and_finds_over_http(server_in_use: Server, tmp_path: Path) -> None:
    printed = run_shell(blocks("README.md", "sh")[2], tmp_path, server_in_use)
    decoder = json.JSONDecoder()
    saved, end = decoder.raw_decode(printed)
    found, _ = decoder.raw_decode(printed[end:].lstrip())
    assert saved["status"] == "done"
    # The note that contains the word "invoices" may come first.
    best = [hit["chunks"][0]["content"] for hit in found["results"][:2]]
    assert "We chose PostgreSQL for billing." in best


@pytest.mark.parametrize("time", ["first", "second"])
def test_python_on_a_server_in_use(server_in_use: Server, tmp_path: Path, time: str) -> None:
    code, printed = blocks("docs/python.md", "python")[0], blocks("docs/python.md", "text")[0]
    assert run_python(code, tmp_path, server_in_use.data_dir) == printed


def test_python_with_no_server(data_dir: Path, tmp_path: Path) -> None:
    code, printed = blocks("docs/python.md", "python")[0], blocks("docs/python.md", "text")[0]
    assert run_python(code, tmp_path, data_dir) == printed


def test_a_client_that_is_not_closed_leaves_no_database_running(
    data_dir: Path, tmp_path: Path
) -> None:
    code = "from remem import Remem; print(Remem().save('Left open.').status)"
    with running_database(data_dir):
        """Create the store, which would take the program seconds."""
    result = run([sys.executable, "-c", code], tmp_path, data_dir)
    assert (result.stdout, result.stderr) == ("done\n", "")
    assert not list(data_dir.glob("**/postmaster.pid"))


def test_the_command_line(server_in_use: Server, tmp_path: Path) -> None:
    printed = run_shell(blocks("docs/cli.md", "sh")[0], tmp_path, server_in_use)
    # Notes that contain the word "house" may come first.
    assert "The door code is 4711" in printed.partition("\n")[2].partition("3. ")[0]
    assert server_in_use.url in printed


def without_ids_and_times(text: str) -> str:
    """Replace ids and times, which differ in each run."""
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID", text)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "MOMENT", text)


def test_the_page_about_asking(server_in_use: Server, tmp_path: Path) -> None:
    printed = without_ids_and_times(
        run_shell(blocks("docs/ask.md", "sh")[0], tmp_path, server_in_use)
    )
    assert without_ids_and_times(blocks("docs/ask.md", "text")[0]) in printed
    assert "In June 2029 [1]" in printed
    steps = run_python(blocks("docs/ask.md", "python")[0], tmp_path, server_in_use.data_dir)
    assert steps.startswith("in the top drawer of the oak desk ['My passport is")
    assert "done {'question': 'when does my passport expire?', 'known': True" in steps


def test_the_reply_that_the_page_about_asking_shows(server_in_use: Server) -> None:
    shown = json.loads(blocks("docs/ask.md", "json")[0])
    with Remem(server_in_use.url, server_in_use.owner_key) as memory:
        memory.save(shown["citations"][0]["sentence"], title="Passport")
        request = {"question": shown["question"], "record": False}
        reply = memory.request("POST", "/api/agent/ask", json=request)
    assert set(reply) == set(shown)
    for name in ("question", "known", "kind", "method", "model", "answer", "claims", "nearest"):
        assert reply[name] == shown[name], name
    [cited], [printed] = reply["citations"], shown["citations"]
    assert set(cited) == set(printed)
    same = ("number", "kind", "memoryId", "sentence", "mark", "start", "end", "title", "speaker")
    assert {name: cited[name] for name in same} == {name: printed[name] for name in same}


def shape(value: Any) -> Any:
    """The names in a value without its values; of a list, the shape of its first item."""
    if isinstance(value, dict):
        return {name: shape(nested) for name, nested in value.items()}
    return [shape(item) for item in value[:1]] if isinstance(value, list) else None


def shape_of_recall(reply: dict[str, Any]) -> Any:
    """The shape without evidence, which depends on the texts, and memories, which come later."""
    [result] = [hit for hit in reply["results"] if hit["title"] == "Flight to Lisbon"]
    for chunk in result["chunks"]:
        chunk["memories"] = chunk["explain"]["evidence"] = None
    return shape({**reply, "results": [result]})


def replies_to(block: str, home: Path, server: Server) -> list[dict[str, Any]]:
    key = 'export REMEM_KEY=$(cat "$(remem config path owner_key)")'
    printed = run_shell(f"{key}\n{block.replace('curl ', 'curl -sS ')}", home, server)
    replies, decoder = [], json.JSONDecoder()
    while printed := printed.lstrip():
        reply, end = decoder.raw_decode(printed)
        replies.append(reply)
        printed = printed[end:]
    return replies


def test_the_replies_that_the_page_of_the_api_shows(server_in_use: Server, tmp_path: Path) -> None:
    requests, shown = blocks("docs/api.md", "sh"), blocks("docs/api.md", "json")
    assert len(replies_to(requests[0], tmp_path, server_in_use)) == 2
    [saved] = replies_to(requests[1], tmp_path, server_in_use)
    assert shape(saved) == shape(json.loads(shown[2]))
    assert saved["metadata"] == json.loads(shown[2])["metadata"]
    [recalled] = replies_to(requests[3], tmp_path, server_in_use)
    assert shape_of_recall(recalled) == shape_of_recall(json.loads(shown[4]))
    first, second = replies_to(requests[4], tmp_path, server_in_use)
    shown_second = json.loads(shown[5])
    assert shown_second["memory"].pop("…")
    assert second["superseded"] == first["id"]
    assert shown_second["memory"].items() <= {**second["memory"], "id": shown_second["id"]}.items()
    relation, shown_relation = second["relations"][0], shown_second["relations"][0]
    assert {**relation, "targetId": shown_relation["targetId"]} == shown_relation
    assert set(second) == set(shown_second)
    [listed] = replies_to(requests[5], tmp_path, server_in_use)
    assert second["id"] in [memory["id"] for memory in listed["memories"]]


def test_the_page_of_concepts(server_in_use: Server, tmp_path: Path) -> None:
    page = (ROOT / "docs/concepts.md").read_text()
    lines = re.findall(r"^    (remem .*)$", page, re.M)
    assert len(lines) == 3
    assert run_shell(lines[0], tmp_path, server_in_use).startswith("Saved:")
    # A job creates memories from it.
    with Remem(server_in_use.url, server_in_use.owner_key) as memory:
        until(lambda: "cabin by the lake" in str(memory.request("GET", "/api/memories")))
    listed, found = (run_shell(line, tmp_path, server_in_use) for line in lines[1:])
    statements = {line.rpartition("\t")[2] for line in listed.splitlines()}
    assert statements >= {
        "Anna is allergic to peanuts.",
        "We chose the cabin by the lake for July.",
    }
    assert "Anna is allergic to peanuts." in found


INTEGRATIONS = {
    "RememRetriever": "PostgreSQL",
    "RememStore": "allergic to peanuts",
    "RememMemoryBlock": "allergic to hazelnuts",
    "RememSession": "My router blinks red.",
    "remem_toolset": "recall_memories",
}


@pytest.mark.parametrize("name", INTEGRATIONS)
def test_a_framework(server_in_use: Server, tmp_path: Path, name: str) -> None:
    pages = blocks("docs/integrations.md", "python")
    assert len(pages) == len(INTEGRATIONS)
    code = next(block for block in pages if name in block)
    assert INTEGRATIONS[name] in run_python(code, tmp_path, server_in_use.data_dir)


def test_every_command_that_connects_an_assistant(server_in_use: Server, tmp_path: Path) -> None:
    for folder in (".claude", ".cursor", ".config/zed"):
        (tmp_path / folder).mkdir(parents=True)
    lines = re.findall(r"^    (remem install.*)$", (ROOT / "docs/install.md").read_text(), re.M)
    assert len(lines) >= 7
    for line in lines:
        run_shell(line, tmp_path, server_in_use)
    assert "remem" in json.loads((tmp_path / ".cursor" / "mcp.json").read_text())["mcpServers"]


def mcp_entry(number: int, server: Server) -> dict[str, Any]:
    printed = blocks("docs/mcp.md", "json")[number].replace(PRINTED_URL, server.url)
    printed = printed.replace("/path/to/remem", str(BIN / "remem"))
    return json.loads(printed.replace("mc_…", server.owner_key))["mcpServers"]["remem"]


@pytest.mark.anyio
async def test_an_assistant_that_starts_remem(server_in_use: Server) -> None:
    entry = mcp_entry(0, server_in_use)
    env = {**os.environ, "REMEM_DATA_DIR": str(server_in_use.data_dir)}
    program = StdioServerParameters(command=entry["command"], args=entry["args"], env=env)
    async with Client(stdio_client(program)) as client:
        reply = await client.call_tool("recall", {"query": "what is on Friday evening?"})
    assert not reply.is_error
    assert "pizza" in reply.content[0].text


@pytest.mark.anyio
async def test_an_assistant_that_connects_over_http(server_in_use: Server) -> None:
    entry = mcp_entry(1, server_in_use)
    async with (
        httpx2.AsyncClient(headers=entry["headers"], timeout=60) as http,
        Client(streamable_http_client(entry["url"], http_client=http)) as client,
    ):
        reply = await client.call_tool("search_memory", {"query": "where does Jonas live?"})
    assert not reply.is_error
    assert "Bergen" in reply.content[0].text
