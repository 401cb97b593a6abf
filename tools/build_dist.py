"""Builds the wheel and the sdist into dist/. The same sources give the same bytes.

They are built from a copy of the tracked files, the models of the manifest in `fetch_models.py` and
the built web app and extension: no other file of the folder can get into them."""

import argparse
import hashlib
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = ("src/remem/web/dist", "src/remem/web/extension")
MODELS = "src/remem/models"
BUILDER = (sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel")
INSTALL = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-qq")
# 1 January 2020: archives have no other time in them.
MOMENT = "1577836800"


def build(root: Path, target: Path) -> list[Path]:
    """Build both; return their paths."""
    target.mkdir(parents=True, exist_ok=True)
    for old in (*target.glob("remem-*.whl"), *target.glob("remem-*.tar.gz")):
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="remem-dist-") as folder:
        copy = Path(folder) / "remem"
        _copy_sources(root, copy)
        builder = _install_builder(root, Path(folder) / "builder")
        subprocess.run(
            [*BUILDER, "-d", str(target.resolve())],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(builder), "SOURCE_DATE_EPOCH": MOMENT},
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return sorted(target.glob("remem-*"))


def _install_builder(root: Path, folder: Path) -> Path:
    """Install the pinned version of hatchling: another one may write other metadata."""
    options = ("-qq", "--disable-pip-version-check", "--no-input", "--require-hashes")
    lock = root / "tools" / "build-requirements.lock"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            *options,
            "--target",
            str(folder),
            "-r",
            str(lock),
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return folder


def _copy_sources(root: Path, copy: Path) -> None:
    for name in _tracked(root):
        _copy(root / name, copy / name)
    for name in BUILT:
        if (root / name).is_dir():
            shutil.copytree(root / name, copy / name, dirs_exist_ok=True)
    fetching = runpy.run_path(str(root / "tools" / "fetch_models.py"))
    # Also those that only other machines need.
    fetching["fetch"](root / MODELS)
    for weight in fetching["WEIGHTS"]:
        _copy(root / MODELS / weight.target, copy / MODELS / weight.target)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    # Modes depend on the umask of whoever cloned; only whether a file is a program counts.
    target.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)


def _tracked(root: Path) -> list[str]:
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    return [name for name in listing.split("\0") if name and (root / name).is_file()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path, nargs="?", default=ROOT / "dist")
    for file in build(ROOT, parser.parse_args().target):
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        print(f"{file.name}  {file.stat().st_size / 1e6:.1f} MB  sha256 {digest}")


if __name__ == "__main__":
    main()
