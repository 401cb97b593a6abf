"""Packages are installed from pip's configured sources, by uv or by pip itself."""

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "install_packages.py"
LISTED = """:env:.disable-pip-version-check='1'
:env:.find-links='/wheels /more'
global.cert='/etc/ssl/ours.crt'
global.extra-index-url='https://one.example/simple\\nhttps://two.example/simple'
global.find-links='/elsewhere'
global.index-url='https://everybody.example/simple'
install.index-url='https://ours.example/simple'
"""


@pytest.fixture
def installing(tmp_path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("install_packages", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.UNFINISHED = tmp_path / "installing"
    return module


def test_uv_uses_the_sources_that_pip_would(installing: ModuleType) -> None:
    assert installing.settings_of_pip(LISTED) == {
        "UV_FIND_LINKS": "/wheels,/more",
        "UV_DEFAULT_INDEX": "https://ours.example/simple",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "SSL_CERT_FILE": "/etc/ssl/ours.crt",
    }


def test_uv_itself_is_pinned_with_its_sums(installing: ModuleType) -> None:
    pins = installing.pins_of((SCRIPT.parents[1] / "requirements-dev.lock").read_text(), "uv")
    assert pins.startswith("uv==") and pins.count("--hash=sha256:") > 3
    assert pins.count("==") == 1


class Programs:
    """Replaces `subprocess.run`; commands that contain one of the words `failing` fail."""

    def __init__(self, *failing: str) -> None:
        self.failing, self.commands = failing, list[list[str]]()

    def __call__(self, command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        self.commands.append(command)
        fails = any(word in self.failing for word in command)
        return subprocess.CompletedProcess(command, int(fails), LISTED, "")


@pytest.mark.parametrize(
    ("failing", "by"),
    [((), "uv"), (("--only-binary",), "pip"), (("--no-config",), "pip")],
    ids=["by uv", "uv cannot be fetched", "uv fails"],
)
def test_pip_does_what_uv_cannot(
    installing: ModuleType, monkeypatch: pytest.MonkeyPatch, failing: tuple[str, ...], by: str
) -> None:
    programs = Programs(*failing)
    monkeypatch.setattr(installing.subprocess, "run", programs)
    assert installing.install([installing.COMPILE, "-r", "some.lock"]) == 0
    last = programs.commands[-1]
    assert last[-2:] == ["-r", "some.lock"]
    # An installation that uv started is not treated as complete.
    assert ("--force-reinstall" in last) == (failing == ("--no-config",))
    assert (Path(last[0]).name == "uv") == (by == "uv") == (installing.COMPILE in last)


def test_a_failure_of_uv_and_pip_is_an_error(
    installing: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installing.subprocess, "run", Programs("some.lock"))
    assert installing.install(["-r", "some.lock"]) == 1


@pytest.mark.parametrize(
    ("failing", "word"), [((), "--reinstall"), (("--only-binary",), "--force-reinstall")]
)
def test_an_interrupted_installation_is_repeated(
    installing: ModuleType, monkeypatch: pytest.MonkeyPatch, failing: tuple[str, ...], word: str
) -> None:
    def interrupt(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        if "some.lock" in command:
            raise KeyboardInterrupt
        return subprocess.CompletedProcess(command, 0, LISTED, "")

    monkeypatch.setattr(installing.subprocess, "run", interrupt)
    monkeypatch.setattr(installing.sys, "argv", ["", "-r", "some.lock"])
    assert installing.main() == 130
    for expected in (True, False):
        programs = Programs(*failing)
        monkeypatch.setattr(installing.subprocess, "run", programs)
        assert installing.main() == 0
        assert (word in programs.commands[-1]) == expected
