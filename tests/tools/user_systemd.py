"""A `systemctl` that starts units as systemd does for a user, where no systemd runs."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"')
_PROGRAM = """#!/bin/sh
exec "{python}" "{module}" "{state}" "$@"
"""


def install(folder: Path) -> Path:
    """Write the programs to a folder for PATH."""
    folder.mkdir()
    program = folder / "systemctl"
    text = _PROGRAM.format(python=sys.executable, module=__file__, state=folder / "state")
    program.write_text(text)
    program.chmod(0o755)
    return folder


def _words(text: str, *, is_command: bool = False) -> list[str]:
    words = (re.sub(r"\\(.)", r"\1", word).replace("%%", "%") for word in _WORD.findall(text))
    return [word.replace("$$", "$") if is_command else word for word in words]


def _values(unit: str, name: str) -> list[str]:
    return [line.partition("=")[2] for line in unit.splitlines() if line.startswith(f"{name}=")]


def _start(unit: Path, state: Path) -> None:
    text = unit.read_text(encoding="utf-8")
    [command] = _values(text, "ExecStart")
    pairs = (_words(value)[0].split("=", 1) for value in _values(text, "Environment"))
    process = subprocess.Popen(
        _words(command, is_command=True),
        env={"HOME": os.environ["HOME"], "PYTHONPATH": os.environ["PYTHONPATH"], **dict(pairs)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    state.write_text(str(process.pid))


def _is_running(state: Path) -> bool:
    try:
        status = Path(f"/proc/{state.read_text()}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def main(state: Path, words: list[str]) -> int:
    unit = Path(os.environ["XDG_CONFIG_HOME"], "systemd", "user", "remem.service")
    match words:
        case ["--user", "show-environment" | "daemon-reload"] | ["--user", "enable", _]:
            return 0
        case ["--user", "restart", _]:
            _start(unit, state)
        case ["--user", "disable", "--now", _]:
            os.kill(int(state.read_text()), signal.SIGTERM)
        case ["--user", "show", _, "--property=ActiveState", "--value"]:
            sys.stdout.write("active" if _is_running(state) else "inactive")
        case ["--user", "show", _, "--property=SubState", "--value"]:
            sys.stdout.write("running" if _is_running(state) else "auto-restart")
        case _:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
