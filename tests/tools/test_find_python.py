"""`.venv` is created with the newest Python of the machine, unless another is clearly faster."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "find_python.py"


class Machine:
    """A machine whose PATH has only the Pythons that a test puts there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folders = [root / "first", root / "second"]
        for folder in self.folders:
            folder.mkdir()

    def put(self, name: str, script: str, folder: int = 0) -> str:
        program = self.folders[folder] / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return str(program)

    def find(self, *words: str) -> "subprocess.CompletedProcess[str]":
        path = os.pathsep.join(map(str, self.folders))
        command = [sys.executable, str(SCRIPT), *words]
        return subprocess.run(
            command, env={"PATH": path}, capture_output=True, text=True, timeout=60
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_newest_of_those_that_are_as_fast(machine: Machine) -> None:
    machine.put("python3", "echo 0.010")
    machine.put("python3.11", "echo 0.010")
    newest = machine.put("python3.12", "echo 0.011")
    assert machine.find().stdout == f"{newest}\n"


def test_one_without_optimization_is_passed_over(machine: Machine) -> None:
    machine.put("python3.13", "echo 0.016")
    machine.put("python3.11", "echo 0.020")
    fast = machine.put("python3.11", "echo 0.010", folder=1)
    assert machine.find().stdout == f"{fast}\n"


def test_one_that_cannot_be_used_is_passed_over(machine: Machine) -> None:
    machine.put("python3.13", "exit 127")
    machine.put("python3.12", "exit 4")
    machine.put("python3", "exit 3")
    machine.put("python3.12", "echo no number", folder=1)
    usable = machine.put("python3.11", "echo 0.010")
    assert machine.find().stdout == f"{usable}\n"


def test_one_program_may_be_several_versions(machine: Machine) -> None:
    """A version manager's program chooses the version by the name that it is called with."""
    program = machine.put("manager", 'case "$0" in *3.13) exit 127;; *) echo 0.010;; esac')
    for name in ("python3.13", "python3.12"):
        (machine.folders[1] / name).symlink_to(program)
    assert machine.find().stdout == f"{machine.folders[1] / 'python3.12'}\n"


def test_the_environment_is_not_recreated_from_itself(machine: Machine) -> None:
    machine.folders = [SCRIPT.parents[1] / ".venv" / "bin"]
    assert machine.find().returncode == 1


def test_the_requested_python_is_used(machine: Machine) -> None:
    machine.put("python3.11", "echo 0.010")
    requested = machine.put("python3.12", "echo 0.020")
    assert machine.find("python3.12").stdout == f"{requested}\n"
    assert machine.find(requested).stdout == f"{requested}\n"


@pytest.mark.parametrize(
    ("status", "message"),
    [(3, "Python 3.11 or newer is needed"), (4, "apt install python3-venv"), (1, "is needed")],
)
def test_a_missing_requirement_is_named(machine: Machine, status: int, message: str) -> None:
    machine.put("python3", f"exit {status}")
    result = machine.find()
    assert (result.returncode, result.stdout) == (1, "")
    assert message in result.stderr


def test_a_machine_without_any_python(machine: Machine) -> None:
    assert "is needed" in machine.find().stderr
    assert machine.find("python3.12").stderr == "There is no python3.12.\n"
    assert machine.find("/nowhere/python3").returncode == 1


def test_a_real_python_passes_the_check(machine: Machine) -> None:
    """The timed work runs on a real Python."""
    this = machine.put("python3.11", f'exec "{sys.executable}" "$@"')
    assert machine.find().stdout == f"{this}\n"
