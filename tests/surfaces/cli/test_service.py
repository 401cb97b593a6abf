"""remem starts at login, keeps a log of limited size, and goes without a trace."""

import os
import plistlib
import subprocess
import sys
from pathlib import Path

import pytest

from remem import logs
from remem.surfaces.cli.at_login.definition import Definition, launchd_agent, systemd_unit
from tests.surfaces.cli.running import Shell
from tests.tools import user_systemd

ROOT = Path(__file__).parents[3]


@pytest.fixture
def user(fresh: Shell, tmp_path: Path) -> Shell:
    """A user of systemd, whose folders have spaces and other letters in their names."""
    home = tmp_path / "Zuhause von Jürgen 100%"
    home.mkdir()
    programs = user_systemd.install(tmp_path / "bin")
    environment = {
        **fresh.environment,
        "XDG_CONFIG_HOME": str(home / "settings"),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))),
    }
    environment.pop("REMEM_PORT")
    return Shell(home, environment)


def test_it_runs_from_login_until_it_is_uninstalled(user: Shell) -> None:
    assert user.piped("config", "set", "port", "0").code == 0
    installed = user.piped("service", "install", REMEM_RATE_LIMIT="200")
    assert installed.code == 0 and "remem runs at http://127.0.0.1:" in installed.out
    assert "REMEM_RATE_LIMIT counts only in this terminal" in installed.err
    unit = user.home / "settings" / "systemd" / "user" / "remem.service"
    try:
        assert unit.exists() and "Restart=on-failure" in unit.read_text(encoding="utf-8")
        again = user.piped("service", "install")
        assert again.code == 2 and "remem runs already at" in again.err
        status = user.piped("service", "status")
        assert "active" in status.out and "http://127.0.0.1:" in status.out
        assert "remem is ready at" in user.piped("service", "logs").out
    finally:
        removed = user.piped("service", "uninstall")
    assert removed.code == 0 and "no longer starts at login" in removed.out
    assert not unit.exists()
    assert user.piped("service", "uninstall").code == 3


def test_a_service_that_cannot_start_says_why(user: Shell) -> None:
    assert user.piped("config", "set", "llm_provider", "ollama").code == 0
    result = user.piped("service", "install")
    assert result.code == 1 and result.err.count("\n") == 1
    assert "remem does not start (REMEM_LLM_MODEL is not set" in result.err


def test_without_a_service_manager_it_says_what_to_do(fresh: Shell, tmp_path: Path) -> None:
    result = fresh.piped("service", "install", PATH=str(tmp_path))
    assert result.code == 1 and "@reboot" in result.err and result.err.count("\n") == 1


def test_both_definitions_have_the_words_as_they_are() -> None:
    words = ['/home/Jürgen Ä/100%/re"mem', "serve"]
    definition = Definition(words, {"REMEM_DATA_DIR": "/a b/$HOME\\%h"})
    unit = systemd_unit(definition)
    assert 'ExecStart="/home/Jürgen Ä/100%%/re\\"mem" "serve"' in unit
    assert 'Environment="REMEM_DATA_DIR=/a b/$HOME\\\\%%h"' in unit
    agent = plistlib.loads(launchd_agent("org.remem.serve", definition).encode())
    assert agent["ProgramArguments"] == words and agent["RunAtLoad"]
    assert agent["EnvironmentVariables"] == {"REMEM_DATA_DIR": "/a b/$HOME\\%h"}


_FILL = """
import sys
from pathlib import Path
from remem import logs
logs.MAX_BYTES = 1_000
log = logs.LogFile(Path(sys.argv[1]))
for number in range(2_000):
    log.write(f"line {number:05}\\n")
"""


def test_a_full_log_is_set_aside_and_the_oldest_goes(tmp_path: Path) -> None:

    file = tmp_path / "logs" / "remem.log"
    subprocess.run([sys.executable, "-c", _FILL, str(file)], check=True)
    kept = sorted(path.name for path in file.parent.iterdir())
    numbers = range(1, logs.KEPT_FILES + 1)
    assert kept == ["remem.log", *(f"remem.log.{number}" for number in numbers)]
    assert all(path.stat().st_size < 1_100 for path in file.parent.iterdir())
    newest = file.with_name("remem.log.1").read_text() + file.read_text()
    assert newest.splitlines()[-1] == "line 01999"
    assert oct(file.stat().st_mode)[-3:] == "600"
