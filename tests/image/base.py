"""Make a base image like Docker's `python:3.13-slim`, from packages of Debian alone."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.image.engine import Engine

BASE = "localhost/remem-test-base"
RELEASE = "trixie"
PYTHON = "python3.13"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# What images of Debian have no need for.
UNUSED = ("usr/share/doc", "usr/share/man", "usr/share/locale", "var/lib/apt/lists", "var/log")
NO_ARCHIVES = 'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache ""; Dir::Cache::archives "/tmp/";\n'


def missing_programs(*, needs_base: bool) -> str:
    """Why the image cannot be tested here, or nothing."""
    for program in ("podman", "debootstrap")[: 1 + needs_base]:
        if shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") is None:
            return f"{program} is not installed"
    return "debootstrap needs root" if needs_base and os.geteuid() else ""


def make_base(engine: Engine) -> str:
    """The name of the image, which is made once."""
    if engine.attempt("image", "exists", BASE).returncode:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            root = Path(folder, "root")
            _install(root)
            _import(engine, root)
    return BASE


def _install(root: Path) -> None:
    packages = f"ca-certificates,{PYTHON},{PYTHON}-venv"
    words = ["debootstrap", "--variant=minbase", f"--include={packages}", RELEASE, str(root)]
    process = subprocess.run(words, capture_output=True, text=True, check=False)
    if process.returncode:
        raise SystemExit(f"debootstrap failed:\n{process.stdout[-2_000:]}")
    for name in UNUSED:
        shutil.rmtree(root / name, ignore_errors=True)
        (root / name).mkdir()
    for archive in (root / "var/cache/apt/archives").glob("*.deb"):
        archive.unlink()
    (root / "etc/apt/apt.conf.d/docker-clean").write_text(NO_ARCHIVES)
    for name in ("python", "python3"):
        (root / "usr/local/bin" / name).symlink_to(f"/usr/bin/{PYTHON}")


def _import(engine: Engine, root: Path) -> None:
    with tempfile.NamedTemporaryFile(dir="/var/tmp", suffix=".tar") as archive:
        subprocess.run(["tar", "-C", root, "-cf", archive.name, "."], check=True)
        engine("import", "--change", f"ENV PATH={PATH}", archive.name, BASE)
