"""Installs the packages of a lock, or this project itself, into the environment that runs this.

uv needs a fifth of pip's work. pip fetches uv, which uses the registries configured for pip and
checks the same hashes. If uv cannot be fetched, or fails, pip installs everything itself.

A package whose installation was interrupted looks installed to both. So a marker file exists while
an installation is running; if one is found, everything is reinstalled."""

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
# The settings of pip, and the environment variables with which uv reads the same.
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
# Compiles modules before their first import, as pip does by default.
COMPILE = "--compile-bytecode"
UNFINISHED = Path(sys.prefix) / ".installing"
# Sections of the settings, in order of precedence.
SECTIONS = (":env:", "install", "global")
# Lists that are separated by commas for uv, and by spaces for pip.
BY_COMMAS = ("UV_FIND_LINKS",)


def settings_of_pip(listed: str) -> dict[str, str]:
    """The output of `pip config list` as environment variables for uv."""
    settings: dict[str, str] = {}
    for section in SECTIONS:
        for name, value in re.findall(rf"^{section}\.([\w-]+)=(.*)$", listed, re.M):
            if variable := OF_UV.get(name):
                settings.setdefault(variable, _separated(variable, ast.literal_eval(value)))
    return settings


def _separated(variable: str, value: str) -> str:
    return ("," if variable in BY_COMMAS else " ").join(value.split())


def pins_of(lock: str, package: str) -> str:
    """The lines of a lock with a package and its hashes."""
    match = re.search(rf"^{package}==[^\n]*(?:(?<=\\)\n[^\n]*)*", lock, re.M)
    return match.group() if match else ""


def commands(arguments: list[str], scratch: Path, *, reinstall: bool) -> Iterator[list[str]]:
    """The commands to try, in order."""
    lines = scratch / "uv.lock"
    lines.write_text(pins_of((ROOT / "requirements-dev.lock").read_text(), "uv") + "\n")
    fetching = [*PIP, *FETCH_UV, "--target", str(scratch / "uv"), "-r", str(lines)]
    if subprocess.run(fetching, capture_output=True, check=False).returncode == 0:
        uv = [str(scratch / "uv" / "bin" / "uv"), "pip", "install", "--quiet", "--no-config"]
        target = ["--no-cache", "--python", sys.executable, "--index-strategy", "unsafe-best-match"]
        yield [*uv, *target, *(["--reinstall"] if reinstall else []), *arguments]
        print("uv could not install the packages; using pip, which is slower.", file=sys.stderr)
        reinstall = True
    options = ["--force-reinstall"] if reinstall else []
    yield [*PIP, "install", "-qq", *options, *(word for word in arguments if word != COMPILE)]


def install(arguments: list[str]) -> int:
    config = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False)
    environment = {**settings_of_pip(config.stdout), **os.environ}
    reinstall = UNFINISHED.exists()
    UNFINISHED.touch()
    with tempfile.TemporaryDirectory(prefix="remem-install-") as scratch:
        for command in commands(arguments, Path(scratch), reinstall=reinstall):
            status = subprocess.run(command, env=environment, check=False).returncode
            if not status:
                UNFINISHED.unlink(missing_ok=True)
                break
    return status


def main() -> int:
    # `make` ends parallel installations with SIGTERM, which must stop uv too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = install(["--no-deps", *sys.argv[1:]])
    except KeyboardInterrupt:
        print("Interrupted. Run the same command again to install the rest.", file=sys.stderr)
        return 130
    if status:
        print("Not installed: check that a package registry is reachable; retry.", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
