"""`.venv` is made with the newest Python of the machine, unless another is clearly faster."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "find_python.py"


class Machine:
    """One whose path has only the Pythons that a test puts there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folders = [root / "first", root / "second"]
        for folder in self.folders:
            folder.mkdir()

    def put(self, name: str, does: str, folder: int = 0) -> str:
        program = self.folders[folder] / name
        program.write_text(f"#!/bin/sh\n{does}\n")
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


def test_one_program_may_be_several(machine: Machine) -> None:
    """A version manager's goes by the name that it is called by."""
    program = machine.put("manager", 'case "$0" in *3.13) exit 127;; *) echo 0.010;; esac')
    for name in ("python3.13", "python3.12"):
        (machine.folders[1] / name).symlink_to(program)
    assert machine.find().stdout == f"{machine.folders[1] / 'python3.12'}\n"


def test_the_environment_that_is_made_anew_is_not_made_of_itself(machine: Machine) -> None:
    machine.folders = [SCRIPT.parents[1] / ".venv" / "bin"]
    assert machine.find().returncode == 1


def test_the_one_that_was_asked_for_is_taken(machine: Machine) -> None:
    machine.put("python3.11", "echo 0.010")
    asked = machine.put("python3.12", "echo 0.020")
    assert machine.find("python3.12").stdout == f"{asked}\n"
    assert machine.find(asked).stdout == f"{asked}\n"


@pytest.mark.parametrize(
    ("ended", "said"),
    [(3, "Python 3.11 or newer is needed"), (4, "apt install python3-venv"), (1, "is needed")],
)
def test_what_is_missing_is_said(machine: Machine, ended: int, said: str) -> None:
    machine.put("python3", f"exit {ended}")
    found = machine.find()
    assert (found.returncode, found.stdout) == (1, "")
    assert said in found.stderr


def test_a_machine_without_any(machine: Machine) -> None:
    assert "is needed" in machine.find().stderr
    assert machine.find("python3.12").stderr == "There is no python3.12.\n"
    assert machine.find("/nowhere/python3").returncode == 1


def test_the_check_takes_this_one(machine: Machine) -> None:
    """The work that is timed runs on a real Python."""
    this = machine.put("python3.11", f'exec "{sys.executable}" "$@"')
    assert machine.find().stdout == f"{this}\n"
