"""The virtual environment of the peers, created on first use and again when its pins change."""

import hashlib
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[1]
PINS = BENCH / "peers-requirements.txt"
FOLDER = BENCH.parent / ".bench" / "peers"


class NotInstalled(Exception):
    """The packages of the peers could not be installed."""


def environment() -> Path:
    """The Python of the environment."""
    python = FOLDER / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp, pins = FOLDER / "pins", hashlib.sha256(PINS.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == pins:
        return python
    print(f"Installing the peers into {FOLDER}, once", flush=True)
    _run(sys.executable, "-m", "venv", "--clear", str(FOLDER))
    _run(
        str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-qq",
        "--no-deps", "-r", str(PINS),
    )  # fmt: skip
    stamp.write_text(pins)
    return python


def _run(*command: str) -> None:
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        lines = process.stderr.strip().splitlines() or ["no reason given"]
        raise NotInstalled(lines[-1])
