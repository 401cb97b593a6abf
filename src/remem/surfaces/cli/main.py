"""Every command on one page."""

import sys
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command_name
from typer.models import CommandInfo

from remem.surfaces.cli.empty import refuse_empty
from remem.surfaces.cli.output import plain_errors

START, USE, MANAGE, MOVE, CONNECT = (
    "Start",
    "Save and recall",
    "Look and change",
    "Move and keep safe",
    "Connect",
)


@dataclass(frozen=True, slots=True)
class Command:
    """Where a command, or a group of them, is: `module` below this package, `attribute` in it."""

    name: str
    module: str
    panel: str
    attribute: str = ""


COMMANDS = (
    Command("serve", "serve", START),
    Command("open", "browser", START, "open_app"),
    Command("worker", "serve", START),
    Command("status", "status", START),
    Command("demo", "demo", START),
    Command("doctor", "doctor", START),
    Command("save", "remember", USE),
    Command("recall", "remember", USE),
    Command("ask", "ask", USE),
    Command("agent", "ask", USE),
    Command("memories", "memory_index", MANAGE, "memories"),
    Command("documents", "documents", MANAGE),
    Command("projects", "projects", MANAGE),
    Command("sessions", "sessions", MANAGE),
    Command("feeds", "feeds", MANAGE),
    Command("evolve", "evolve", MANAGE),
    Command("connections", "connections", MANAGE),
    Command("keys", "keys", MANAGE),
    Command("config", "config", MANAGE),
    Command("whoami", "overview", MANAGE),
    Command("profile", "overview", MANAGE),
    Command("stats", "overview", MANAGE),
    Command("graph", "overview", MANAGE),
    Command("events", "overview", MANAGE),
    Command("jobs", "overview", MANAGE),
    Command("export", "transfer", MOVE),
    Command("import", "transfer", MOVE, "bring_in"),
    Command("backup", "backup", MOVE),
    Command("restore", "backup", MOVE),
    Command("reembed", "backup", MOVE),
    Command("tenants", "tenants", MOVE),
    Command("vectors", "vectors", MOVE),
    Command("distribute", "distribute", MOVE),
    Command("secrets", "secrets", MOVE),
    Command("login", "login", CONNECT),
    Command("logout", "login", CONNECT),
    Command("mcp", "mcp", CONNECT),
    Command("install", "install.commands", CONNECT),
    # Assistants call these; people read what they do in docs/install.md.
    Command("hook", "hooks.commands", CONNECT),
)


class Commands(TyperGroup):
    """Whatever a command raises ends as one sentence and a code."""

    def invoke(self, ctx: Any) -> Any:
        with plain_errors():
            return super().invoke(ctx)


def command_line(words: list[str]) -> typer.Typer:
    """The command that the words begin with, or all of them where they name none: to import every
    command takes longer than to run most."""
    named = [command for command in COMMANDS if words[:1] == [command.name]]
    cli = typer.Typer(
        name="remem",
        help="The memory of a person and of their AI assistants.",
        cls=Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    cli.callback()(_every_command)
    for command in named or COMMANDS:
        _add(cli, command, words[1:2] if named else [])
    refuse_empty(cli)
    return cli


def run(programs: Any) -> None:
    command_line(sys.argv[1:])(obj=programs)


def _add(cli: typer.Typer, command: Command, words: list[str]) -> None:
    module = import_module(f"remem.surfaces.cli.{command.module}")
    found = getattr(module, command.attribute or command.name)
    if isinstance(found, typer.Typer):
        group = _narrowed(found, words)
        cli.add_typer(group, name=command.name, no_args_is_help=True, rich_help_panel=command.panel)
    else:
        cli.command(command.name, rich_help_panel=command.panel)(found)


def _narrowed(group: typer.Typer, words: list[str]) -> typer.Typer:
    """The one command of the group that the words name, or all where they name none: to prepare
    each for what may be typed takes a while."""
    named = [one for one in group.registered_commands if words == [_name(one)]]
    if not named:
        return group
    narrow = copy(group)
    narrow.registered_commands, narrow.registered_groups = named, []
    return narrow


def _name(command: CommandInfo) -> str:
    return command.name or get_command_name(getattr(command.callback, "__name__", ""))


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"remem {version('remem')}")
        raise typer.Exit


def _every_command(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """The memory of a person and of their AI assistants."""
