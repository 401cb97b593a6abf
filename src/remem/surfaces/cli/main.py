"""The table of all commands."""

import sys
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command_name
from typer.models import CommandInfo

from remem.surfaces.cli.context import with_call_options
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
    """The location of a command or group: `module` in this package, `attribute` in the module."""

    name: str
    module: str
    panel: str
    attribute: str = ""


COMMANDS = (
    Command("serve", "serve", START),
    Command("open", "browser", START, "open_app"),
    Command("worker", "serve", START),
    Command("status", "status", START),
    Command("service", "at_login.commands", START),
    Command("demo", "demo", START),
    Command("doctor", "doctor", START),
    Command("check", "check", MANAGE),
    Command("save", "remember", USE),
    Command("recall", "remember", USE),
    Command("ask", "ask", USE),
    Command("agent", "ask", USE),
    Command("memories", "memory_index", MANAGE, "memories"),
    Command("documents", "documents", MANAGE),
    Command("highlights", "highlights", MANAGE),
    Command("trash", "trash", MANAGE),
    Command("projects", "projects", MANAGE),
    Command("sessions", "sessions", MANAGE),
    Command("feeds", "feeds", MANAGE),
    Command("evolve", "evolve", MANAGE),
    Command("connections", "connections", MANAGE),
    Command("keys", "keys", MANAGE),
    Command("config", "config", MANAGE),
    Command("whoami", "overview", MANAGE),
    Command("profile", "overview", MANAGE),
    Command("instructions", "instructions", MANAGE),
    Command("calendars", "calendars", MANAGE),
    Command("deliveries", "deliveries", MANAGE),
    Command("entities", "entities", MANAGE),
    Command("stats", "overview", MANAGE),
    Command("graph", "overview", MANAGE),
    Command("events", "overview", MANAGE),
    Command("jobs", "overview", MANAGE),
    Command("export", "transfer", MOVE),
    Command("import", "import_group", MOVE, "bring"),
    Command("backup", "backup", MOVE),
    Command("restore", "backup", MOVE),
    Command("upgrade", "upgrade", MOVE),
    Command("reembed", "backup", MOVE),
    Command("eval", "evaluate", MOVE, "evaluate"),
    Command("tenants", "tenants", MOVE),
    Command("vectors", "vectors", MOVE),
    Command("distribute", "distribute", MOVE),
    Command("secrets", "secrets", MOVE),
    Command("login", "login", CONNECT),
    Command("logout", "login", CONNECT),
    Command("mcp", "mcp", CONNECT),
    Command("install", "install.commands", CONNECT),
    Command("statusline", "statusline", CONNECT),
    # Called by assistants; people find them described in docs/install.md.
    Command("hook", "hooks.commands", CONNECT),
)


class Commands(TyperGroup):
    """Ends every error of a command with one sentence and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        with plain_errors():
            return super().invoke(ctx)


def command_line(words: list[str]) -> typer.Typer:
    """Build the command that the words begin with, or all commands if they name none: importing
    every command takes longer than running most of them."""
    matching = [command for command in COMMANDS if words[:1] == [command.name]]
    cli = typer.Typer(
        name="remem",
        help="The memory of a person and of their AI assistants.",
        cls=Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    cli.callback()(_main_options)
    for command in matching or COMMANDS:
        _add(cli, command, words[1:2] if matching else [])
    refuse_empty(cli)
    return cli


def run(programs: Any) -> None:
    command_line(sys.argv[1:])(obj=programs)


def _add(cli: typer.Typer, command: Command, words: list[str]) -> None:
    module = import_module(f"remem.surfaces.cli.{command.module}")
    target = getattr(module, command.attribute or command.name)
    if isinstance(target, typer.Typer):
        group = _narrow(target, words)
        _add_options(group)
        cli.add_typer(group, name=command.name, no_args_is_help=True, rich_help_panel=command.panel)
    else:
        cli.command(command.name, rich_help_panel=command.panel)(with_call_options(target))


def _add_options(group: typer.Typer) -> None:
    for command in group.registered_commands:
        if command.callback:
            command.callback = with_call_options(command.callback)
    for inner in group.registered_groups:
        if inner.typer_instance:
            _add_options(inner.typer_instance)


def _narrow(group: typer.Typer, words: list[str]) -> typer.Typer:
    """Reduce a group to the command that the words name, if any: preparing every command takes a
    while."""
    matching = [command for command in group.registered_commands if words == [_name(command)]]
    if not matching:
        return group
    narrowed = copy(group)
    narrowed.registered_commands, narrowed.registered_groups = matching, []
    return narrowed


def _name(command: CommandInfo) -> str:
    return command.name or get_command_name(getattr(command.callback, "__name__", ""))


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"remem {version('remem')}")
        raise typer.Exit


def _main_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """The memory of a person and of their AI assistants."""
