"""Commands of this machine, by somebody who has set nothing up."""

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
    found = fresh.terminal("recall", "where is the spare key?")
    assert found.code == 0
    assert "under the blue pot" in found.out
    nothing = fresh.piped("recall", "zzz", "--mode", "fast")
    assert (nothing.code, nothing.out, nothing.err) == (3, "", "Nothing found.\n")
    checked = fresh.terminal("doctor")
    assert checked.code == 0, checked
    assert "Owner's key" in checked.out


def test_commands_work_while_a_server_runs_on_the_same_folder(fresh: Shell, data_dir: Path) -> None:
    server = start_server(data_dir)
    try:
        assert fresh.piped("save", "Kept beside the server").code == 0
        there = {"REMEM_URL": server.url, "REMEM_KEY": server.owner_key}
        assert "Kept beside" in fresh.piped("recall", "beside the server", **there).out
        # An option counts more than the environment: this is the store, not the server.
        assert "none; the store" in fresh.piped("whoami", "--url", "local", **there).out
    finally:
        stop_server(server)


def test_the_demo_shows_recall_and_leaves_your_memory_alone(fresh: Shell, tmp_path: Path) -> None:
    shown = fresh.piped("demo", "--folder", str(tmp_path / "sample"), "--json")
    assert shown.code == 0, shown
    body = json.loads(shown.out)
    titles = [one["title"] for one in body["answers"]]
    assert titles[0] == "Notes on the boiler"
    assert titles[1] == "Postmortem: the checkout outage"
    assert titles[2] == "Grandmother's plum cake"
    assert [one["status"] for one in body["statements"]][1] == "updated"
    assert not list(Path(fresh.environment["REMEM_DATA_DIR"]).iterdir())


@pytest.mark.parametrize(
    ("words", "until"), [(["serve", "--port", "0"], "Ctrl-C stops it."), (["worker"], "Ctrl-C")]
)
def test_a_program_that_stays_ends_by_ctrl_c(fresh: Shell, words: list[str], until: str) -> None:
    ended = fresh.terminal(*words, until=until)
    assert "Traceback" not in ended.out, ended.out
    # The worker says so before it works, and may be stopped before it does.
    assert ended.code in ((0,) if words[0] == "serve" else (0, 130)), ended


def test_ctrl_c_ends_a_command_without_a_trace(shell: Shell) -> None:
    """It waits for standard input, in a terminal that nobody types into."""
    ended = shell.terminal("login", "--key", "-", until="Key")
    assert ended.code in (1, 130), ended
    assert "Traceback" not in ended.out


def test_an_assistant_gets_protocol_and_nothing_else(shell: Shell) -> None:
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    ran = shell.piped("mcp", stdin=json.dumps(asked) + "\n")
    assert ran.code == 0, ran
    body = [json.loads(line) for line in ran.out.splitlines()]
    assert body[0]["result"]["serverInfo"]["name"] == "remem"


def test_whoever_reads_may_go(shell: Shell, person: Person) -> None:
    # More than is written at once.
    long = {"about": "something long " * 200}
    for number in range(3):
        person.save(f"Something short, number {number}.", metadata=long)
    command = f"{sys.executable} -m remem documents list --json | head -c 1"
    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], env=shell.env(), capture_output=True, text=True
    )
    assert ran.stdout == "[" or ran.stdout == "{"
    assert ran.stderr == ""


def test_a_signal_stops_an_export_and_leaves_nothing(shell: Shell, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*REMEM, "save", "-"],
        env=shell.env(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # It has begun when it reads: what it has not read fills the pipe.
    assert process.stdin is not None
    process.stdin.write("x" * 300_000)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130, said
    assert "Traceback" not in said


def test_colours_are_for_terminals(shell: Shell, person: Person) -> None:
    person.save("The harbour closes at six.")
    assert "\x1b[" in shell.terminal("recall", "harbour").out
    assert "\x1b[1m" not in shell.terminal("documents", "list", NO_COLOR="1", TERM="dumb").out
    assert "\x1b[3" not in shell.terminal("memories", "get", "none", NO_COLOR="1").out
    assert "\x1b" not in shell.piped("recall", "harbour").out


def test_what_cannot_be_undone_is_asked(shell: Shell, person: Person) -> None:
    id = person.save("To be deleted or not.")["id"]
    piped = shell.piped("documents", "delete", id)
    assert (piped.code, "--yes" in piped.err) == (2, True)
    declined = shell.terminal("documents", "delete", id, answers="n\n")
    assert declined.code == 1
    assert "Nothing was changed" in declined.out
    assert person.http.get(f"/v3/documents/{id}").status_code == 200
    assert shell.terminal("documents", "delete", id, answers="y\n").code == 0
    gone = shell.piped("documents", "get", id)
    assert (gone.code, gone.out) == (3, "")


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
    ran = shell.piped(*words, **environment)
    assert ran.code == code, ran
    assert ran.out == ""
    assert ran.err.startswith("error") or "Usage" in ran.err


def test_settings_are_kept_in_a_file_and_secrets_not_shown(fresh: Shell) -> None:
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
    shown = fresh.piped(
        "--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1"
    )
    assert shown.code == 0, shown
    assert "_REMEM_COMPLETE" in shown.out or "COMPLETE" in shown.out
    program = Path(sys.executable).with_name("remem")
    asked = {"COMP_WORDS": "remem memo", "COMP_CWORD": "1", "_REMEM_COMPLETE": "complete_bash"}
    done = subprocess.run([program], env=fresh.env(**asked), capture_output=True, text=True)
    assert done.stdout.split() == ["memories"], done


def test_a_command_starts_without_what_it_does_not_need() -> None:
    heavy = ("httpx2", "pydantic", "pydantic_settings", "structlog", "fastapi", "numpy", "asyncpg")
    script = f"import sys, remem.__main__; print([n for n in {heavy!r} if n in sys.modules])"
    env = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True)
    assert done.stdout == "[]\n", done


@pytest.mark.usefixtures("database")
def test_a_command_in_its_own_process_loads_the_dialect_it_speaks(data_dir: Path) -> None:
    others = ("remem.surfaces.rest.v1", "remem.surfaces.rest.agent", "remem.surfaces.oauth.router")
    script = (
        "import asyncio, sys, remem\n"
        "async def ask():\n"
        "    async with remem.AsyncRemem() as memory:\n"
        "        await memory.stats()\n"
        "asyncio.run(ask())\n"
        f"print([name for name in {others!r} if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "REMEM_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
    )
    assert ran.stdout.splitlines()[-1] == "[]", ran
