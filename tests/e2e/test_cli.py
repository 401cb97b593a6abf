"""Commands as a person or a program runs them, without a server."""

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from remem.core.chunking.split import estimate_tokens
from tests.conftest import Person
from tests.tools.preloaded import run_remem
from tests.tools.running_database import running_database


def remem(data_dir: Path, *words: str, stdin: str | None = None, **env: str):
    env = {**os.environ, "REMEM_DATA_DIR": str(data_dir), **env}
    return run_remem(*words, env=env, stdin=stdin, timeout=120)


def test_save_and_recall_with_no_server(data_dir: Path) -> None:
    saved = remem(data_dir, "save", "The spare key is under the blue pot", "--json")
    assert saved.returncode == 0, saved.stderr
    assert json.loads(saved.stdout)["status"] == "done"
    recalled = remem(data_dir, "recall", "where is the spare key?")
    assert recalled.returncode == 0
    assert "under the blue pot" in recalled.stdout
    assert recalled.stderr == ""
    piped = remem(data_dir, "save", "-", "--title", "From a pipe", stdin="Grüße aus der Röhre")
    assert "From a pipe" in piped.stdout
    again = remem(data_dir, "save", "The spare key is under the blue pot")
    assert "Known already" in again.stdout


def test_nothing_found_exits_with_three(data_dir: Path) -> None:
    recalled = remem(data_dir, "recall", "anything")
    assert recalled.returncode == 3
    assert recalled.stdout == "", "in a pipe there is a line for each hit, and no other"


def test_doctor_finds_nothing_wrong(data_dir: Path) -> None:
    checked = remem(data_dir, "doctor", "--json", REMEM_PORT="1")
    assert checked.returncode == 0, checked.stdout
    assert {"Database", "Embedding", "Queue", "Owner's key"} <= {
        check["name"] for check in json.loads(checked.stdout)
    }


def test_doctor_names_the_fix(data_dir: Path) -> None:
    blocked = data_dir / "file"
    blocked.write_text("in the way")
    checked = remem(blocked / "below", "doctor", "--json")
    assert checked.returncode == 1
    wrong = [check for check in json.loads(checked.stdout) if not check["ok"]]
    assert any("REMEM_DATA_DIR" in check["fix"] + check["says"] for check in wrong)


def test_a_taken_port_is_reported_in_one_sentence(data_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        started = remem(data_dir, "serve", "--port", port)
    assert started.returncode == 1
    assert port in started.stderr
    assert "--port" in started.stderr
    assert "Traceback" not in started.stderr


@pytest.mark.parametrize(
    ("name", "value"), [("REMEM_PORT", "abc"), ("REMEM_OCR", "eyes"), ("REMEM_POOL_SIZE", "0")]
)
@pytest.mark.parametrize("command", [["serve"], ["recall", "x"], ["doctor"]])
def test_a_wrong_setting_is_named(
    data_dir: Path, name: str, value: str, command: list[str]
) -> None:
    failed = remem(data_dir, *command, **{name: value})
    assert failed.returncode == 1
    assert name in failed.stderr
    assert "Traceback" not in failed.stderr


def test_a_store_from_a_newer_version_is_refused(data_dir: Path) -> None:
    assert remem(data_dir, "save", "before").returncode == 0
    (data_dir / "postgres/PG_VERSION").write_text("99\n")
    refused = remem(data_dir, "recall", "before")
    assert refused.returncode == 1
    assert "newer" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense", "postgresql://"),
        ("postgresql://nobody@127.0.0.1:1/none", "does not answer"),
    ],
)
def test_a_wrong_database_url_is_reported_in_one_sentence(
    data_dir: Path, url: str, says: str
) -> None:
    failed = remem(data_dir, "recall", "x", REMEM_DATABASE_URL=url)
    assert failed.returncode == 1
    assert says in failed.stderr
    assert "Traceback" not in failed.stderr


def test_commands_use_the_configured_server(person: Person, data_dir: Path) -> None:
    env = {"REMEM_URL": str(person.http.base_url), "REMEM_KEY": person.key}
    assert remem(data_dir, "save", "Kept on the server", **env).returncode == 0
    assert person.recall("kept")[0]["title"] == "Kept on the server"
    assert not (data_dir / "postgres").exists()


def test_no_server_at_that_address(data_dir: Path) -> None:
    failed = remem(data_dir, "recall", "x", "--url", "http://127.0.0.1:1", "--key", "mc_x")
    assert failed.returncode == 4
    assert "remem serve" in failed.stderr


@pytest.mark.parametrize("words", [["--help"], ["save", "--help"], ["serve", "--help"]])
def test_help(data_dir: Path, words: list[str]) -> None:
    assert remem(data_dir, *words).returncode == 0


@pytest.fixture
def database(data_dir: Path) -> Iterator[None]:
    with running_database(data_dir):
        yield


@pytest.mark.usefixtures("database")
def test_a_context_for_a_model_is_piped(data_dir: Path) -> None:
    assert remem(data_dir, "save", "The harbour [red] closes at six.").returncode == 0
    long = "The harbour, at length. " * 60
    assert remem(data_dir, "save", long, "--title", "Long").returncode == 0
    recall = ["recall", "when does the harbour close?", "--mode", "fast", "--tokens", "200"]
    recalled = remem(data_dir, *recall)
    assert recalled.returncode == 0, recalled.stderr
    assert recalled.stderr == ""
    assert "The harbour [red] closes at six." in recalled.stdout.splitlines()
    assert "\x1b" not in recalled.stdout
    assert 0 < estimate_tokens(recalled.stdout) <= 200
    body = json.loads(remem(data_dir, *recall, "--json").stdout)
    assert body["context"]["text"] == recalled.stdout.rstrip("\n")
    assert body["context"]["left_out"] > 0
    nothing = remem(data_dir, "recall", "zebra", "--mode", "fast", "--tokens", "200")
    assert nothing.returncode == 3
    assert nothing.stdout == ""


@pytest.mark.parametrize(
    ("option", "value"), [("--mode", "slow"), ("--tokens", "49"), ("--tokens", "100001")]
)
def test_a_wrong_option_is_named(data_dir: Path, option: str, value: str) -> None:
    refused = remem(data_dir, "recall", "x", option, value)
    assert refused.returncode == 2
    assert option in refused.stderr
    assert not (data_dir / "postgres").exists()
