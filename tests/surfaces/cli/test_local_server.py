"""Commands find the server that uses their data folder, and trust nothing else there."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from remem.client import local_server
from remem.client.local_server import database_id, describe, find_server, listen, withdraw
from tests.conftest import Server
from tests.surfaces.cli.running import Shell

HEAVY_MODULES = (
    "remem.app",
    "remem.settings",
    "remem.bootstrap",
    "asyncpg",
    "onnxruntime",
    "numpy",
)
SCRIPT = """
import sys
from remem.__main__ import main
sys.argv = ["remem", *{words!r}]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print([name for name in {heavy!r} if name in sys.modules])
"""


@pytest.fixture
def folder(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REMEM_DATA_DIR", str(data_dir))
    return data_dir


@pytest.fixture
def listening(folder: Path):
    """A server's socket without a server."""
    listener = listen(folder)
    assert listener
    path = listener.getsockname()
    yield listener
    withdraw(path)
    listener.close()


def announce(listening: socket.socket, *, worker: bool = True, database: str = "embedded") -> None:
    describe(listening, url="http://127.0.0.1:8080", version="1", worker=worker, database=database)


def run_and_list_heavy_modules(
    words: list[str], environment: dict[str, str], tmp_path: Path
) -> str:
    """The output of a command, followed by a line with the heavy modules that it imported."""
    completed = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(words=words, heavy=HEAVY_MODULES)],
        env={**os.environ, "HOME": str(tmp_path), **environment},
        capture_output=True,
        text=True,
    )
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


@pytest.mark.parametrize("words", [["projects", "list"], ["status"], ["save", "By the socket."]])
def test_a_command_uses_the_server_on_its_data_folder(
    server: Server, tmp_path: Path, words: list[str]
) -> None:
    printed = run_and_list_heavy_modules(words, {"REMEM_DATA_DIR": str(server.data_dir)}, tmp_path)
    assert printed.endswith("[]\n"), printed


def test_the_version_is_printed_without_loading_anything(tmp_path: Path) -> None:
    printed = run_and_list_heavy_modules(["--version"], {}, tmp_path)
    assert printed.startswith("remem 0.") and printed.endswith("[]\n")


def test_status_reports_folder_servers_and_statistics(server: Server, tmp_path: Path) -> None:
    shell = Shell(tmp_path, {"REMEM_DATA_DIR": str(server.data_dir)})
    status = json.loads(shell.piped("status", "--json").out)
    assert status["data_dir"] == str(server.data_dir)
    assert [entry["url"] for entry in status["servers"]] == [server.url]
    assert status["servers"][0]["pid"] == server.process.pid
    assert set(status["stats"]["jobs_by_status"]) <= {"pending", "processing", "failed"}
    assert server.url in shell.piped("status").out


def test_status_creates_no_store(fresh: Shell, data_dir: Path) -> None:
    result = fresh.piped("status")
    assert result.code == 0 and "There is no store yet" in result.out
    assert list(data_dir.iterdir()) == []


def test_status_fails_when_the_given_server_does_not_answer(fresh: Shell) -> None:
    assert fresh.piped("status", "--url", "http://127.0.0.1:1", "--key", "x").code == 4


def test_a_server_is_found_while_it_is_announced(listening: socket.socket) -> None:
    assert find_server() is None
    announce(listening)
    server = find_server()
    assert server and server.socket == listening.getsockname() and server.pid == os.getpid()
    withdraw(listening.getsockname())
    assert find_server() is None


def test_the_socket_of_a_killed_server_is_ignored_and_removed_by_the_next(
    folder: Path, listening: socket.socket
) -> None:
    announce(listening)
    listening.close()
    assert find_server() is None
    following = listen(folder)
    assert following
    names = {path.name for path in (folder / "servers").iterdir()}
    assert names == {Path(following.getsockname()).name}
    withdraw(following.getsockname())
    following.close()


def test_a_description_or_socket_of_another_user_is_not_trusted(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce(listening)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert find_server() is None


def test_a_process_of_another_user_behind_the_socket_is_not_trusted(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce(listening)
    monkeypatch.setattr(local_server, "_peer_user", lambda _: os.geteuid() + 1)
    assert find_server() is None


def test_a_folder_that_others_can_enter_is_not_trusted(
    folder: Path, listening: socket.socket
) -> None:
    announce(listening)
    (folder / "servers").chmod(0o755)
    assert find_server() is None


def test_a_description_that_names_another_socket_is_not_trusted(
    listening: socket.socket, folder: Path
) -> None:
    announce(listening)
    file = next((folder / "servers").glob("*.json"))
    file.write_text(json.dumps({**json.loads(file.read_text()), "socket": "/tmp/other.sock"}))
    assert find_server() is None
    file.write_text("{not json")
    assert find_server() is None


def test_a_server_with_another_database_or_without_a_worker_is_ignored(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce(listening, worker=False)
    assert find_server() is None
    announce(listening)
    assert find_server()
    monkeypatch.setenv("REMEM_DATABASE_URL", "postgresql://elsewhere/other")
    assert find_server() is None
    announce(listening, database=database_id("postgresql://elsewhere/other"))
    assert find_server()


def test_the_data_folder_in_the_settings_file_is_used(
    listening: socket.socket, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce(listening)
    monkeypatch.delenv("REMEM_DATA_DIR")
    monkeypatch.setenv("REMEM_CONFIG_DIR", str(tmp_path))
    (tmp_path / "config.toml").write_text(f'data_dir = "{folder}"\n')
    assert find_server()


def test_the_socket_of_a_long_path_is_elsewhere(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = data_dir / ("d" * 120)
    monkeypatch.setenv("REMEM_DATA_DIR", str(deep))
    listener = listen(deep)
    assert listener
    try:
        announce(listener)
        assert find_server() and not (deep / "servers").exists()
    finally:
        withdraw(listener.getsockname())
        listener.close()
        local_server.socket_folder(deep).rmdir()
