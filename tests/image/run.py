"""`make image-test`: build the image with podman, start it many times, and check what it promises.

python -m tests.image.run                       # over a base made by debootstrap, as root
python -m tests.image.run --base python:3.13-slim-trixie --starts 3
python -m tests.image.run --image localhost/remem       # one that is built
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.image.base import make_base, missing_programs
from tests.image.checks import CHECKS, Check, Setup
from tests.image.engine import Engine, find_engine
from tests.tools.programs import put_programs

ROOT = Path(__file__).parents[2]
IMAGE = "localhost/remem-test"
# Settings of the package registries on this machine, which the build may need too.
SECRETS = {
    "pip": ("PIP_CONFIG_FILE", "/etc/pip.conf"),
    "npm": ("NPM_CONFIG_USERCONFIG", "~/.npmrc"),
    "ca": ("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt"),
}
SIZES = "cd /; du -xm -d 1 usr opt/remem/lib/python3*/site-packages | sort -rn | head -25"


def main() -> int:
    options = _options()
    if reason := missing_programs(needs_base=not (options.base or options.image)):
        print(f"skipped: {reason}")
        return 0
    base = options.base or options.image or make_base(Engine())
    engine = find_engine(base)
    image = options.image or _build(engine, base)
    _print_size(engine, image)
    setup = Setup(engine, image, options.starts)
    with _programs():
        passed = [_passes(check, setup) for check in CHECKS if options.only in check.__name__]
    return 0 if all(passed) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Build the image, start it, and check it.")
    parser.add_argument("--starts", type=int, default=20, help="on fresh and on kept volumes")
    parser.add_argument("--base", help="a Debian image with Python 3.13; default: made here")
    parser.add_argument("--image", help="an image that is already built")
    parser.add_argument("--only", default="", help="checks with this in their name")
    return parser.parse_args()


@contextmanager
def _programs() -> Iterator[None]:
    """Those that make the samples are called by name."""
    with tempfile.TemporaryDirectory() as folder:
        put_programs(Path(folder))
        os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
        yield


def _build(engine: Engine, base: str) -> str:
    started_at = time.monotonic()
    with _context() as context:
        engine.build(context, IMAGE, ["--build-arg", f"BASE={base}", *_secrets()])
    print(f"built in {time.monotonic() - started_at:.0f} s", flush=True)
    return IMAGE


@contextmanager
def _context() -> Iterator[Path]:
    """A copy of what git would have: a working folder may have models or links of its own."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            if (ROOT / name).is_file():
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, Path(folder) / name)
        yield Path(folder)


def _secrets() -> list[str]:
    paths = {id: Path(os.environ.get(*names)).expanduser() for id, names in SECRETS.items()}
    present = {id: path for id, path in paths.items() if path.is_file()}
    return [word for id, path in present.items() for word in ("--secret", f"id={id},src={path}")]


def _print_size(engine: Engine, image: str) -> None:
    size = int(engine("image", "inspect", "--format", "{{.Size}}", image))
    print(f"{image}: {size / 1e6:.0f} MB")
    for line in engine("history", "--format", "{{.Size}}\t{{.CreatedBy}}", image).splitlines():
        if not line.startswith("0 B"):
            print(f"  {line[:96]}")
    listing = engine.run("--rm", "--network", "none", "--entrypoint", "sh", image, "-c", SIZES)
    print("the largest folders, in MB:\n" + listing.stdout, flush=True)


def _passes(check: Check, setup: Setup) -> bool:
    name = check.__name__.replace("_", " ")
    started_at = time.monotonic()
    try:
        said = check(setup)
    except Exception as error:
        print(f"FAILED  {name}: {error!r}", flush=True)
        return False
    print(f"ok      {name}: {said} [{time.monotonic() - started_at:.0f} s]", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
