"""Commands on this machine, without any configuration."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Person, start_server, stop_server
from tests.surfaces.cli.running import REMEM, Shell


def test_a_fresh_user_saves_and_recalls(fresh: Shell) -> None:
    saved = fresh.piped("save", "The spare key is under the blue pot")
    assert (saved.code, saved.err) == (0, ""), saved
    recalled = fresh.terminal("recall", "where is the spare key?")
    assert recalled.code == 0
    assert "under the blue pot" in recalled.out
    nothing = fresh.piped("recall", "zzz", "--mode", "fast")
    assert (nothing.code, nothing.out, nothing.err) == (3, "", "Nothing found.\n")
    checked = fresh.terminal("doctor")
    assert checked.code == 0, checked
    assert "Owner's key" in checked.out


def test_commands_work_while_a_server_runs_on_the_same_folder(fresh: Shell, data_dir: Path) -> None:
    server = start_server(data_dir)
    try:
        assert fresh.piped("save", "Kept beside the server").code == 0
        env = {"REMEM_URL": server.url, "REMEM_KEY": server.owner_key}
        assert "Kept beside" in fresh.piped("recall", "beside the server", **env).out
        # An option takes precedence over the environment, and the store's own server is named.
        assert server.url in fresh.piped("whoami", "--url", "local", **env).out
        assert server.url in fresh.piped("whoami").out and server.url in fresh.piped("status").out
    finally:
        stop_server(server)
    assert "none; the store" in fresh.piped("whoami", "--url", "local", **env).out


def test_the_demo_shows_recall_and_does_not_touch_the_store(fresh: Shell, tmp_path: Path) -> None:
    result = fresh.piped("demo", "--folder", str(tmp_path / "sample"), "--json")
    assert result.code == 0, result
    body = json.loads(result.out)
    titles = [answer["title"] for answer in body["answers"]]
    assert titles[0] == "Notes on the boiler"
    assert titles[1] == "Postmortem: the checkout outage"
    assert titles[2] == "Grandmother's plum cake"
    assert [statement["status"] for statement in body["statements"]][1] == "updated"
    assert not list(Path(fresh.environment["REMEM_DATA_DIR"]).iterdir())


@pytest.mark.parametrize(
    ("words", "until"), [(["serve", "--port", "0"], "Ctrl-C stops it."), (["worker"], "Ctrl-C")]
)
def test_ctrl_c_ends_a_server_or_worker(fresh: Shell, words: list[str], until: str) -> None:
    result = fresh.terminal(*words, until=until)
    assert "Traceback" not in result.out, result.out
    # The worker prints it before it starts, and may be stopped before that.
    assert result.code in ((0,) if words[0] == "serve" else (0, 130)), result


def test_ctrl_c_ends_a_command_without_a_traceback(shell: Shell) -> None:
    """The command waits for standard input in a terminal without any input."""
    result = shell.terminal("login", "--key", "-", until="Key")
    assert result.code in (1, 130), result
    assert "Traceback" not in result.out


def test_mcp_prints_only_protocol_messages(shell: Shell) -> None:
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    result = shell.piped("mcp", stdin=json.dumps(request) + "\n")
    assert result.code == 0, result
    messages = [json.loads(line) for line in result.out.splitlines()]
    assert messages[0]["result"]["serverInfo"]["name"] == "remem"


def test_a_closed_output_pipe_is_not_an_error(shell: Shell, person: Person) -> None:
    # More than fits in one write.
    long = {"about": "something long " * 200}
    for number in range(3):
        person.save(f"Something short, number {number}.", metadata=long)
    command = f"{sys.executable} -m remem documents list --json | head -c 1"
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], env=shell.env(), capture_output=True, text=True
    )
    assert result.stdout == "[" or result.stdout == "{"
    assert result.stderr == ""


def test_a_signal_stops_a_save_without_a_traceback(shell: Shell, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*REMEM, "save", "-"],
        env=shell.env(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # The write ends only after the process has begun to read, because the pipe is full before.
    assert process.stdin is not None
    process.stdin.write("x" * 300_000)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr


def test_colours_are_for_terminals(shell: Shell, person: Person) -> None:
    person.save("The harbour closes at six.")
    assert "\x1b[" in shell.terminal("recall", "harbour").out
    assert "\x1b[1m" not in shell.terminal("documents", "list", NO_COLOR="1", TERM="dumb").out
    assert "\x1b[3" not in shell.terminal("memories", "get", "none", NO_COLOR="1").out
    assert "\x1b" not in shell.piped("recall", "harbour").out


def test_destructive_commands_ask_first(shell: Shell, person: Person) -> None:
    id = person.save("To be deleted or not.")["id"]
    piped = shell.piped("documents", "delete", id, "--permanently")
    assert (piped.code, "--yes" in piped.err) == (2, True)
    declined = shell.terminal("documents", "delete", id, "--permanently", answers="n\n")
    assert declined.code == 1
    assert "Nothing was changed" in declined.out
    assert person.http.get(f"/v3/documents/{id}").status_code == 200
    assert shell.terminal("documents", "delete", id, "--permanently", answers="y\n").code == 0
    missing = shell.piped("documents", "get", id)
    assert (missing.code, missing.out) == (3, "")


@pytest.mark.parametrize(
    ("words", "environment", "code"),
    [
        (["whoami"], {"REMEM_KEY": "mc_" + "x" * 32}, 4),
        (["whoami"], {"REMEM_URL": "http://127.0.0.1:1"}, 4),
        (["memories", "get", "01a1dd39-8350-7322-b10a-b46b274adaea"], {}, 3),
        (["memories", "get", "../keys"], {}, 3),
        (["memories", "get", "no-id"], {}, 1),
        (["memories", "edit", "x"], {}, 2),
        (["memories", "list", "--limit", "0"], {}, 2),
        (["config", "get", "nonsense"], {}, 2),
        (["config", "set", "port", "many"], {}, 2),
        (["install", "emacs"], {}, 2),
    ],
)
def test_exit_codes_mean_something(
    shell: Shell, words: list[str], environment: dict[str, str], code: int
) -> None:
    result = shell.piped(*words, **environment)
    assert result.code == code, result
    assert result.out == ""
    assert result.err.startswith("error") or "Usage" in result.err


def test_settings_are_stored_in_a_file_and_secrets_are_hidden(fresh: Shell) -> None:
    assert fresh.piped("config", "set", "REMEM_RATE_LIMIT", "7").code == 0
    assert fresh.piped("config", "set", "llm_key", "sk-hidden").code == 0
    file = fresh.home / "config/config.toml"
    file.write_text(f"# mine\n{file.read_text()}")
    assert file.stat().st_mode & 0o777 == 0o600
    assert fresh.piped("config", "get", "rate_limit").out == "7\n"
    assert fresh.piped("config", "get", "rate_limit", REMEM_RATE_LIMIT="9").out == "9\n"
    listed = {row["name"]: row for row in json.loads(fresh.piped("config", "list", "--json").out)}
    assert listed["rate_limit"]["from"] == str(file)
    assert "sk-hidden" not in str(listed)
    assert fresh.piped("config", "unset", "rate_limit").code == 0
    assert file.read_text() == '# mine\nllm_key = "sk-hidden"\n'
    file.write_text("rate_limit = [")
    broken = fresh.piped("config", "list")
    assert (broken.code, "config.toml" in broken.err) == (1, True)


def test_a_shell_completes_commands_and_options(fresh: Shell) -> None:
    script = fresh.piped(
        "--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1"
    )
    assert script.code == 0, script
    assert "_REMEM_COMPLETE" in script.out or "COMPLETE" in script.out
    program = Path(sys.executable).with_name("remem")
    words = {"COMP_WORDS": "remem memo", "COMP_CWORD": "1", "_REMEM_COMPLETE": "complete_bash"}
    completed = subprocess.run([program], env=fresh.env(**words), capture_output=True, text=True)
    assert completed.stdout.split() == ["memories"], completed


def test_a_command_imports_only_what_it_needs() -> None:
    heavy = ("httpx2", "pydantic", "pydantic_settings", "structlog", "fastapi", "numpy", "asyncpg")
    script = f"import sys, remem.__main__; print([n for n in {heavy!r} if n in sys.modules])"
    env = {**os.environ, "PYTHONPATH": ""}
    completed = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True
    )
    assert completed.stdout == "[]\n", completed


@pytest.mark.usefixtures("database")
def test_a_client_without_a_server_imports_only_the_v3_dialect(data_dir: Path) -> None:
    others = ("remem.surfaces.rest.v1", "remem.surfaces.rest.agent", "remem.surfaces.oauth.router")
    script = (
        "import asyncio, sys, remem\n"
        "async def ask():\n"
        "    async with remem.AsyncRemem() as memory:\n"
        "        await memory.stats()\n"
        "asyncio.run(ask())\n"
        f"print([name for name in {others!r} if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "REMEM_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
    )
    assert result.stdout.splitlines()[-1] == "[]", result


@pytest.mark.parametrize("words", [("status",), ("serve",), ("config", "list"), ("recall", "x")])
def test_a_folder_of_settings_that_cannot_be_looked_into_is_named(
    fresh: Shell, words: tuple[str, ...]
) -> None:
    """No account can look into this one; that of another user fails in the same way."""
    result = fresh.piped(*words, REMEM_CONFIG_DIR=f"/{'x' * 300}")
    assert result.code == 1, result
    assert "cannot be used (File name too long)" in result.err
    assert "Traceback" not in result.err and "REMEM_CONFIG_DIR" in result.err
