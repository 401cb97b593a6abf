"""`remem service install`, `status`, `logs` and `uninstall`."""

import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.at_login.definition import Definition
from remem.surfaces.cli.at_login.supervisors import CommandRefused, Supervisor, find_supervisor
from remem.surfaces.cli.command import argv, shell_command
from remem.surfaces.cli.context import Json
from remem.surfaces.cli.output import (
    MISUSED,
    NOTHING_FOUND,
    fail,
    print_fields,
    print_json,
    print_note,
    say,
)

if TYPE_CHECKING:
    from remem.client.local_server import LocalServer
    from remem.settings import Settings

START_S = 120.0
_POLL_S = 0.2
# What selects the store and the programs. Other settings belong in config.toml, which the service
# reads as well.
_KEPT_VARIABLES = (
    "REMEM_DATA_DIR",
    "REMEM_CONFIG_DIR",
    "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
    "PATH",
)
_PATHS = frozenset(_KEPT_VARIABLES) - {"PATH"}

service = typer.Typer(help="Start remem at login, and keep it running.")


@service.command()
def install() -> None:
    """Start remem now and at every login, and again when it fails.

    Example: remem service install
    """
    from remem.settings import load

    supervisor, settings = _supervisor(), load()
    if server := _running(settings):
        fail(f"remem runs already at {server.url} (process {server.pid}); stop it first.", MISUSED)
    supervisor.file.parent.mkdir(parents=True, exist_ok=True)
    supervisor.file.write_text(supervisor.text(_definition(settings)), encoding="utf-8")
    try:
        supervisor.start()
    except CommandRefused as error:
        fail(f"{error}.")
    server = _wait(supervisor, settings)
    if server is None:
        reason = _last_line(_log_file(settings)) or "it did not start in time"
        fail(
            f"remem does not start ({reason}); `remem service logs` shows more, and"
            f" {supervisor.name} keeps trying."
        )
    say(f"remem runs at {server.url}, and starts when you log in.")
    for note in (supervisor.note(), _other_settings()):
        if note:
            print_note(note)


@service.command()
def status(as_json: Json = False) -> None:
    """Show whether remem starts at login, whether it runs, and since when.

    Example: remem service status
    """
    from remem.settings import load

    supervisor, settings = _supervisor(), load()
    server, is_installed = _running(settings), supervisor.file.exists()
    report: dict[str, Any] = {
        "started by": supervisor.name,
        "installed": is_installed,
        "state": supervisor.state() if is_installed else "not installed",
        "server": server.url if server else None,
        "since": time.strftime("%Y-%m-%d %H:%M", time.localtime(server.started_at))
        if server
        else None,
        "log": str(_log_file(settings)),
    }
    if as_json:
        print_json(report)
    else:
        print_fields(report)


@service.command()
def logs(
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many lines.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Wait for new lines.")] = False,
) -> None:
    """Show the last lines of the service's log.

    Example: remem service logs --lines 200
    """
    from remem.settings import load

    file = _log_file(load())
    if not file.exists():
        fail(f"There is no log yet ({file}); `remem service install` starts one.", NOTHING_FOUND)
    for line in _last_lines(file, lines):
        sys.stdout.write(line)
    while follow:
        for line in _new_lines(file):
            sys.stdout.write(line)
            sys.stdout.flush()


@service.command()
def uninstall() -> None:
    """Stop remem, and no longer start it at login. Your memories stay.

    Example: remem service uninstall
    """
    from remem.settings import load

    supervisor, settings = _supervisor(), load()
    if not supervisor.file.exists():
        fail("The service is not installed.", NOTHING_FOUND)
    try:
        supervisor.stop()
    except CommandRefused as error:
        print_note(f"{error}.")
    supervisor.file.unlink()
    say(f"remem no longer starts at login. Your memories stay in {settings.data_dir.absolute()}.")


def _supervisor() -> Supervisor:
    supervisor = find_supervisor()
    if supervisor is None:
        fail(
            "Neither systemd nor launchd runs services for this user here; start"
            f" `{shell_command()} serve` yourself, for example with the line"
            f" `@reboot {shell_command()} serve` in `crontab -e`, or use the container image."
        )
    return supervisor


def _definition(settings: "Settings") -> Definition:
    chosen = {name: os.environ[name] for name in _KEPT_VARIABLES if os.environ.get(name)}
    paths = {name: str(Path(chosen[name]).absolute()) for name in chosen.keys() & _PATHS}
    environment = {**chosen, **paths, "REMEM_LOG_FILE": str(_log_file(settings))}
    return Definition([*argv(), "serve"], environment)


def _log_file(settings: "Settings") -> Path:
    return (settings.log_file or settings.data_dir / "logs" / "remem.log").absolute()


def _other_settings() -> str:
    from remem.settings import Settings

    known = {f"REMEM_{name.upper()}": name for name in Settings.model_fields}
    others = sorted((os.environ.keys() & known.keys()) - set(_KEPT_VARIABLES))
    if not others:
        return ""
    example = f"{shell_command()} config set {known[others[0]]} …"
    return f"{', '.join(others)} counts only in this terminal; for the service, run `{example}`."


def _running(settings: "Settings") -> "LocalServer | None":
    from remem.client.local_server import running_servers

    return next(iter(running_servers(settings.data_dir)), None)


def _wait(supervisor: Supervisor, settings: "Settings") -> "LocalServer | None":
    """Wait until the server answers, or has ended."""
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        if server := _running(settings):
            return server
        if supervisor.has_failed():
            return None
        time.sleep(_POLL_S)
    return None


def _last_lines(file: Path, count: int) -> deque[str]:
    with file.open(encoding="utf-8", errors="replace") as log:
        return deque(log, count)


def _last_line(file: Path) -> str:
    """The last line without `error` before it, to be quoted in a sentence."""
    lines = _last_lines(file, 1) if file.exists() else ()
    return "".join(lines).strip().removeprefix("error ").rstrip(".")


def _new_lines(file: Path) -> Iterator[str]:
    """Yield what is added to the file, until another takes its place."""
    with file.open(encoding="utf-8", errors="replace") as log:
        log.seek(0, os.SEEK_END)
        opened = os.fstat(log.fileno()).st_ino
        while True:
            if line := log.readline():
                yield line
            elif not file.exists() or file.stat().st_ino != opened:
                return
            else:
                time.sleep(_POLL_S)
