"""The service managers of a user: systemd on Linux, launchd on macOS."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Protocol

from remem.surfaces.cli.at_login.definition import Definition, launchd_agent, systemd_unit

UNIT = "remem.service"
LABEL = "org.remem.serve"


class Supervisor(Protocol):
    """`state` is a word of the manager, such as `active`; `failed` says whether the program ended
    and is not, or not yet, started again."""

    name: str

    @property
    def file(self) -> Path: ...

    def text(self, definition: Definition) -> str: ...

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def state(self) -> str: ...

    def has_failed(self) -> bool: ...

    def note(self) -> str: ...


class CommandRefused(Exception):
    """The service manager refused a command."""


class Systemd:
    name = "systemd"

    @property
    def file(self) -> Path:
        config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        return Path(config) / "systemd" / "user" / UNIT

    def text(self, definition: Definition) -> str:
        return systemd_unit(definition)

    def start(self) -> None:
        _run("systemctl", "--user", "daemon-reload")
        _run("systemctl", "--user", "enable", UNIT)
        _run("systemctl", "--user", "restart", UNIT)

    def stop(self) -> None:
        _run("systemctl", "--user", "disable", "--now", UNIT)

    def state(self) -> str:
        return self._property("ActiveState") or "unknown"

    def has_failed(self) -> bool:
        return self._property("SubState") in ("auto-restart", "failed", "dead")

    def note(self) -> str:
        if _output("loginctl", "show-user", str(os.geteuid()), "--property=Linger").endswith("no"):
            return "It stops when you log out; `loginctl enable-linger` keeps it running."
        return ""

    def _property(self, name: str) -> str:
        return _output("systemctl", "--user", "show", UNIT, f"--property={name}", "--value")


class Launchd:
    name = "launchd"

    @property
    def file(self) -> Path:
        return Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.plist"

    def text(self, definition: Definition) -> str:
        return launchd_agent(LABEL, definition)

    def start(self) -> None:
        _output("launchctl", "bootout", self._target)
        _run("launchctl", "bootstrap", f"gui/{os.geteuid()}", str(self.file))

    def stop(self) -> None:
        _run("launchctl", "bootout", self._target)

    def state(self) -> str:
        lines = _output("launchctl", "print", self._target).splitlines()
        states = (line.partition("=")[2] for line in lines if line.strip().startswith("state ="))
        return next(states, "unknown").strip()

    def has_failed(self) -> bool:
        return self.state() not in ("running", "unknown")

    def note(self) -> str:
        return ""

    @property
    def _target(self) -> str:
        return f"gui/{os.geteuid()}/{LABEL}"


def find_supervisor() -> Supervisor | None:
    """The service manager that answers this user, if any."""
    if sys.platform == "darwin":
        return Launchd()
    # Without a session, as in a container or for root, systemctl has nobody to talk to.
    if shutil.which("systemctl") and _succeeds("systemctl", "--user", "show-environment"):
        return Systemd()
    return None


def _run(*command: str) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        says = (result.stderr or result.stdout).strip().splitlines() or ["it gives no reason"]
        raise CommandRefused(f"`{' '.join(command)}` failed: {says[-1]}")


def _succeeds(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _output(*command: str) -> str:
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return result.stdout.strip()
