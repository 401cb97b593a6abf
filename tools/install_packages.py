"""Installs what a lock pins, or this project itself, into the environment that runs this.

uv does it in a fifth of the work. pip fetches it; it asks the registries that pip is set up to use
and compares the same sums. Where it cannot be fetched, or fails, pip installs everything itself.

A package that was cut off in the middle looks installed to both. So a file says that something was
begun and did not end; with it, everything is installed anew."""

import ast
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input")
FETCH_UV = ("install", "-qq", "--no-deps", "--only-binary", ":all:", "--require-hashes")
# The settings of pip, and where uv looks for the same.
OF_UV = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "timeout": "UV_HTTP_TIMEOUT",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}
# What pip does unasked: modules are compiled before they are first imported.
COMPILE = "--compile-bytecode"
UNFINISHED = Path(sys.prefix) / ".installing"
# Of these the first that says something is followed.
SECTIONS = (":env:", "install", "global")
# A list that uv divides by commas, and pip by spaces.
BY_COMMAS = ("UV_FIND_LINKS",)


def settings_of_pip(listed: str) -> dict[str, str]:
    """From what `pip config list` prints, as the environment of uv."""
    found: dict[str, str] = {}
    for section in SECTIONS:
        for name, value in re.findall(rf"^{section}\.([\w-]+)=(.*)$", listed, re.M):
            if variable := OF_UV.get(name):
                found.setdefault(variable, _separated(variable, ast.literal_eval(value)))
    return found


def _separated(variable: str, value: str) -> str:
    return ("," if variable in BY_COMMAS else " ").join(value.split())


def pins_of(lock: str, package: str) -> str:
    """The lines of a lock that name a package and its sums."""
    found = re.search(rf"^{package}==[^\n]*(?:(?<=\\)\n[^\n]*)*", lock, re.M)
    return found.group() if found else ""


def commands(words: list[str], scratch: Path, *, anew: bool) -> Iterator[list[str]]:
    """To be tried by turns."""
    lines = scratch / "uv.lock"
    lines.write_text(pins_of((ROOT / "requirements-dev.lock").read_text(), "uv") + "\n")
    fetching = [*PIP, *FETCH_UV, "--target", str(scratch / "uv"), "-r", str(lines)]
    if subprocess.run(fetching, capture_output=True, check=False).returncode == 0:
        uv = [str(scratch / "uv" / "bin" / "uv"), "pip", "install", "--quiet", "--no-config"]
        here = ["--no-cache", "--python", sys.executable, "--index-strategy", "unsafe-best-match"]
        yield [*uv, *here, *(["--reinstall"] if anew else []), *words]
        print("uv could not install it; pip does, which takes longer.", file=sys.stderr)
        anew = True
    again = ["--force-reinstall"] if anew else []
    yield [*PIP, "install", "-qq", *again, *(word for word in words if word != COMPILE)]


def install(words: list[str]) -> int:
    listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False)
    environment = {**settings_of_pip(listed.stdout), **os.environ}
    anew = UNFINISHED.exists()
    UNFINISHED.touch()
    with tempfile.TemporaryDirectory(prefix="remem-install-") as scratch:
        for command in commands(words, Path(scratch), anew=anew):
            status = subprocess.run(command, env=environment, check=False).returncode
            if not status:
                UNFINISHED.unlink(missing_ok=True)
                break
    return status


def main() -> int:
    # What runs beside another `make` is ended so, and must not leave uv running.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = install(["--no-deps", *sys.argv[1:]])
    except KeyboardInterrupt:
        print("Interrupted. Run the same command again to install the rest.", file=sys.stderr)
        return 130
    if status:
        print("Not installed: is a package registry reachable? Run it again then.", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
