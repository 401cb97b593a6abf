"""The virtual environments of the peers, created on first use and again when their pins change."""

import enum
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[1]
FOLDER = BENCH.parent / ".bench"


class Environment(enum.Enum):
    """`OWN` is that of basic-memory, whose packages are not those of the others."""

    SHARED = "peers"
    OWN = "basic-memory"


class NotInstalled(Exception):
    """The packages of the peers could not be installed."""


def environment(kind: Environment = Environment.SHARED, python: str | None = None) -> Path:
    """The Python of the environment; `python` creates that of basic-memory."""
    folder, pins = FOLDER / kind.value, BENCH / f"{kind.value}-requirements.txt"
    in_folder = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp, checksum = folder / "pins", hashlib.sha256(pins.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == checksum:
        return in_folder
    creator = sys.executable if kind is Environment.SHARED else _newer_python(python)
    print(f"Installing the peers into {folder}, once", flush=True)
    _run(creator, "-m", "venv", "--clear", str(folder))
    _run(
        str(in_folder), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-qq",
        "--no-deps", "-r", str(pins),
    )  # fmt: skip
    stamp.write_text(checksum)
    return in_folder


def _newer_python(chosen: str | None) -> str:
    candidates = [chosen] if chosen else [sys.executable, "python3.13", "python3.12"]
    for python in candidates:
        # A shim of pyenv is found, but fails.
        check = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 12))"]
        if shutil.which(python) and not subprocess.run(check, capture_output=True).returncode:
            return python
    raise NotInstalled("it needs Python 3.12; name one with --python.")


def _run(*command: str) -> None:
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        lines = process.stderr.strip().splitlines() or ["no reason given"]
        raise NotInstalled(lines[-1])
